import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { array, assert, asyncProperty, constant, constantFrom, integer, nat, oneof, option, record } from 'fast-check';
import { expect, test } from 'vitest';
import { openStore, type StateDocument, type Store, type Track } from '../../emulator/store/store.ts';
import { setting } from './support.ts';

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
