import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRecordCheck } from '../../emulator/records/misfit.ts';
import type { Store } from '../../emulator/store/store.ts';
import { act, opened } from '../support/world.ts';
import { journals, newFolder, open, openAsKilled } from './support.ts';

/** A data folder of an early version after a kill: a state, and later journals. */
const fixture = join(import.meta.dirname, '../fixtures/data-0.1.0');

function copied(without: readonly string[] = []): string {
  const folder = newFolder();
  mkdirSync(folder);
  cpSync(fixture, folder, { recursive: true });
  for (const name of without) rmSync(join(folder, name));
  return folder;
}

/** Address and type of every subscription of a person with an address. */
function subscriptionsOf(store: Store, address: string): readonly string[] {
  const user = [...store.users.all()].find(({ addresses }) => addresses.some(({ value }) => value === address));
  return [...store.subscriptions.all()]
    .filter(({ userId }) => userId === user?.id)
    .map((one) => `${one.address} ${one.type}: ${one.status}`);
}

function expectEverything(store: Store): void {
  expect(store.users.size).toBe(7);
  expect(subscriptionsOf(store, 'ada@example.com')).toEqual([
    '+15555550100 MARKETING: subscribed',
    'ada@example.com MARKETING: subscribed',
  ]);
  // The person had two phones and two emails, and events named the first ones.
  expect(subscriptionsOf(store, '+15555550178')).toEqual([
    '+15555550177 MARKETING: subscribed',
    'joan@example.com MARKETING: subscribed',
    '+15555550177 TRANSACTIONAL: subscribed',
    'joan@example.com TRANSACTIONAL: subscribed',
  ]);
  expect(subscriptionsOf(store, 'grace@example.com')).toEqual(['grace@example.com MARKETING: unsubscribed']);
  expect(subscriptionsOf(store, 'lin@example.com')).toEqual(['+15555550180 MARKETING: subscribed']);
  // Only the journal had these.
  expect(subscriptionsOf(store, 'journal@example.com')).toHaveLength(2);
  expect(subscriptionsOf(store, '+15555550101').every((one) => one.endsWith('unsubscribed'))).toBe(true);
  expect(store.privacyRequests.size).toBe(1);
  expect([store.events.size, store.attributeValues.size, store.webhooks.size]).toEqual([1, 1, 1]);
  expect(store.messages.size).toBeGreaterThan(3);
}

test('a data folder of an early version is opened with everything in it, and its old files are kept', async () => {
  const folder = copied();
  const store = await open(folder);
  expectEverything(store);
  const check = await createRecordCheck(store.definitions);
  for (const name of store.names)
    for (const record of store.collection(name).all()) expect(check(name, record)).toBe(null);
  expect(store.notices.join()).toContain('older Sandpiper');
  const aside = readdirSync(folder).find((name) => name.startsWith('format-1-')) ?? '';
  expect(readFileSync(join(folder, aside, 'state.json'))).toEqual(readFileSync(join(fixture, 'state.json')));
  expect(existsSync(join(folder, aside, 'journal-2.ndjson'))).toBe(true);
});

/** What the files of the fixture hold, read without a store: the state, and then the journal that it does not include. */
function recordsInFiles(): ReadonlyMap<string, ReadonlyMap<string, object>> {
  type Records = { readonly [collection: string]: readonly { readonly id: string }[] };
  type Line = { readonly put?: Records; readonly del?: { readonly [collection: string]: readonly string[] } };
  const state = JSON.parse(readFileSync(join(fixture, 'state.json'), 'utf8')) as { readonly collections: Records };
  const lines = readFileSync(join(fixture, 'journal-2.ndjson'), 'utf8').trim().split('\n');
  const found = new Map<string, Map<string, object>>();
  const put = (records: Records): void => {
    for (const [name, all] of Object.entries(records)) {
      const known = found.get(name) ?? new Map<string, object>();
      for (const record of all) known.set(record.id, record);
      found.set(name, known);
    }
  };
  put(state.collections);
  for (const line of lines.map((text) => JSON.parse(text) as Line)) {
    put(line.put ?? {});
    for (const [name, ids] of Object.entries(line.del ?? {})) for (const id of ids) found.get(name)?.delete(id);
  }
  return found;
}

/** The id of a subscription ends with its address since. */
const earlierId = (name: string, id: string): string =>
  name === 'subscriptions' ? id.split(':').slice(0, 3).join(':') : id;

/** Collections that gained or changed fields since; all others are as they were, field by field. */
const reshaped = ['users', 'subscriptions'];

test('every record of every collection of an early version is there, under its id', async () => {
  const store = await open(copied());
  const files = recordsInFiles();
  expect([...files.values()].filter(({ size }) => size > 0).length).toBeGreaterThan(12);
  for (const [name, records] of files) {
    const opened = new Map(
      [...store.collection(name as 'users').all()].map((record) => [earlierId(name, record.id), record]),
    );
    expect([name, [...opened.keys()].sort()]).toEqual([name, [...records.keys()].sort()]);
    if (reshaped.includes(name)) continue;
    for (const [id, record] of records) expect(opened.get(id), `${name} ${id}`).toMatchObject(record);
  }
});

test('it is saved in the new format before anything else, so that a kill after the first change loses nothing', async () => {
  const folder = copied();
  const store = await open(folder);
  expect(JSON.parse(readFileSync(join(folder, 'state.json'), 'utf8'))).toMatchObject({ format: 2 });
  expect(journals(folder)).toEqual([]);
  store.transact(() => store.settings.put({ id: 'later', value: 1 }));
  const again = await openAsKilled(folder);
  expectEverything(again);
  expect(again.settings.get('later')).toEqual({ id: 'later', value: 1 });
  expect(again.notices).toEqual([]);
});

test('a folder of an early version whose state was never saved is opened from its journals alone', async () => {
  const store = await open(copied(['state.json']));
  expectEverything(store);
});

test('a snapshot of an early version is restored with everything in it', async () => {
  const dataDir = copied();
  const sandbox = await opened({ dataDir });
  await act(sandbox, 'POST', '/control/reset', { world: 'empty' });
  await act(sandbox, 'POST', '/control/snapshots/before/restore', { mode: 'replace' });
  expectEverything(sandbox.emulator.deps.store);
});
