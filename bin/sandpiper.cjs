#!/usr/bin/env node
// Starts the built command line. In a source checkout it builds first when the build is missing or older than the source.
'use strict';
const { existsSync, readdirSync, readFileSync, statSync } = require('node:fs');
const { dirname, join } = require('node:path');
const { setFlagsFromString } = require('node:v8');

const root = dirname(__dirname);
const folder = join(root, 'out', 'main');
const built = join(folder, 'cli.cjs');

const { version, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
if (process.argv.length === 3 && /^(?:-V|--version)$/.test(process.argv[2])) {
  console.log(version);
  process.exit();
}

// An older Node fails in the code that is loaded next, with an error that does not say why. `^` means one major version
// only.
const ranges = engines.node.split(' || ').map((/** @type {string} */ range) => {
  const least = range.replace(/^\D+/, '');
  return { least, major: parseInt(least, 10), isAlone: range.startsWith('^') };
});
const { node } = process.versions;
const inOrder = (/** @type {string} */ numbers) =>
  numbers.split('.').reduce((order, number) => order * 1000 + parseInt(number, 10), 0);
if (
  !ranges.some(
    ({ least, major, isAlone }) => inOrder(node) >= inOrder(least) && (!isAlone || parseInt(node, 10) === major),
  )
) {
  const words = ranges.map(({ least, major, isAlone }) =>
    isAlone ? `${major} from ${least} on` : `${least} or newer`,
  );
  console.error(`Sandpiper needs Node ${words.join(', or ')}. This is Node ${node}.`);
  process.exit(1);
}

const modified = (path) => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const newest = (from) =>
  readdirSync(from, { withFileTypes: true, recursive: true }).reduce(
    (latest, entry) =>
      entry.isFile() ? Math.max(latest, modified(join(entry.parentPath ?? entry.path, entry.name))) : latest,
    0,
  );

const sources = ['electron', 'emulator', 'renderer'].map((name) => join(root, name)).filter(existsSync);
if (
  sources.length > 0 &&
  modified(built) < Math.max(...sources.map(newest), modified(join(root, 'electron.vite.config.ts')))
) {
  const vite = join(root, 'node_modules', 'electron-vite', 'bin', 'electron-vite.js');
  if (!existsSync(vite)) {
    console.error('The packages are not installed. Run "npm ci" here, or use "npm start", which does it.');
    process.exit(1);
  }
  console.error('Building Sandpiper from its sources first …');
  const { spawnSync } = require('node:child_process');
  const build = spawnSync(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (build.status !== 0) process.exit(build.status ?? 1);
}

// Node prints the line of an error before it, and a line of the build has up to 50,000 characters.
process.on('uncaughtException', (error) => {
  console.error('sandpiper: The command ended with an unexpected error:', error);
  process.exit(1);
});

const { createLoader } = require('./compiled.cjs');
const { load, keep } = createLoader(folder);
const { ready, done } = load('cli.cjs');
ready
  .then(keep)
  // See docs/decisions/0021-young-objects.md.
  .then(() => setFlagsFromString('--no-allocation-site-pretenuring --heap-growing-percent=80'));
// A config that is code may have left timers or connections, which would keep the process alive.
done.then(() => process.exit());
