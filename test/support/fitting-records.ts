import { expect } from 'vitest';
import { createRecordCheck, type RecordCheck } from '../../emulator/records/misfit.ts';
import { findOrphan } from '../../emulator/records/owners.ts';
import type { Store } from '../../emulator/store/store.ts';
import { atOnce } from '../../emulator/time/slices.ts';

/** Every emulator that a test starts has the same definitions. */
let check: Promise<RecordCheck> | undefined;
/**
 * How many of the oldest and of the newest records of a kind are checked: of hundreds of thousands, these say enough.
 */
const checkedAtOnce = 500;

/**
 * Checks that the records that a test left could be imported again: a snapshot with a record that does not fit, or
 * whose owner is missing, is refused.
 */
export async function expectFittingRecords(store: Store): Promise<void> {
  const misfitOf = await (check ??= createRecordCheck(store.definitions));
  const wrong = store.names.flatMap((name) => {
    const all = store.collection(name).records();
    const some = new Set([...all.slice(0, checkedAtOnce), ...all.slice(-checkedAtOnce)]);
    return [...some].flatMap((record) => misfitOf(name, record) ?? []);
  });
  expect(wrong, 'stored records fit their schemas').toEqual([]);
  const people = { definitions: store.definitions, isKnown: () => false };
  expect(atOnce(findOrphan(store.toDocument().collections, people)), 'every record has its owner').toBeNull();
}
