import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import config from '../../renderer/vite.config.ts';
import { chromiumPath } from './chromium.ts';

/** The folder of the built inspector, or why it could not be built. */
export type InspectorBuild = { readonly dir: string } | { readonly problem: string };

declare module 'vitest' {
  interface ProvidedContext {
    readonly inspector: InspectorBuild;
  }
}

const root = resolve(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/sandpiper-inspector');

/** Before a run: the inspector is built as it ships, unless this very source was built before. A test that launches a browser says why it cannot. */
export async function setup(project: TestProject): Promise<void> {
  // The browser is unpacked before a test needs it, so that no test waits for it.
  const unpacking = chromiumPath().catch(() => {});
  try {
    project.provide('inspector', { dir: await buildInspector() });
  } catch (error) {
    // Only the tests that need the inspector fail, and say why.
    project.provide('inspector', { problem: error instanceof Error ? error.message : String(error) });
  }
  await unpacking;
}

/** @returns the folder of the build */
export async function buildInspector(): Promise<string> {
  const dir = join(cache, hashOf(['renderer', 'package-lock.json']));
  if (existsSync(join(dir, 'index.html'))) return dir;
  await mkdir(cache, { recursive: true });
  const aside = mkdtempSync(join(cache, 'building-'));
  try {
    await build({
      ...config,
      configFile: false,
      logLevel: 'error',
      build: { ...config.build, outDir: aside, emptyOutDir: true },
    });
    dropOld();
    renameSync(aside, dir);
  } catch (error) {
    rmSync(aside, { recursive: true, force: true });
    // Another run was quicker.
    if (!existsSync(join(dir, 'index.html'))) throw error;
  }
  return dir;
}

/** Builds that nobody started a run with for a day. */
function dropOld(): void {
  for (const name of readdirSync(cache)) {
    const folder = join(cache, name);
    if (Date.now() - statSync(folder).mtimeMs > 86_400_000) rmSync(folder, { recursive: true, force: true });
  }
}

function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256');
  for (const path of paths) {
    const whole = join(root, path);
    const files = statSync(whole).isFile()
      ? [whole]
      : readdirSync(whole, { recursive: true, withFileTypes: true })
          .filter((entry) => entry.isFile())
          .map((entry) => join(entry.parentPath, entry.name))
          .toSorted();
    for (const file of files) {
      const { mtimeMs, size } = statSync(file);
      hash.update(`${file}\0${mtimeMs}\0${size}\n`);
    }
  }
  return hash.digest('hex').slice(0, 16);
}
