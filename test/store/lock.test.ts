import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStore } from '../../emulator/store/store.ts';
import { serve, withOwnIds } from './serve.ts';
import { newFolder, now, open } from './support.ts';

const linux = process.platform === 'linux';

/** A folder whose lock file contains a text. */
function lockedBy(text: string): string {
  const folder = newFolder();
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, 'lock'), text);
  return folder;
}

function deadProcess(): number {
  return spawnSync(process.execPath, ['-e', '']).pid;
}

test('a folder in use is refused with the process that uses it, and what to do', async () => {
  const folder = newFolder();
  await open(folder);
  const lock = readFileSync(join(folder, 'lock'), 'utf8');
  await expect(openStore({ dataDir: folder, now })).rejects.toMatchObject({
    name: 'StoreError',
    code: 'locked',
    message: `The data folder ${folder} is in use by process ${process.pid}. Stop it, or choose another folder with --data.`,
  });
  expect(readFileSync(join(folder, 'lock'), 'utf8')).toBe(lock);
});

test('a copy of a folder in use is refused with the folder that is in use, and what to do with a copy', async () => {
  const [folder, copy] = [newFolder(), newFolder()];
  await open(folder);
  cpSync(folder, copy, { recursive: true });
  await expect(openStore({ dataDir: copy, now })).rejects.toMatchObject({
    code: 'locked',
    message: `The data folder ${copy} is in use by process ${process.pid}. Stop it, or choose another folder with --data. The process opened ${JSON.stringify(realpathSync(folder))}: if this is a copy of that folder, remove the file "lock" in the copy.`,
  });
  rmSync(join(copy, 'lock'));
  expect((await open(copy)).notices).toEqual([]);
});

test('a link to a folder in use is refused like the folder', async () => {
  const [folder, link] = [newFolder(), newFolder()];
  await open(folder);
  symlinkSync(folder, link, 'dir');
  await expect(openStore({ dataDir: link, now })).rejects.toMatchObject({
    message: `The data folder ${link} is in use by process ${process.pid}. Stop it, or choose another folder with --data.`,
  });
});

test('another live process keeps its folder', async () => {
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const ended = once(child, 'exit');
  const folder = lockedBy(`${child.pid}\n`);
  await expect(openStore({ dataDir: folder, now })).rejects.toMatchObject({ code: 'locked' });
  child.stdin.end();
  await ended;
  expect((await open(folder)).dataDir).toBe(folder);
});

test.for(['', 'nonsense', '-1', '0', '1e3'])('a lock without a process (%j) is taken over', async (text) => {
  const folder = lockedBy(text);
  await open(folder);
  expect(readFileSync(join(folder, 'lock'), 'utf8')).toMatch(new RegExp(`^${process.pid} `));
});

test('the lock of an ended process is taken over, and nothing of it stays', async () => {
  const folder = lockedBy(`${deadProcess()} - some\n`);
  await open(folder);
  expect(readdirSync(folder)).toEqual(['lock']);
  expect(statSync(join(folder, 'lock')).mode & 0o777).toBe(0o600);
});

test.each(['', ' - some'])(
  'a lock from before the start of the machine is taken over, whatever has its process id now (%j)',
  async (rest) => {
    const folder = lockedBy(`${process.pid}${rest}\n`);
    const path = join(folder, 'lock');
    const message = `The data folder ${folder} is in use by process ${process.pid}. Stop it, or choose another folder with --data. If that process is not Sandpiper, remove the file "lock" in the folder.`;
    await expect(openStore({ dataDir: folder, now })).rejects.toMatchObject({ code: 'locked', message });
    const before = statSync(path).mtimeMs / 1000 - uptime() - 60;
    utimesSync(path, before, before);
    expect((await open(folder)).dataDir).toBe(folder);
  },
);

test.each(['', ' - some'])(
  'a lock from before the start of this process that names its own id is taken over (%j)',
  async (rest) => {
    const folder = lockedBy(`${process.pid}${rest}\n`);
    const path = join(folder, 'lock');
    const before = statSync(path).mtimeMs / 1000 - process.uptime() - 1;
    utimesSync(path, before, before);
    expect((await open(folder)).dataDir).toBe(folder);
  },
);

const [unshare, ...separately] = withOwnIds;
test.skipIf(spawnSync(unshare, [...separately, 'true']).status !== 0)(
  'after a kill a folder opens for a process with the same id, also where the files of processes are those outside',
  async () => {
    const folder = newFolder();
    const first = await serve(folder, { ownIds: true });
    expect(readFileSync(join(folder, 'lock'), 'utf8')).toMatch(/^1 /);
    first.child.kill('SIGKILL');
    await first.ended;
    expect(existsSync(join(folder, 'lock'))).toBe(true);
    const second = await serve(folder, { ownIds: true });
    second.child.kill('SIGKILL');
    await second.ended;
  },
);

test.skipIf(!linux)(
  'a running process that is known to have the lock keeps it, whatever time its file has',
  async () => {
    const folder = newFolder();
    await open(folder);
    utimesSync(join(folder, 'lock'), 0, 0);
    await expect(openStore({ dataDir: folder, now })).rejects.toMatchObject({ code: 'locked' });
  },
);

test.skipIf(!linux)('a lock whose process id now belongs to another process is taken over', async () => {
  const folder = lockedBy(`${process.pid} another-boot:1 some\n`);
  await open(folder);
  expect(readFileSync(join(folder, 'lock'), 'utf8')).not.toContain('another-boot');
});

test('of many that open a folder at once, with a dead lock in it, one gets it', async () => {
  const folder = lockedBy(`${deadProcess()}\n`);
  const opened = await Promise.allSettled(Array.from({ length: 8 }, () => openStore({ dataDir: folder, now })));
  const stores = opened.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  expect(stores).toHaveLength(1);
  expect(opened.flatMap((one) => (one.status === 'rejected' ? [(one.reason as { code: string }).code] : []))).toEqual(
    Array.from({ length: 7 }, () => 'locked'),
  );
  await stores[0]?.close();
  expect(existsSync(join(folder, 'lock'))).toBe(false);
});

test('closing releases only its own lock', async () => {
  const folder = newFolder();
  const first = await openStore({ dataDir: folder, now });
  rmSync(join(folder, 'lock'));
  await open(folder);
  await expect(first.close()).rejects.toThrow('was removed, renamed or replaced');
  expect(existsSync(join(folder, 'lock'))).toBe(true);
});
