import { build } from 'vite';
import type { TestProject } from 'vitest/node';
import config from '../../renderer/vite.config.ts';
import { keepBuild, toBuild } from './keep-build.ts';

/** Before the browser tests: the inspector is built as it ships, unless this very source was built before. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('inspector', await toBuild(buildInspector()));
}

/** @returns the folder of the build */
export function buildInspector(): Promise<string> {
  return keepBuild('inspector', ['renderer', 'package-lock.json'], 'index.html', async (outDir) => {
    await build({
      ...config,
      configFile: false,
      logLevel: 'error',
      build: { ...config.build, outDir, emptyOutDir: true },
    });
  });
}
