import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { buildInspector } from './inspector-build.ts';
import { keepBuild, root, runBuild, toBuild } from './keep-build.ts';

/** The files that a build and a package are made of. */
const sources = [
  'bin',
  'emulator',
  'electron',
  'renderer',
  'schema',
  'test/tools',
  'package.json',
  'package-lock.json',
  'electron.vite.config.ts',
  'tsconfig.json',
  'README.md',
  'SKILL.md',
  'llms.txt',
  'LICENSE',
  'CHANGELOG.md',
];

/** Before the tests of processes: builds the command line, the shell and the declarations as they ship, once. */
export async function setup(project: TestProject): Promise<void> {
  project.provide('app', await toBuild(buildApp()));
}

/** Builds a copy of the checkout, so that no test meets a half-built out/. */
async function buildApp(): Promise<string> {
  const inspector = await buildInspector();
  return keepBuild('app', sources, 'out/renderer/index.html', async (folder) => {
    for (const path of sources)
      if (existsSync(join(root, path))) cpSync(join(root, path), join(folder, path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
    writeFileSync(
      join(folder, 'shell.config.ts'),
      "import config from './electron.vite.config.ts';\nexport default { main: config.main, preload: config.preload };\n",
    );
    const vite = join(root, 'node_modules/electron-vite/bin/electron-vite.js');
    await runBuild(folder, vite, 'build', '-c', 'shell.config.ts', '--logLevel', 'error');
    await runBuild(folder, 'test/tools/emit-types.mjs');
    mkdirSync(join(folder, 'out/renderer'), { recursive: true });
    cpSync(inspector, join(folder, 'out/renderer'), { recursive: true });
    // As in an install: beside sources, each command checks whether one is newer than the build.
    for (const path of ['electron', 'emulator', 'renderer']) rmSync(join(folder, path), { recursive: true });
  });
}
