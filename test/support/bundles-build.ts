import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import { bundled, toBundleName } from './built.ts';
import { keepBuild, root, toBuild } from './keep-build.ts';

/** Before the tests: bundles the files that they run in a separate process or thread. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('bundles', await toBuild(buildBundles()));
}

function buildBundles(): Promise<string> {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };
  const sources = ['emulator', 'test/support/built.ts', 'package-lock.json', ...bundled];
  return keepBuild('bundles', sources, toBundleName(bundled[0]), async (outDir) => {
    await build({
      root,
      configFile: false,
      logLevel: 'error',
      define: { SANDPIPER_VERSION: JSON.stringify(version) },
      ssr: { noExternal: true },
      build: {
        ssr: true,
        outDir,
        emptyOutDir: true,
        target: 'node20',
        rollupOptions: {
          // depd, which koa needs, uses a direct eval; it is harmless.
          checks: { eval: false },
          input: Object.fromEntries(bundled.map((source) => [toBundleName(source), join(root, source)])),
          output: { entryFileNames: '[name]', chunkFileNames: '[name]-[hash].mjs' },
        },
      },
    });
  });
}
