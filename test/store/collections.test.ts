import { expect, test } from 'vitest';
import type { Setting } from '../../emulator/records.ts';
import { emptyDocument } from '../../emulator/store/store.ts';
import { idsOf, newFolder, open, openAsKilled, put, setting } from './support.ts';

const words = ({ value }: Setting): readonly string[] => String(value).split(' ');

test('records are in order of creation; a replaced one keeps its place, a deleted and stored one comes last', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'a', 'b', 'c', 'd');
  store.transact(() => store.settings.put(setting('a', 'replaced')));
  store.transact(() => store.settings.delete('b'));
  put(store, 'b');
  store.transact(() => {
    store.settings.delete('c');
    store.settings.put(setting('c'));
  });
  expect(idsOf(store)).toEqual(['a', 'd', 'b', 'c']);
  expect(idsOf(await openAsKilled(folder))).toEqual(['a', 'd', 'b', 'c']);
  await store.close();
  expect(idsOf(await open(folder))).toEqual(['a', 'd', 'b', 'c']);
});

test('the order of creation inside one transaction survives', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'old');
  store.transact(() => {
    store.settings.put(setting('new'));
    store.settings.put(setting('old', 'replaced'));
    store.settings.put(setting('fleeting'));
    store.settings.delete('fleeting');
    store.settings.put(setting('newer'));
    store.settings.put(setting('fleeting'));
  });
  expect(idsOf(store)).toEqual(['old', 'new', 'newer', 'fleeting']);
  expect(idsOf(await openAsKilled(folder))).toEqual(['old', 'new', 'newer', 'fleeting']);
});

test('an index is built from what is stored, and follows every put and delete', async () => {
  const store = await open(null);
  store.transact(() => store.settings.put(setting('a', 'red round')));
  const index = store.settings.index('words', words);
  const idsAt = (word: string) => index.get(word).map(({ id }) => id);
  expect([idsAt('red'), idsAt('round'), idsAt('none')]).toEqual([['a'], ['a'], []]);
  store.transact(() => store.settings.put(setting('b', 'red')));
  store.transact(() => store.settings.put(setting('c', 'red red')));
  expect(idsAt('red')).toEqual(['a', 'b', 'c']);
  store.transact(() => {
    store.settings.put(setting('a', 'blue'));
    expect([idsAt('red'), idsAt('blue'), idsAt('round')]).toEqual([['b', 'c'], ['a'], []]);
    store.settings.delete('b');
    expect(idsAt('red')).toEqual(['c']);
  });
  expect(index.get('blue')).toEqual([setting('a', 'blue')]);
});

test('an index is built once per name', async () => {
  const store = await open(null);
  let read = 0;
  const make = () => store.settings.index('words', (record) => (read++, words(record)));
  put(store, 'a');
  const first = make();
  const second = make();
  put(store, 'b');
  expect(read).toBe(2);
  expect(second.get('b')).toEqual(first.get('b'));
});

test('an index that is prepared in slices has what changes meanwhile, and one that is asked for meanwhile is whole', async () => {
  const store = await open(null);
  store.transact(() => {
    for (let n = 0; n < 5_000; n += 1) store.settings.put(setting(`id-${n}`, n % 2 === 0 ? 'even' : 'odd'));
  });
  const preparing = store.settings.prepareIndex('words', words);
  // The first slice is indexed, the last is not yet.
  store.transact(() => {
    for (const id of ['id-0', 'id-4998']) store.settings.put(setting(id, 'changed'));
    for (const id of ['id-2', 'id-4996']) store.settings.delete(id);
    store.settings.put(setting('new', 'even'));
  });
  await preparing;
  let read = 0;
  const index = store.settings.index('words', (record) => (read++, words(record)));
  expect(read).toBe(0);
  const all = [...store.settings.all()];
  for (const word of ['even', 'odd', 'changed'])
    expect(index.get(word)).toEqual(all.filter(({ value }) => value === word));

  const other = store.settings.prepareIndex('ids', ({ id }) => [id]);
  expect(store.settings.index('ids', ({ id }) => [id]).get('id-4999')).toEqual([setting('id-4999', 'odd')]);
  await other;
});

test('an index follows a replacement of everything', async () => {
  const store = await open(null);
  const index = store.settings.index('words', words);
  put(store, 'old');
  await store.replace({ ...emptyDocument(), collections: { settings: [setting('new')] } });
  expect([index.get('old'), index.get('new')]).toEqual([[], [setting('new')]]);
});

test('a tally counts what is stored, and follows puts, deletes, what is reverted and what replaces everything', async () => {
  const store = await open(null);
  store.transact(() => store.settings.put(setting('a', 'red')));
  const count = store.settings.tally('values', ({ value }) => String(value));
  expect([count('red'), count('blue')]).toEqual([1, 0]);
  store.transact(() => {
    store.settings.put(setting('b', 'red'));
    store.settings.put(setting('a', 'blue'));
  });
  expect([count('red'), count('blue')]).toEqual([1, 1]);
  expect(() =>
    store.transact(() => {
      store.settings.delete('b');
      expect(count('red')).toBe(0);
      throw new Error('No.');
    }),
  ).toThrow('No.');
  expect([count('red'), count('blue')]).toEqual([1, 1]);
  const { collections, ...rest } = store.toDocument();
  await store.replace({
    ...rest,
    collections: { ...collections, settings: [setting('c', 'red'), setting('d', 'red')] },
  });
  expect([count('red'), count('blue')]).toEqual([2, 0]);
  store.transact(() => store.settings.delete('c'));
  expect(count('red')).toBe(1);
});

test('ids and keys such as __proto__ are like any other', async () => {
  const folder = newFolder();
  const store = await open(folder);
  const index = store.settings.index('words', words);
  const names = ['__proto__', 'constructor', 'toString'];
  expect(names.map((name) => store.settings.get(name))).toEqual([undefined, undefined, undefined]);
  put(store, ...names);
  store.transact(() => store.settings.put(setting('x', JSON.parse('{"__proto__":{"polluted":true}}'))));
  for (const opened of [store, await openAsKilled(folder)]) {
    expect(idsOf(opened)).toEqual([...names, 'x']);
    expect(Object.keys(opened.settings.get('x')?.value as object)).toEqual(['__proto__']);
  }
  expect(names.map((name) => index.get(name).length)).toEqual([1, 1, 1]);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});
