import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { collectionNames } from '../../emulator/records.ts';
import { emptyDocument } from '../../emulator/store/store.ts';
import { bundleOf } from '../support/built.ts';
import { copyAsKilled, idsOf, journals, newFolder, now, open, openAsKilled, put, setting } from './support.ts';

const linux = process.platform === 'linux';

/** The names of the files of the state itself. */
function stateFiles(folder: string): string {
  return readdirSync(folder)
    .filter((name) => name.startsWith('state'))
    .sort()
    .join();
}

test('the state file is readable: one record per line, collections and records in a stable order', async () => {
  const folder = newFolder();
  const store = await open(folder);
  store.transact(() => {
    store.settings.put(setting('b', { z: 1, a: [2] }));
    store.settings.put(setting('a', 'text'));
  });
  await store.snapshot();
  const text = readFileSync(join(folder, 'state.json'), 'utf8');
  expect(text).toMatch(
    /"settings":\[\n\{"id":"b","value":\{"z":1,"a":\[2\]\}\},\n\{"id":"a","value":"text"\}\]\n\},"crc":"[0-9a-f]{8}"\}\n$/,
  );
  expect(Object.keys((JSON.parse(text) as { collections: object }).collections)).toEqual(collectionNames);
});

test('only its user can read the folder', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'a');
  await store.snapshot();
  put(store, 'b');
  await store.snapshot();
  put(store, 'c');
  store.blobs.append('codes', 'one', 'text');
  const modeOf = (name: string): string => (statSync(join(folder, name)).mode & 0o777).toString(8);
  expect(modeOf('.')).toBe('700');
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  expect(names).toEqual(
    expect.arrayContaining(['lock', 'state.json', 'state.previous.json', 'journal-3.ndjson', join('blobs', 'codes')]),
  );
  for (const name of names)
    expect(`${name} ${modeOf(name)}`).toBe(`${name} ${statSync(join(folder, name)).isDirectory() ? '700' : '600'}`);
});

test('changes while a snapshot is written are in it or in the journal, never lost', async () => {
  const folder = newFolder();
  const store = await open(folder);
  store.transact(() => {
    for (let n = 0; n < 3000; n++) store.settings.put(setting(`s${n}`, 'x'.repeat(200)));
  });
  const save = { isOver: false };
  const saving = store.snapshot().then(() => (save.isOver = true));
  let n = 0;
  const kills: { readonly files: string; readonly copy: string; readonly expected: string }[] = [];
  while (!save.isOver) {
    put(store, `during-${n++}`);
    store.transact(() => store.settings.put(setting('s7', n)));
    const files = stateFiles(folder);
    // Opened after the save: it would be over before the first was open.
    if (files !== kills.at(-1)?.files || n % 5 === 0)
      kills.push({ files, copy: copyAsKilled(folder), expected: JSON.stringify(store.toDocument()) });
    await setImmediate();
  }
  await saving;
  expect(kills.map(({ files }) => files)).toContain('state.json.tmp');
  for (const { copy, expected } of kills) {
    const killed = await open(copy);
    expect(JSON.stringify(killed.toDocument())).toBe(expected);
    await killed.close();
  }
  expect((await openAsKilled(folder)).toDocument()).toEqual(store.toDocument());
});

test('journals stay until two state files no longer need them, where nothing is kept for looking back', async () => {
  const folder = newFolder();
  const store = await open(folder, { lookBackBytes: 0 });
  const kept: (readonly string[])[] = [];
  for (const id of ['a', 'b', 'c', 'd']) {
    put(store, id);
    await store.snapshot();
    kept.push(journals(folder));
  }
  expect(kept).toEqual([['journal-1.ndjson'], ['journal-2.ndjson'], ['journal-3.ndjson'], ['journal-4.ndjson']]);
});

test('a kill between the two renames of a snapshot loses nothing', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'a');
  await store.snapshot();
  put(store, 'b');
  await store.snapshot();
  put(store, 'c');
  rmSync(join(folder, 'state.json'));
  const killed = await openAsKilled(folder);
  expect(idsOf(killed)).toEqual(['a', 'b', 'c']);
  put(killed, 'd');
  await killed.snapshot();
  const again = await openAsKilled(killed.dataDir ?? '');
  expect([idsOf(again), again.notices]).toEqual([['a', 'b', 'c', 'd'], []]);
});

