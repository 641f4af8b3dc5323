import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inject } from 'vitest';

/** The folder of a build that is made before the tests, or why it failed. */
export type Build = { readonly dir: string } | { readonly problem: string };

declare module 'vitest' {
  interface ProvidedContext {
    /** A checkout as `npm run build` leaves it, without sources, for tests of processes and of the package. */
    readonly app: Build;
    readonly inspector: Build;
    readonly bundles: Build;
  }
}

/**
 * Files that tests run in a separate process or thread. They are bundled, because Node would transpile them at each
 * start.
 */
export const bundled = [
  'emulator/features/catalog/check/worker.ts',
  'emulator/features/catalog/saved/merge.ts',
  'emulator/store/store.ts',
  'emulator/testing.ts',
  'test/delivery/crash-child.ts',
  'test/record/reset-child.ts',
  'test/store/kill-child.ts',
  'test/store/limited-child.ts',
  'test/store/serve-child.ts',
] as const;

/** The folder of the built app. @throws if it could not be built, or if the file belongs to another project */
export function builtApp(): string {
  const app: Build | undefined = inject('app');
  if (!app) throw new Error('Only the tests of project "process" in vitest.config.ts have a built app; add this file.');
  if ('problem' in app) throw new Error(`The app could not be built: ${app.problem}`);
  return app.dir;
}

/** The folder of the built inspector. */
export function builtInspector(): string {
  const built: Build = inject('inspector');
  if ('problem' in built) throw new Error(`The inspector could not be built: ${built.problem}`);
  return built.dir;
}

/** The bundle of one of the files in `bundled`. */
export function bundleOf(source: (typeof bundled)[number]): URL {
  const built: Build = inject('bundles');
  if ('problem' in built) throw new Error(`What tests start could not be bundled: ${built.problem}`);
  return pathToFileURL(join(built.dir, toBundleName(source)));
}

/** The name of a file's bundle in the folder of the bundles. */
export function toBundleName(source: string): string {
  return source.replaceAll('/', '-').replace(/\.ts$/, '.mjs');
}

/** The worker of catalog checks. */
export function workerUrl(): URL {
  return bundleOf('emulator/features/catalog/check/worker.ts');
}
