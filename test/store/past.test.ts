import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, assert, asyncProperty, constant, constantFrom, integer, nat, oneof, option, record } from 'fast-check';
import { expect, test } from 'vitest';
import type { Setting } from '../../emulator/records.ts';
import { openStore, type StateDocument, type Store, type Track } from '../../emulator/store/store.ts';
import { idsOf, newFolder, open, openAsKilled, setting } from './support.ts';

/** What may happen: a transaction of puts and deletes, time that passes, a save, an end of the process, a replacement. */
const act = oneof(
  {
    weight: 8,
    arbitrary: record({
      does: constant('change' as const),
      writes: array(
        record({
          in: constantFrom('settings' as const, 'companies' as const),
          id: constantFrom('a', 'b', 'c', 'd', 'e'),
          value: option(integer({ min: 0, max: 9 })),
        }),
        { minLength: 1, maxLength: 6 },
      ),
    }),
  },
  { weight: 4, arbitrary: record({ does: constant('wait' as const), ms: integer({ min: 1, max: 5 }) }) },
  { weight: 3, arbitrary: record({ does: constantFrom('save' as const, 'restart' as const, 'kill' as const) }) },
  { weight: 1, arbitrary: record({ does: constant('replace' as const), value: nat(9) }) },
  { weight: 2, arbitrary: record({ does: constant('go back' as const), to: nat(1_000) }) },
  { weight: 2, arbitrary: record({ does: constant('undo' as const) }) },
);

type Records = StateDocument['collections'];

/** What there was when, and what it takes to undo the last replacement. */
interface World {
  now: number;
  seen: Map<number, Records>;
  undo: (Omit<World, 'undo'> & { readonly document: StateDocument; readonly track: Track }) | null;
}

/** Without collections that are empty: whether they were ever used is not asked. */
const toComparable = (records: Records | undefined): unknown =>
  records && Object.fromEntries(Object.entries(records).filter(([, list]) => list.length > 0));

function change(
  store: Store,
  writes: readonly { readonly in: 'settings' | 'companies'; id: string; value: number | null }[],
): void {
  store.transact(() => {
    for (const { in: name, id, value } of writes) {
      if (value === null) store[name].delete(id);
      else if (name === 'settings') store.settings.put(setting(id, value));
      else store.companies.put({ id, name: `${value}`, domain: 'x', contactEmail: 'y' });
    }
  });
}

const withSetting = (value: number): StateDocument => ({
  format: 2,
  sequence: 0,
  collections: { settings: [setting('replaced', value)] },
});

