import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { keepBuild, root, runBuild, toBuild } from './keep-build.ts';

/** Before the browser tests: builds the inspector as it ships, unless this very source was built before. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('inspector', await toBuild(buildInspector()));
}

/** @returns the folder of the build */
export function buildInspector(): Promise<string> {
  // The inspector shares rules and words with the emulator.
  return keepBuild('inspector', ['renderer', 'emulator', 'package-lock.json'], 'index.html', (outDir) => {
    const vite = join(root, 'node_modules/vite/bin/vite.js');
    return runBuild(join(root, 'renderer'), vite, 'build', '--outDir', outDir, '--logLevel', 'error');
  });
}
