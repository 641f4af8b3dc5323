import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  closeSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { builtApp } from '../support/built.ts';
import { command } from '../support/command.ts';
import { personEnvironment } from '../support/environment.ts';
import { start } from '../support/process.ts';

const full = '/dev/full';
const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

/** Runs a command whose standard output is a disk without room. */
function runOnFullDisk(...words: readonly string[]) {
  const disk = openSync(full, 'w');
  const child = spawn(process.execPath, [join(builtApp(), 'bin/sandpiper.cjs'), ...words], {
    stdio: ['ignore', disk, 'pipe'],
    env: personEnvironment(),
  });
  closeSync(disk);
  let stderr = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  return { child, ended: once(child, 'close').then(([code]) => ({ code: code as number | null, stderr })) };
}

test.runIf(existsSync(full))('a result that cannot be written is one line and no success', async () => {
  for (const words of [['help'], ['config', 'print'], ['catalog', 'generate', '--products', '2000']])
    expect(await runOnFullDisk(...words).ended).toEqual({
      code: 1,
      stderr: 'sandpiper: The output cannot be written: no space left on device.\n',
    });
});

test.runIf(existsSync(full))('a server goes on when its lines cannot be written, and ends cleanly', async () => {
  const data = mkdtempSync(join(tmpdir(), 'sandpiper-output-'));
  cleanUps.push(() => rmSync(data, { recursive: true, force: true }));
  const { child, ended } = runOnFullDisk('serve', '--port', '0', '--inspector-port', '0', '--data', data);
  cleanUps.push(() => child.kill('SIGKILL'));
  expect(await command('ready', '--data', data, '--wait', '60s')).toMatchObject({ code: 0 });
  expect(await command('clock', '--data', data)).toMatchObject({ code: 0 });
  child.kill('SIGTERM');
  expect(await ended).toEqual({ code: 0, stderr: '' });
  expect(existsSync(join(data, 'control.json'))).toBe(false);
});

test('a server whose reader has seen enough ends cleanly, and has recorded the request of the line that no one read', async () => {
  const data = mkdtempSync(join(tmpdir(), 'sandpiper-output-'));
  cleanUps.push(() => rmSync(data, { recursive: true, force: true }));
  const server = start('serve', '--port', '0', '--inspector-port', '0', '--data', data);
  cleanUps.push(() => server.process.kill('SIGKILL'));
  const [apiUrl = ''] = /http:\S+\/v1/.exec(await server.output('Press Ctrl+C')) ?? [];
  server.process.stdout?.destroy();
  expect((await fetch(`${apiUrl}/me?unread`, { headers: { authorization: 'Bearer sandpiper-demo-key' } })).status).toBe(
    200,
  );
  expect(await server.ended).toMatchObject({ code: 0, stderr: '' });
  expect(readdirSync(data).filter((name) => ['control.json', 'lock'].includes(name))).toEqual([]);
  expect(readFileSync(join(data, 'requests', '1.log'), 'utf8')).toContain('/me?unread');
});

test.skipIf(process.platform === 'win32')('in a folder that was removed, a command says so in one line', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-removed-'));
  const bin = join(builtApp(), 'bin/sandpiper.cjs');
  for (const words of [['clock'], ['serve', '--memory'], ['config', 'print']]) {
    const script = 'mkdir -p "$0" && cd "$0" && rmdir "$0" && exec "$@"';
    const { status, stdout, stderr } = spawnSync('sh', ['-c', script, folder, process.execPath, bin, ...words], {
      encoding: 'utf8',
      env: personEnvironment(),
    });
    const says =
      'sandpiper: The folder in which the command runs was removed. Change to another folder, then run it again.\n';
    expect([status, stdout, stderr]).toEqual([1, '', says]);
  }
});

test.skipIf(process.platform === 'win32')(
  'a file that cannot be written to its end stays what it was, and one that was not there is none',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandpiper-output-'));
    cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
    writeFileSync(join(folder, 'old.ndjson'), 'mine');
    for (const name of ['old.ndjson', 'new.ndjson']) {
      const words = ['catalog', 'generate', '--products', '1000', '--out', join(folder, name), '--overwrite'];
      // The shell ends a file after 4 KB: the end of a disk that is reached in the middle.
      const { status, stderr } = spawnSync(
        'sh',
        ['-c', 'ulimit -f 8 && exec "$0" "$@"', process.execPath, join(builtApp(), 'bin/sandpiper.cjs'), ...words],
        { encoding: 'utf8', env: personEnvironment() },
      );
      expect([status, stderr]).toEqual([1, expect.stringContaining(`${name} cannot be written: EFBIG`)]);
    }
    expect(readdirSync(folder)).toEqual(['old.ndjson']);
    expect(readFileSync(join(folder, 'old.ndjson'), 'utf8')).toBe('mine');
  },
);

test.skipIf(process.platform === 'win32')(
  'a file that is written over through a link keeps the link and its mode',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'sandpiper-output-'));
    cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
    const [file, link] = [join(folder, 'old.ndjson'), join(folder, 'link.ndjson')];
    writeFileSync(file, 'mine', { mode: 0o640 });
    symlinkSync(file, link);
    expect(await command('catalog', 'generate', '--out', link, '--overwrite')).toMatchObject({ code: 0, stderr: '' });
    expect(readFileSync(file, 'utf8')).toMatch(/^\{"id"/);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect([lstatSync(link).isSymbolicLink(), readdirSync(folder).length]).toEqual([true, 2]);
  },
);