test.each(['memory', 'folder'])(
  'the state at any moment equals what it was then, over saves, restarts, kills, and going back: %s',
  async (kind) => {
    const parent = mkdtempSync(join(tmpdir(), 'sandpiper-past-'));
    const left: Store[] = [];
    try {
      await assert(
        asyncProperty(array(act, { maxLength: 30 }), async (acts) => {
          let folder = kind === 'memory' ? null : mkdtempSync(join(parent, 'run-'));
          const world: World = { now: 1_000, seen: new Map(), undo: null };
          const open = async (): Promise<Store> => {
            const opened = await openStore({ dataDir: folder, now: () => world.now });
            opened.past.mark();
            return opened;
          };
          let store = await open();
          change(store, [{ in: 'settings', id: 'first', value: 1 }]);
          world.seen.set(world.now, store.toDocument().collections);
          const replace = async (document: StateDocument, track: Track, to: Omit<World, 'undo'>): Promise<void> => {
            // What nothing led to removes what was.
            const seen = to.seen.size > 0 ? new Map(world.seen) : new Map<number, Records>();
            const undo = { now: world.now, seen, document: store.toDocument(), track: store.past.track() };
            world.now = to.now;
            await store.replace(document, { track, at: to.now });
            Object.assign(world, { seen: new Map(to.seen), undo });
          };
          for (const one of acts) {
            if (one.does === 'wait') world.now += one.ms;
            else if (one.does === 'change') change(store, one.writes);
            else if (one.does === 'save') await store.snapshot();
            else if (one.does === 'replace')
              await replace(withSetting(one.value), [], { now: world.now, seen: new Map() });
            else if (one.does === 'go back') {
              const times = [...world.seen.keys()];
              const time = times[one.to % times.length] ?? 0;
              const moment = await store.past.at(time);
              expect(moment).not.toBeNull();
              if (!moment) return;
              const seen = new Map([...world.seen].filter(([at]) => at <= time));
              await replace({ ...withSetting(0), collections: moment.records }, moment.track, { now: time, seen });
            } else if (one.does === 'undo') {
              if (world.undo) await replace(world.undo.document, world.undo.track, world.undo);
            } else if (folder !== null) {
              world.undo = null;
              if (one.does === 'restart') await store.close();
              else {
                // The files as they are now; the old store stays open until the end.
                left.push(store);
                const copy = mkdtempSync(join(parent, 'run-'));
                cpSync(folder, copy, { recursive: true });
                rmSync(join(copy, 'lock'));
                folder = copy;
              }
              store = await open();
            }
            world.seen.set(world.now, store.toDocument().collections);
          }
          for (const [time, was] of world.seen)
            expect(toComparable((await store.past.at(time))?.records), `at ${time}`).toEqual(toComparable(was));
          const first = Math.min(...world.seen.keys());
          expect([await store.past.earliest(), await store.past.at(first - 1)]).toEqual([first, null]);
          expect(store.notices).toEqual([]);
          await store.close();
        }),
        { numRuns: kind === 'memory' ? 300 : 100 },
      );
    } finally {
      for (const store of left) await store.close().catch(() => {});
      rmSync(parent, { recursive: true, force: true });
    }
  },
);

const filesOf = (folder: string, pattern: RegExp): readonly string[] =>
  readdirSync(folder)
    .filter((name) => pattern.test(name))
    .sort();

/** A folder with ten saves, a second apart, each after a change of 100 KB; and what is known of each second. */
async function tenSaves(lookBackBytes: number): Promise<{ readonly folder: string; readonly store: Store }> {
  const folder = newFolder();
  let second = 0;
  const store = await open(folder, { lookBackBytes, now: () => 1_000 * second });
  for (second = 1; second <= 10; second++) {
    store.transact(() => store.settings.put(setting('large', `${second} ${'x'.repeat(100_000)}`)));
    await store.snapshot();
  }
  return { folder, store };
}

const secondAt = async (store: Store, time: number): Promise<string | null> => {
  const moment = await store.past.at(time);
  const [record] = (moment?.records.settings ?? []) as readonly Setting[];
  return record ? String(record.value).split(' ', 1).join('') : null;
};

test.each(['memory', 'folder'])(
  'after time was set back the first moment that is known is the least one (%s)',
  async (kind) => {
    let now = 10_000;
    const store = await open(kind === 'memory' ? null : newFolder(), { now: () => now });
    const put = (value: string) => store.transact(() => store.settings.put(setting('a', value)));
    put('10');
    expect(await store.past.earliest()).toBe(10_000);
    for (const second of [2, 3]) {
      now = 1_000 * second;
      put(String(second));
      await store.snapshot();
    }
    now = 12_000;
    expect([await store.past.earliest(), await secondAt(store, 2_500), await store.past.at(1_999)]).toEqual([
      2_000,
      '2',
      null,
    ]);
    await store.close();
  },
);

test('over the limit the oldest is removed, and the first moment that is known is later', async () => {
  const { folder, store } = await tenSaves(450_000);
  const earliest = await store.past.earliest();
  expect(earliest).toBeGreaterThanOrEqual(6_000);
  expect(earliest).toBeLessThanOrEqual(9_000);
  expect(await store.past.at(earliest - 1)).toBeNull();
  for (let time = earliest; time <= 10_000; time += 1_000) expect(await secondAt(store, time)).toBe(`${time / 1_000}`);
  const kept = filesOf(folder, /^(?:checkpoint|journal)-/).map((name) => statSync(join(folder, name)).size);
  // With the journals that the previous copy needs.
  expect(kept.reduce((sum, size) => sum + size, 0)).toBeLessThan(450_000 + 210_000);
});

