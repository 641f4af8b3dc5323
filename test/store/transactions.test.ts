import { symlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { StoreError } from '../../emulator/store/store.ts';
import { idsOf, journals, linesOf, newFolder, open, openAsKilled, put, setting } from './support.ts';

test('a transaction returns its result and what it changed', async () => {
  const store = await open(null);
  put(store, 'kept', 'gone');
  const { result, changes } = store.transact(() => {
    store.settings.put(setting('new'));
    store.settings.put(setting('kept', 2));
    store.settings.delete('gone');
    return 'done';
  });
  expect(result).toBe('done');
  expect(changes).toEqual([
    { collection: 'settings', id: 'new', before: null, after: setting('new') },
    { collection: 'settings', id: 'kept', before: setting('kept'), after: setting('kept', 2) },
    { collection: 'settings', id: 'gone', before: setting('gone'), after: null },
  ]);
});

test('successive changes of one record are one change, from the first before to the last after', async () => {
  const store = await open(null);
  put(store, 'a');
  const { changes } = store.transact(() => {
    store.settings.put(setting('a', 1));
    store.settings.put(setting('a', 2));
    store.settings.put(setting('passing'));
    store.settings.delete('passing');
  });
  expect(changes).toEqual([{ collection: 'settings', id: 'a', before: setting('a'), after: setting('a', 2) }]);
});

test('work that throws changes nothing: records, order, indexes and sequence are as before', async () => {
  const folder = newFolder();
  const store = await open(folder);
  const byValue = store.settings.index('value', ({ value }) => [String(value)]);
  put(store, 'a', 'b', 'c');
  store.transact(() => store.nextNumber());
  const before = JSON.stringify(store.toDocument());
  const lines = linesOf(folder, 'journal-1.ndjson');
  const failure = new Error('no');
  expect(() =>
    store.transact(() => {
      store.nextNumber();
      store.settings.put(setting('b', 'changed'));
      store.settings.delete('a');
      store.settings.put(setting('a', 'again'));
      store.settings.put(setting('d'));
      throw failure;
    }),
  ).toThrow(failure);
  expect(JSON.stringify(store.toDocument())).toBe(before);
  expect(['a', 'b', 'c', 'd', 'changed', 'again'].map((key) => byValue.get(key).length)).toEqual([1, 1, 1, 0, 0, 0]);
  expect(linesOf(folder, 'journal-1.ndjson')).toEqual(lines);
});

test('a transaction inside another is part of it: one line, and reverted with it', async () => {
  const folder = newFolder();
  const store = await open(folder);
  const { changes } = store.transact(() => {
    store.settings.put(setting('outer'));
    expect(store.transact(() => store.settings.put(setting('inner'))).changes).toEqual([]);
  });
  expect(changes.map(({ id }) => id)).toEqual(['outer', 'inner']);
  expect(linesOf(folder, 'journal-1.ndjson')).toHaveLength(1);
  expect(() =>
    store.transact(() => {
      store.transact(() => store.settings.put(setting('lost')));
      throw new Error('no');
    }),
  ).toThrow('no');
  expect(idsOf(store)).toEqual(['outer', 'inner']);
});

test('an inner transaction that fails leaves nothing, even if the outer one goes on', async () => {
  const store = await open(null);
  store.transact(() => {
    store.settings.put(setting('a', 1));
    store.nextNumber();
    expect(() =>
      store.transact(() => {
        store.settings.put(setting('a', 2));
        store.settings.put(setting('b'));
        store.nextNumber();
        throw new Error('no');
      }),
    ).toThrow('no');
    store.settings.put(setting('c'));
  });
  expect(store.toDocument()).toMatchObject({
    sequence: 1,
    collections: { settings: [setting('a', 1), setting('c')] },
  });
});

test('work that returns a promise is refused, in an inner transaction, too', async () => {
  const store = await open(null);
  const later = (): Promise<void> => {
    store.settings.put(setting('a'));
    return Promise.resolve();
  };
  expect(() => store.transact(later)).toThrow('must be synchronous');
  expect(() => store.transact(() => void store.transact(later))).toThrow('must be synchronous');
  expect(store.settings.size).toBe(0);
});

test('records and numbers change inside a transaction only', async () => {
  const store = await open(null);
  expect(() => store.settings.put(setting('a'))).toThrow('only inside store.transact');
  put(store, 'a');
  expect(() => store.settings.delete('a')).toThrow('only inside store.transact');
  expect(() => store.nextNumber()).toThrow('only inside store.transact');
  expect(idsOf(store)).toEqual(['a']);
});

test('deleting a missing record changes nothing and writes nothing', async () => {
  const folder = newFolder();
  const store = await open(folder);
  expect(store.transact(() => store.settings.delete('nobody')).changes).toEqual([]);
  expect(store.transact(() => 1).changes).toEqual([]);
  expect(journals(folder)).toEqual([]);
});

test('a transaction is one line in the journal when it returns, and listeners are called only then', async () => {
  const folder = newFolder();
  const store = await open(folder);
  const told: number[] = [];
  const stop = store.onCommit((changes) => told.push(changes.length, linesOf(folder, 'journal-1.ndjson').length));
  store.transact(() => {
    for (const id of ['a', 'b', 'c']) store.settings.put(setting(id));
    expect(told).toEqual([]);
  });
  expect(told).toEqual([3, 1]);
  expect(idsOf(await openAsKilled(folder))).toEqual(['a', 'b', 'c']);
  stop();
  put(store, 'd');
  expect(told).toEqual([3, 1]);
});

test('numbers are never issued twice: not after a delete, a failed transaction or a restart', async () => {
  const folder = newFolder();
  const store = await open(folder);
  const next = (of = store): number => of.transact(() => of.nextNumber()).result;
  expect([next(), next()]).toEqual([1, 2]);
  store.transact(() => store.settings.put(setting(String(store.nextNumber()))));
  store.transact(() => store.settings.delete('3'));
  const killed = await openAsKilled(folder);
  expect(next(killed)).toBe(4);
  await store.close();
  expect(next(await open(folder))).toBe(4);
});

test.skipIf(process.platform !== 'linux')('a disk that refuses the line reverts everything and says so', async () => {
  const folder = newFolder();
  const store = await open(folder);
  const listener = vi.fn<() => void>();
  store.onCommit(listener);
  // Accepts no byte, like a full disk.
  symlinkSync('/dev/full', join(folder, 'journal-1.ndjson'));
  const failing = () =>
    store.transact(() => {
      store.nextNumber();
      store.settings.put(setting('a'));
    });
  expect(failing).toThrow(StoreError);
  expect(store.toDocument()).toMatchObject({ sequence: 0, collections: { settings: [] } });
  expect(listener).not.toHaveBeenCalled();
  unlinkSync(join(folder, 'journal-1.ndjson'));
  put(store, 'b');
  expect(idsOf(await openAsKilled(folder))).toEqual(['b']);
});

test('a record that cannot be written as JSON is reported as such, not as a full disk', async () => {
  const store = await open(newFolder());
  expect(() => store.transact(() => store.settings.put(setting('a', 1n)))).toThrow(TypeError);
  expect(store.settings.size).toBe(0);
});

test('a closed store accepts no changes', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'a');
  await store.close();
  const closed = expect.objectContaining({ code: 'closed' });
  expect(() => put(store, 'b')).toThrow(closed);
  await expect(store.snapshot()).rejects.toEqual(closed);
  await expect(store.replace(store.toDocument())).rejects.toEqual(closed);
  await store.close();
  expect(idsOf(await open(folder))).toEqual(['a']);
});
