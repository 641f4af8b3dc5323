import { readFileSync, symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Store } from '../../emulator/store/store.ts';
import { copyAsKilled, idsOf, linesOf, newFolder, open, openAsKilled, put, setting } from './support.ts';

const putInGroup = (store: Store, ...ids: readonly string[]): void => {
  for (const id of ids)
    store.transactInGroup(() => {
      store.nextNumber();
      store.settings.put(setting(id));
    });
};

/** After two in one turn, the next ones are expected to come together too. */
async function busy(store: Store): Promise<void> {
  putInGroup(store, 'first', 'second');
  await store.written();
  await setImmediate();
}

test('a change that is alone in its turn is in the journal at once', async () => {
  const folder = newFolder();
  const store = await open(folder);
  putInGroup(store, 'a');
  expect(store.written()).toBeNull();
  expect(linesOf(folder, 'journal-1.ndjson')).toHaveLength(1);
  await setImmediate();
  putInGroup(store, 'b');
  expect(store.written()).toBeNull();
  expect(linesOf(folder, 'journal-1.ndjson')).toHaveLength(2);
});

test('changes of one turn are written together at its end, and listeners are called only then', async () => {
  const folder = newFolder();
  const store = await open(folder);
  await busy(store);
  const heard: string[] = [];
  store.onCommit((changes) => heard.push(...changes.map(({ id }) => id)));
  putInGroup(store, 'a', 'b', 'c');
  expect(idsOf(store)).toEqual(['first', 'second', 'a', 'b', 'c']);
  expect(heard).toEqual([]);
  const killed = copyAsKilled(folder);
  await store.written();
  expect(heard).toEqual(['a', 'b', 'c']);
  expect(store.written()).toBeNull();
  expect(idsOf(await open(killed))).toEqual(['first', 'second']);
  expect(idsOf(await openAsKilled(folder))).toEqual(['first', 'second', 'a', 'b', 'c']);
});

test('a change outside the group, a snapshot and a copy of the state write the group first', async () => {
  const folder = newFolder();
  const store = await open(folder);
  await busy(store);
  const heard: string[] = [];
  store.onCommit((changes) => heard.push(...changes.map(({ id }) => id)));
  putInGroup(store, 'a', 'b');
  put(store, 'c');
  expect(heard).toEqual(['a', 'b', 'c']);
  putInGroup(store, 'd', 'e');
  store.toDocument();
  expect(store.written()).toBeNull();
  putInGroup(store, 'f');
  await store.snapshot();
  expect(store.written()).toBeNull();
  expect(readFileSync(join(folder, 'state.json'), 'utf8')).toContain('{"id":"f","value":"f"}');
  expect(idsOf(await openAsKilled(folder))).toEqual(['first', 'second', 'a', 'b', 'c', 'd', 'e', 'f']);
});

test.skipIf(process.platform !== 'linux')(
  'if the disk refuses, the whole group is put back, and each that waits for it gets the error',
  async () => {
    const folder = newFolder();
    const store = await open(folder);
    await busy(store);
    await store.snapshot();
    symlinkSync('/dev/full', join(folder, 'journal-2.ndjson'));
    const before = JSON.stringify(store.toDocument());
    const heard: string[] = [];
    store.onCommit((changes) => heard.push(...changes.map(({ id }) => id)));
    store.transactInGroup(() => store.settings.put(setting('first', 'changed')));
    const one = store.written();
    store.transactInGroup(() => store.settings.put(setting('first', 'changed again')));
    store.transactInGroup(() => store.settings.delete('second'));
    putInGroup(store, 'third');
    const other = store.written();
    await expect(one).rejects.toMatchObject({ code: 'write-failed', message: expect.stringContaining('ENOSPC') });
    await expect(other).rejects.toMatchObject({ code: 'write-failed' });
    expect(JSON.stringify(store.toDocument())).toBe(before);
    expect(heard).toEqual([]);
    unlinkSync(join(folder, 'journal-2.ndjson'));
    putInGroup(store, 'fourth');
    await store.written();
    expect(idsOf(await openAsKilled(folder))).toEqual(['first', 'second', 'fourth']);
  },
);

test('work that throws is not part of the group', async () => {
  const folder = newFolder();
  const store = await open(folder);
  await busy(store);
  putInGroup(store, 'a');
  expect(() =>
    store.transactInGroup(() => {
      store.settings.put(setting('a', 'changed'));
      store.settings.put(setting('b'));
      throw new Error('no');
    }),
  ).toThrow('no');
  await store.written();
  expect((await openAsKilled(folder)).settings.get('a')).toEqual(setting('a'));
  expect(idsOf(store)).toEqual(['first', 'second', 'a']);
});