test('a kill before old journals are dropped changes nothing', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'a');
  const old = readFileSync(join(folder, 'journal-1.ndjson'));
  store.transact(() => store.settings.delete('a'));
  await store.snapshot();
  put(store, 'b');
  await store.snapshot();
  writeFileSync(join(folder, 'journal-1.ndjson'), old);
  expect(idsOf(await openAsKilled(folder))).toEqual(['b']);
});

test('a snapshot is taken automatically after a number of lines, including those of the last run', async () => {
  const folder = newFolder();
  const store = await open(folder, { snapshotAfterLines: 4 });
  put(store, 'a', 'b');
  const killed = await openAsKilled(folder);
  const copy = killed.dataDir ?? '';
  await killed.close();
  rmSync(join(copy, 'state.json'));
  const again = await open(copy, { snapshotAfterLines: 4 });
  put(again, 'c');
  await setImmediate();
  expect(existsSync(join(copy, 'state.json'))).toBe(false);
  put(again, 'd');
  await expect.poll(() => existsSync(join(copy, 'state.json'))).toBe(true);
  expect(JSON.parse(readFileSync(join(copy, 'state.json'), 'utf8'))).toMatchObject({
    collections: { settings: ['a', 'b', 'c', 'd'].map((id) => setting(id)) },
  });
});

test('a large state is written again only after twice as many bytes of the journal as it has itself', async () => {
  const folder = newFolder();
  const store = await open(folder, { snapshotAfterLines: 4 });
  const large = (id: string) => store.transact(() => store.settings.put({ id, value: 'a'.repeat(20_000) }));
  // A save begins with a new journal, which the next change creates.
  const journals = () => readdirSync(folder).filter((name) => name.startsWith('journal-'));
  large('large');
  await store.snapshot();
  put(store, 'first');
  const before = journals();
  for (let n = 0; n < 40; n++) {
    put(store, `small-${n}`);
    await setImmediate();
  }
  large('other');
  await setImmediate();
  expect(journals()).toEqual(before);
  large('third');
  await expect.poll(() => readFileSync(join(folder, 'state.json'), 'utf8')).toContain('small-39');
  expect((await openAsKilled(folder)).settings.size).toBe(44);
});

test('a few lines of many bytes are saved like many short ones', async () => {
  const folder = newFolder();
  const store = await open(folder, { snapshotAfterBytes: 50_000 });
  const large = (id: string) => store.transact(() => store.settings.put({ id, value: 'a'.repeat(20_000) }));
  const state = join(folder, 'state.json');
  large('first');
  large('second');
  await setImmediate();
  expect(existsSync(state)).toBe(false);
  large('third');
  await expect.poll(() => existsSync(state)).toBe(true);
  expect(readFileSync(state, 'utf8')).toContain('third');
});

test.skipIf(!linux)('an automatic snapshot that fails is a notice; the journal continues', async () => {
  const folder = newFolder();
  const store = await open(folder, { snapshotAfterLines: 2 });
  symlinkSync('/dev/full', join(folder, 'state.json.tmp'));
  put(store, 'a', 'b', 'c');
  await expect.poll(() => store.notices).toEqual([expect.stringContaining('could not be saved (')]);
  expect(store.notices[0]).toContain('ENOSPC');
  expect(idsOf(await openAsKilled(folder))).toEqual(['a', 'b', 'c']);
  // The incomplete file is removed, and with it the obstacle.
  await store.snapshot();
  expect(idsOf(await openAsKilled(folder))).toEqual(['a', 'b', 'c']);
});

