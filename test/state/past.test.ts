import {
  array,
  assert,
  asyncProperty,
  constant,
  constantFrom,
  integer,
  oneof,
  option,
  record,
  uniqueArray,
} from 'fast-check';
import { expect, test } from 'vitest';
import type { Setting } from '../../emulator/records.ts';
import { openStore, type StateDocument } from '../../emulator/store/store.ts';
import { createPast } from '../../emulator/world/past.ts';

/** What may happen: a transaction of puts and deletes, or time that passes. */
const step = oneof(
  record({
    does: constant('change' as const),
    // Of a record that is deleted and made again in one transaction the place in the list is not known afterwards.
    writes: uniqueArray(
      record({
        in: constantFrom('settings' as const, 'companies' as const),
        id: constantFrom('a', 'b', 'c', 'd', 'e'),
        value: option(integer({ min: 0, max: 9 })),
      }),
      { minLength: 1, maxLength: 6, selector: (write) => `${write.in} ${write.id}` },
    ),
  }),
  record({ does: constant('wait' as const), ms: integer({ min: 1, max: 5 }) }),
);

const toComparable = ({ collections }: StateDocument): unknown => collections;

test('the state at any earlier moment equals what it was then', async () => {
  await assert(
    asyncProperty(array(step, { maxLength: 40 }), async (steps) => {
      let now = 1_000;
      const store = await openStore({ dataDir: null, now: () => now });
      const past = createPast({ store, clock: { now: () => now } });
      const seen = new Map<number, unknown>([[now, toComparable(store.toDocument())]]);
      for (const one of steps) {
        if (one.does === 'wait') now += one.ms;
        else
          store.transact(() => {
            for (const { in: name, id, value } of one.writes) {
              if (value === null) store[name].delete(id);
              else if (name === 'settings') store.settings.put({ id, value } satisfies Setting);
              else store.companies.put({ id, name: `${value}`, domain: 'x', contactEmail: 'y' });
            }
          });
        seen.set(now, toComparable(store.toDocument()));
      }
      for (const [time, was] of seen) {
        const moment = past.at(time);
        expect(moment && toComparable(moment.document)).toEqual(was);
      }
      expect(past.at(999)).toBeNull();
      expect(toComparable(store.toDocument())).toEqual(seen.get(now));
      await store.close();
    }),
    { numRuns: 300 },
  );
});