test('with room for it everything is known, and a start reads no more than before', async () => {
  const { folder, store } = await tenSaves(64 * 1024 * 1024);
  await store.close();
  expect(filesOf(folder, /^journal-/)).toHaveLength(10);
  // A start that read them would say that they are damaged.
  for (const name of filesOf(folder, /^journal-[2-8]\./)) appendFileSync(join(folder, name), 'garbage\n');
  const again = await open(folder, { now: () => 10_000 });
  expect(again.notices).toEqual([]);
  expect(await secondAt(again, 1_000)).toBe('1');
  expect(await secondAt(again, 10_000)).toBe('10');
  await expect(again.past.at(4_000)).rejects.toMatchObject({
    message: expect.stringMatching(/needs journal-2\.ndjson, of which a line cannot be read/),
    rule: { id: 'moments.damaged' },
  });
});

test('a journal that lost a line is reported when looking back needs it', async () => {
  const folder = newFolder();
  let time = 1_000;
  const store = await open(folder, { now: () => time });
  for (const id of ['a', 'b', 'c']) {
    store.transact(() => store.settings.put(setting(id)));
    time += 1_000;
  }
  await store.close();
  const path = join(folder, 'journal-1.ndjson');
  const [first, , third] = readFileSync(path, 'utf8').split('\n');
  writeFileSync(path, `${first}\n${third}\n`);
  const again = await open(folder, { now: () => time });
  await expect(again.past.at(3_000)).rejects.toMatchObject({
    message: expect.stringMatching(/needs journal-1\.ndjson, of which a line is missing/),
    rule: { id: 'moments.damaged' },
  });
});

test.skipIf(process.platform === 'win32')(
  'if a checkpoint cannot be kept, nothing is saved, and nothing is lost',
  async () => {
    const folder = newFolder();
    let time = 1_000;
    const store = await open(folder, { now: () => time });
    const add = (id: string): void => {
      store.transact(() => store.settings.put(setting(id)));
      time += 1_000;
    };
    const ids = async (at: number) => (await store.past.at(at))?.records.settings?.map(({ id }) => id);
    add('a');
    await store.replace(withSetting(1));
    add('b');
    // In the place of the link, something that cannot be replaced.
    const [first = ''] = filesOf(folder, /^journal-/);
    const place = join(folder, first.replace('journal', 'checkpoint').replace('.ndjson', '.json'));
    mkdirSync(join(place, 'in the way'), { recursive: true });
    await expect(store.snapshot()).rejects.toThrow(/could not be saved .* The journal still has every change/);
    rmSync(place, { recursive: true });
    expect(idsOf(await openAsKilled(folder))).toEqual(['replaced', 'b']);
    await store.snapshot();
    add('c');
    expect([await ids(2_000), await ids(3_000)]).toEqual([
      ['replaced', 'b'],
      ['replaced', 'b', 'c'],
    ]);
  },
);

test('a state that was edited by hand begins a new past', async () => {
  const folder = newFolder();
  const first = await open(folder, { now: () => 1_000 });
  first.transact(() => first.settings.put(setting('a', 'was')));
  await first.close();
  const path = join(folder, 'state.json');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"was"', '"edited"'));
  const second = await open(folder, { now: () => 2_000 });
  second.transact(() => second.settings.put(setting('b', 1)));
  await second.snapshot();
  expect((await second.past.at(2_000))?.records.settings).toEqual([setting('a', 'edited'), setting('b', 1)]);
  await second.close();
  const third = await open(folder, { now: () => 3_000 });
  expect((await third.past.at(2_000))?.records.settings).toEqual([setting('a', 'edited'), setting('b', 1)]);
});