test.skipIf(!linux)('a snapshot that is two bytes short on a full disk does not become the state', () => {
  const folder = newFolder();
  const child = spawnSync(
    'sh',
    [
      '-c',
      'ulimit -f 2048 && exec "$0" "$@"',
      process.execPath,
      fileURLToPath(bundleOf('test/store/limited-child.ts')),
      folder,
      String(2048 * 512),
    ],
    { encoding: 'utf8' },
  );
  expect(child.stderr).toBe('');
  expect(JSON.parse(child.stdout)).toEqual({
    saved: 'write-failed',
    written: 'write-failed',
    after: ['pad', 'small'],
    notices: [],
  });
});

test('closing saves, releases the lock, and may be repeated', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'a');
  await store.close();
  await store.close();
  expect(readdirSync(folder).sort()).toEqual(['journal-1.ndjson', 'state.json']);
  expect(readFileSync(join(folder, 'state.json'), 'utf8')).toContain('{"id":"a","value":"a"}');
});

test.skipIf(!linux)('closing releases the lock even if the last save fails', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'a');
  symlinkSync('/dev/full', join(folder, 'state.json.tmp'));
  await expect(store.close()).rejects.toThrow('ENOSPC');
  expect(idsOf(await open(folder))).toEqual(['a']);
});

test('a replacement is atomic: a kill in the hook before it leaves the old state, in the hook after it the new one', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'old');
  const seen: Promise<readonly string[]>[] = [];
  const look = (): void => void seen.push(openAsKilled(folder).then(idsOf));
  await store.replace(
    { ...emptyDocument(), collections: { settings: [setting('new')] } },
    { ready: () => Promise.resolve(), before: look, after: look },
  );
  expect(await Promise.all(seen)).toEqual([['old'], ['new']]);
});

test('a replacement whose hook throws does not happen', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'old');
  const throwing = {
    before: () => {
      throw new Error('not now');
    },
  };
  await expect(store.replace({ ...emptyDocument(), sequence: 9 }, throwing)).rejects.toThrow('not now');
  put(store, 'older');
  expect([idsOf(store), store.toDocument().sequence]).toEqual([['old', 'older'], 0]);
  expect(idsOf(await openAsKilled(folder))).toEqual(['old', 'older']);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('a state file that breaks after a replacement does not restore the replaced state', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'old');
  await store.snapshot();
  put(store, 'older');
  await store.replace({ ...emptyDocument(), sequence: 3, collections: { settings: [setting('new')] } });
  put(store, 'newer');
  writeFileSync(join(folder, 'state.json'), '{');
  const opened = await openAsKilled(folder);
  expect([idsOf(opened), opened.toDocument().sequence]).toEqual([['new', 'newer'], 3]);
});

test.skipIf(!linux)('a replacement that cannot be saved says so, and nothing is replaced', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'old');
  symlinkSync('/dev/full', join(folder, 'state.json.tmp'));
  const refused = store.replace({ ...emptyDocument(), collections: { settings: [setting('new')] } });
  await expect(refused).rejects.toMatchObject({
    code: 'write-failed',
    message: expect.stringContaining('nothing was replaced'),
  });
  put(store, 'older');
  expect(idsOf(store)).toEqual(['old', 'older']);
  await store.close();
  expect(idsOf(await open(folder))).toEqual(['old', 'older']);
});

test('without a folder nothing is written', async () => {
  const store = await open(null);
  put(store, 'a');
  await store.snapshot();
  await store.replace(store.toDocument());
  expect([store.dataDir, store.notices, idsOf(store)]).toEqual([null, [], ['a']]);
});

test('with fsync every line is written as well', async () => {
  const folder = newFolder();
  const store = await open(folder, { fsync: true });
  put(store, 'a', 'b');
  expect(idsOf(await openAsKilled(folder))).toEqual(['a', 'b']);
});

test('simultaneous saves run one after the other, and each is complete', async () => {
  const folder = newFolder();
  mkdirSync(folder, { mode: 0o700 });
  const store = await open(folder, { now });
  put(store, 'a');
  const first = store.snapshot();
  put(store, 'b');
  const second = store.snapshot();
  put(store, 'c');
  await Promise.all([first, second]);
  expect(existsSync(join(folder, 'state.json.tmp'))).toBe(false);
  expect(idsOf(await openAsKilled(folder))).toEqual(['a', 'b', 'c']);
});
