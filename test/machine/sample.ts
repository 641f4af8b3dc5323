/** A table like the catalog upload's and a store in memory, for the tests of the machine itself. */
import type { Source, Stateful } from '../../emulator/records.ts';
import { defineTable, enter } from '../../emulator/machine/table.ts';
import { createLifecycle, type Lifecycle, type LifecycleOptions } from '../../emulator/machine/lifecycle.ts';
import { createClock, type Clock } from '../../emulator/time/clock.ts';

export type State = 'initialized' | 'validating' | 'validated' | 'completed' | 'expired' | 'save_failed';
export type Event = 'fileReceived' | 'expire' | 'checked' | 'save' | 'failSave';

export interface Upload extends Stateful<State> {
  readonly validateOnly: boolean;
  readonly expiresAt: string | null;
  readonly lines: number | null;
}

export const source: Source = { provenance: 'documented', section: 'section 3' };
export const start = Date.parse('2025-01-01T00:00:00.000Z');

const saving = (record: Upload): string | null => (record.validateOnly ? 'no data is saved when validateOnly' : null);

export const table = defineTable<State, Event, Upload>({
  kind: 'upload',
  initial: 'initialized',
  states: ['initialized', 'validating', 'validated', 'completed', 'expired', 'save_failed'],
  rows: [
    {
      from: 'initialized',
      event: 'fileReceived',
      to: 'validating',
      by: ['call'],
      why: 'The file was received.',
      source,
    },
    {
      from: 'initialized',
      event: 'expire',
      to: 'expired',
      by: ['clock', 'hand'],
      until: (record) => record.expiresAt,
      why: 'The file did not come in time.',
      source,
    },
    {
      from: 'validating',
      event: 'checked',
      to: 'validated',
      by: ['clock', 'work', 'hand'],
      after: { name: 'check', realistic: 2_000 },
      when: (record) => (record.lines === null ? 'the file is not checked yet' : null),
      why: 'The file was checked.',
      source,
    },
    {
      from: 'validated',
      event: 'save',
      to: 'completed',
      by: ['clock', 'hand'],
      after: { name: 'save', realistic: 10_000 },
      when: saving,
      why: 'The catalog was saved.',
      source,
    },
    {
      from: 'validated',
      event: 'failSave',
      to: 'save_failed',
      by: ['hand'],
      when: saving,
      why: 'The save failed.',
      source,
    },
    { from: 'save_failed', event: 'save', to: 'completed', by: ['hand'], why: 'The operator saved it.', source },
  ],
});

export function upload(id: string, fields: Partial<Upload> = {}, at = start): Upload {
  const entered = enter(table, { by: 'call', at: new Date(at).toISOString(), why: 'The upload was initiated.' });
  return { id, validateOnly: false, expiresAt: null, lines: null, ...entered, ...fields };
}

/** A store in memory whose transactions are undone by a throw and join the outer one. */
export function createMemoryStore() {
  let records = new Map<string, Upload>();
  let depth = 0;
  return {
    transact<T>(work: () => T): { readonly result: T } {
      const before = new Map(records);
      depth += 1;
      try {
        return { result: work() };
      } catch (error) {
        if (depth === 1) records = before;
        throw error;
      } finally {
        depth -= 1;
      }
    },
    written: () => null,
    collection: {
      get: (id: string) => records.get(id),
      put(record: Upload) {
        if (depth === 0) throw new Error('A put outside a transaction.');
        records.set(record.id, record);
      },
      all: () => records.values(),
    },
    replace: (next: readonly Upload[]) => (records = new Map(next.map((record) => [record.id, record]))),
  };
}

export interface Bench {
  readonly clock: Clock;
  readonly store: ReturnType<typeof createMemoryStore>;
  readonly lifecycle: Lifecycle<Event, Upload>;
  readonly get: (id: string) => Upload;
  /** The delays by name, to be changed by the test; a name that is missing is manual. */
  readonly pace: { check?: number; save?: number };
}

/** A lifecycle on a clock that is frozen at `start` and moves only by hand. */
export function bench(
  options: Partial<LifecycleOptions<State, Event, Upload>> & { store?: Bench['store']; clock?: Clock } = {},
): Bench {
  const store = options.store ?? createMemoryStore();
  const clock = options.clock ?? createClock({ wall: () => start });
  const pace: Bench['pace'] = { check: 2000, save: 10_000 };
  const lifecycle = createLifecycle<State, Event, Upload>({
    ...options,
    table,
    collection: store.collection,
    store,
    clock,
    delays: ({ name }) => (name === 'check' || name === 'save' ? (pace[name] ?? null) : null),
  });
  const get = (id: string): Upload => {
    const record = store.collection.get(id);
    if (!record) throw new Error(`There is no upload "${id}".`);
    return record;
  };
  return { clock, store, lifecycle, get, pace };
}
