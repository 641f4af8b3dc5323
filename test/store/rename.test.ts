import type * as AtOnce from 'node:fs';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import type * as Files from 'node:fs/promises';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { writeNamedFile } from '../../emulator/config/named-file.ts';
import { openBlobs, type Blobs } from '../../emulator/store/blobs.ts';
import { keptToken } from '../../emulator/store/instance-file.ts';
import { openSnapshotFiles } from '../../emulator/store/snapshot-files.ts';
import { emptyDocument } from '../../emulator/store/store.ts';
import { startSandbox } from '../support/sandbox.ts';
import { copyAsKilled, idsOf, newFolder, open, openAsKilled, put, setting } from './support.ts';

// What runs before each file has loaded a part of the emulator already, with the modules that are replaced here.
vi.hoisted(() => void vi.resetModules());

/** What the next renames fail with: Windows does that while a virus scanner has the file open, and no other system can. */
const failures = vi.hoisted((): string[] => []);
/** The same for those that wait. */
const failuresAtOnce = vi.hoisted((): string[] => []);

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof Files>();
  return {
    ...real,
    link: (from: string, to: string) => (disk.links ? real.link(from, to) : Promise.reject(new Error('no links'))),
    rename: (from: string, to: string) => {
      const code = failures.shift();
      return code === undefined ? real.rename(from, to) : Promise.reject(Object.assign(new Error(code), { code }));
    },
  };
});

/** What no file may be renamed to synchronously, and whether the disk has links. */
const disk = vi.hoisted(() => ({ refuses: '', links: true }));

vi.mock('node:fs', async (original) => {
  const real = await original<typeof AtOnce>();
  return {
    ...real,
    renameSync: (from: string, to: string) => {
      const code = failuresAtOnce.shift();
      if (code !== undefined) throw Object.assign(new Error(code), { code });
      if (disk.refuses !== '' && from.endsWith('.tmp') && to.endsWith(disk.refuses)) throw new Error('refused');
      real.renameSync(from, to);
    },
    // As in Node 24.0 and 24.1 on Windows, where only an open file has the number of its disk.
    fstatSync: (file: number) => Object.assign(real.fstatSync(file), { dev: 3_163_614_271 }),
  };
});

afterEach(() => {
  failures.splice(0);
  failuresAtOnce.splice(0);
  Object.assign(disk, { refuses: '', links: true });
});

test('a rename that the system briefly refuses is retried', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'a');
  failures.push('EPERM', 'EBUSY', 'EACCES');
  await store.snapshot();
  expect(failures).toEqual([]);
  expect(readFileSync(join(folder, 'state.json'), 'utf8')).toContain('"id":"a"');
});

test.for<[what: string, write: (folder: string) => unknown]>([
  ['a snapshot', (folder) => openSnapshotFiles(folder).write('one', ['{}'])],
  ['the token', keptToken],
  [
    'a file that a person names',
    (folder) => writeNamedFile(join(folder, 'world.json'), (path) => writeFile(path, '{}')),
  ],
  ['a list of codes', (folder) => keepBlob(openBlobs(folder))],
  ['all blobs', (folder) => replaceBlobs(openBlobs(folder))],
])('%s is written although the system briefly refuses a rename', async ([, write]) => {
  const folder = newFolder();
  mkdirSync(folder, { recursive: true });
  failures.push('EPERM', 'EBUSY');
  failuresAtOnce.push('EPERM', 'EBUSY');
  await write(folder);
  expect([failures, failuresAtOnce]).toContainEqual([]);
});

test('a reset that the system goes on to refuse says so, and changes nothing', async () => {
  const sandbox = await startSandbox({ dataDir: newFolder() });
  onTestFinished(() => sandbox.close());
  await sandbox.control('POST', '/control/snapshots', { name: 'here' });
  sandbox.emulator.deps.store.blobs.append('codes', 'one', '[]');
  failuresAtOnce.push(...Array.from({ length: 1_000 }, () => 'EPERM'));
  expect(await sandbox.control('POST', '/control/reset', { world: 'demo' })).toMatchObject({
    status: 507,
    body: {
      message: expect.stringMatching(/^The data folder has a file that is open elsewhere, .*Close what has it open, /),
      refusal: { rule: 'control.store' },
    },
  });
  failuresAtOnce.splice(0);
  expect(sandbox.emulator.deps.store.blobs.exists('codes', 'one')).toBe(true);
  expect(await sandbox.control('POST', '/control/reset', { world: 'demo' })).toMatchObject({ status: 204 });
});

async function keepBlob(blobs: Blobs): Promise<void> {
  await blobs.keep(blobs.createTemp('codes'), 'codes', 'one');
}

function replaceBlobs(blobs: Blobs): void {
  blobs.append('codes', 'one', '[]');
  blobs.prepare(blobs.stage(), 1).commit();
}

test('a rename that fails for another reason is reported at once', async () => {
  const store = await open(newFolder());
  put(store, 'a');
  failures.push('EIO', 'not asked for');
  await expect(store.snapshot()).rejects.toThrow('The state could not be saved (EIO). The journal still has');
  expect(failures).toEqual(['not asked for']);
});

test.for([
  { refuses: 'state.json', links: true },
  { refuses: 'state.json', links: false },
  { refuses: 'state.previous.json', links: true },
  { refuses: 'state.previous.json', links: false },
])('a replacement for which a file cannot be renamed changes nothing, now or after a restart: %o', async (refused) => {
  const folder = newFolder();
  const store = await open(folder);
  for (const id of ['a', 'b']) {
    put(store, id);
    await store.snapshot();
  }
  put(store, 'c');
  Object.assign(disk, refused);
  const replaced = store.replace({ ...emptyDocument(), sequence: 9, collections: { settings: [setting('new')] } });
  await expect(replaced).rejects.toThrow('nothing was replaced');
  Object.assign(disk, { refuses: '', links: true });
  put(store, 'later');
  const all = ['a', 'b', 'c', 'later'];
  expect(idsOf(store)).toEqual(all);
  expect(idsOf(await openAsKilled(folder))).toEqual(all);
  // The same past is in the previous copy.
  const broken = copyAsKilled(folder);
  rmSync(join(broken, 'state.json'), { force: true });
  expect(idsOf(await open(broken))).toEqual(all);
  await store.snapshot();
  expect(idsOf(await openAsKilled(folder))).toEqual(all);
});

test('further changes are stored where an open file is of another disk than its name', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'a');
  put(store, 'b');
  const next = await openAsKilled(folder);
  expect(idsOf(next)).toEqual(['a', 'b']);
});
