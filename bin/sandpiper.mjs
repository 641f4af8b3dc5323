#!/usr/bin/env node
// Starts the built command line. In a source checkout it builds first when the build is missing or older than the source.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const built = join(root, 'out', 'main', 'cli.js');

if (process.argv.length === 3 && /^(?:-V|--version)$/.test(process.argv[2])) {
  console.log(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version);
  process.exit();
}

const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const newest = (folder) =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).reduce(
    (latest, entry) =>
      entry.isFile() ? Math.max(latest, modified(join(entry.parentPath ?? entry.path, entry.name))) : latest,
    0,
  );

const sources = ['electron', 'emulator', 'renderer'].map((folder) => join(root, folder)).filter(existsSync);
if (
  sources.length > 0 &&
  modified(built) < Math.max(...sources.map(newest), modified(join(root, 'electron.vite.config.ts')))
) {
  const vite = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  if (!existsSync(vite)) {
    console.error('The packages are not installed. Run "npm ci" here, or use "npm start", which does it.');
    process.exit(1);
  }
  const build = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (build.status !== 0) process.exit(build.status ?? 1);
}

// Node 22 and newer keep what V8 compiled of the bundle; where they cannot, they start without it.
module.enableCompileCache?.();
await import(pathToFileURL(built).href);
