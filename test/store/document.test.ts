import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { atOnce } from '../../emulator/time/slices.ts';
import { emptyDocument, toDocument, type StateDocument } from '../../emulator/store/store.ts';
import { idsOf, newFolder, open, openAsKilled, put, setting } from './support.ts';

const refused: readonly (readonly [string, unknown, string])[] = [
  ['a list', [], 'not a JSON object'],
  ['null', null, 'not a JSON object'],
  ['no format', { sequence: 0, collections: {} }, '"format" is not a whole number'],
  ['a broken sequence', { format: 1, sequence: 1.5, collections: {} }, '"sequence" is not a whole number'],
  ['a sequence below 0', { format: 1, sequence: -1, collections: {} }, '"sequence" is not a whole number'],
  ['a sequence above 2^52', { ...emptyDocument(), sequence: 2 ** 52 + 1 }, '"sequence" is 4503599627370497, above'],
  [
    'an id of a number above 2^52',
    { ...emptyDocument(), collections: { deliveries: [{ id: `dlv_${2 ** 52 + 1}` }] } },
    'the id "dlv_4503599627370497" in "deliveries"',
  ],
  ['no collections', { format: 1, sequence: 0 }, '"collections" is not an object'],
  ['an unknown collection', { ...emptyDocument(), collections: { wombats: [] } }, 'there is no collection "wombats"'],
  ['__proto__', JSON.parse('{"format":1,"sequence":0,"collections":{"__proto__":[]}}'), 'no collection "__proto__"'],
  ['a collection that is not a list', { ...emptyDocument(), collections: { users: {} } }, '"users" is not a list'],
  ['no record', { ...emptyDocument(), collections: { users: [null] } }, 'record 0 of "users" has no id'],
  ['a numeric id', { ...emptyDocument(), collections: { users: [{ id: 1 }] } }, 'record 0 of "users" has no id'],
  [
    'an id twice',
    { ...emptyDocument(), collections: { users: [{ id: 'a' }, { id: 'a' }] } },
    'two records with the id "a"',
  ],
];

test.for(refused)('a document with %s is refused by name, and nothing is replaced', async ([, document, message]) => {
  const store = await open(null);
  put(store, 'a');
  expect(() => atOnce(toDocument(document))).toThrow(message);
  await expect(store.replace(document as StateDocument)).rejects.toMatchObject({ code: 'invalid-document' });
  expect(idsOf(store)).toEqual(['a']);
});

test('a document of a newer format is refused with that format', () => {
  expect(() => atOnce(toDocument({ format: 3, sequence: 0, collections: {} }))).toThrow(
    expect.objectContaining({ code: 'newer-format', message: expect.stringContaining('format 3') }),
  );
});

test('a replacement is complete, reported once, and on the disk when it resolves', async () => {
  const folder = newFolder();
  const store = await open(folder);
  put(store, 'old', 'older');
  let told = 0;
  const stop = store.onReplace(() => (told += 1));
  const document = { ...emptyDocument(), sequence: 7, collections: { settings: [setting('b'), setting('a')] } };
  await store.replace(document);
  expect(told).toBe(1);
  await store.replace(document);
  expect(readdirSync(folder).filter((name) => name.endsWith('.tmp'))).toEqual([]);
  expect(store.toDocument()).toMatchObject(document);
  const killed = await openAsKilled(folder);
  expect(killed.toDocument()).toEqual(store.toDocument());
  expect(killed.transact(() => killed.nextNumber()).result).toBe(8);
  stop();
  await store.replace(emptyDocument());
  expect(told).toBe(2);
});

test('the document of a store can be loaded into another', async () => {
  const one = await open(null);
  const other = await open(null);
  put(one, 'a', 'b');
  await other.replace(JSON.parse(JSON.stringify(one.toDocument())) as StateDocument);
  expect(other.toDocument()).toEqual(one.toDocument());
});

test('nothing is replaced in the middle of a transaction', async () => {
  const store = await open(null);
  let replacing: Promise<void> = Promise.resolve();
  store.transact(() => {
    store.settings.put(setting('a'));
    replacing = store.replace(emptyDocument());
    replacing.catch(() => {});
  });
  await expect(replacing).rejects.toThrow('inside a transaction');
  expect(idsOf(store)).toEqual(['a']);
});

test('a state file whose sequence is smaller than its ids issues none of them again', async () => {
  const folder = newFolder();
  const store = await open(folder);
  await store.replace({ ...emptyDocument(), sequence: 1, collections: { settings: [setting('dlv_41')] } });
  expect(store.transact(() => store.nextNumber()).result).toBe(42);
  await store.close();
  const path = join(folder, 'state.json');
  const text = readFileSync(path, 'utf8');
  expect(text).toContain('"sequence":42');
  writeFileSync(path, text.replace('"sequence":42', '"sequence":1'));
  const edited = await open(folder);
  expect(edited.transact(() => edited.nextNumber()).result).toBe(42);
});
