import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';

const root = join(import.meta.dirname, '../..');

/** A build that takes no time: a command line that prints a line. */
const builder = `
const { mkdirSync, writeFileSync } = require('node:fs');
mkdirSync('out/main', { recursive: true });
writeFileSync('out/main/cli.cjs', 'console.log("done"); exports.ready = exports.done = Promise.resolve();');
console.log('noise');
`;

test('in a clone the first command says on standard error that it builds, and later ones do not build', () => {
  const clone = mkdtempSync(join(tmpdir(), 'sandpiper-clone-'));
  onTestFinished(() => rmSync(clone, { recursive: true }));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(clone, path)), { recursive: true });
    writeFileSync(join(clone, path), text);
  };
  for (const path of ['bin', 'package.json']) cpSync(join(root, path), join(clone, path), { recursive: true });
  write('emulator/any.ts', '');
  write('electron.vite.config.ts', '');
  const run = () => {
    const { status, stdout, stderr } = spawnSync(process.execPath, ['bin/sandpiper.cjs', 'env'], {
      cwd: clone,
      encoding: 'utf8',
    });
    return { status, stdout, stderr };
  };
  expect(run()).toMatchObject({
    status: 1,
    stderr: expect.stringContaining('The packages are not installed.') as string,
  });
  write('node_modules/electron-vite/package.json', '{"type":"commonjs"}');
  write('node_modules/electron-vite/bin/electron-vite.js', builder);
  const stderr = 'Building Sandpiper from its sources first …\n';
  expect(run()).toEqual({ status: 0, stdout: 'done\n', stderr });
  expect(run()).toEqual({ status: 0, stdout: 'done\n', stderr: '' });
});
