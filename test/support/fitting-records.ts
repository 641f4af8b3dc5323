import { expect } from 'vitest';
import { createRecordCheck, type RecordCheck } from '../../emulator/records/misfit.ts';
import type { Store } from '../../emulator/store/store.ts';

/** Every emulator that a test starts has the same definitions. */
let check: Promise<RecordCheck> | undefined;
/** Of each kind: of hundreds of thousands, the oldest and the newest say enough. */
const checkedAtOnce = 500;

/** What a test left in the store could be imported again: a snapshot with a record that does not fit is refused. */
export async function expectFittingRecords(store: Store): Promise<void> {
  const misfitOf = await (check ??= createRecordCheck(store.definitions));
  const wrong = store.names.flatMap((name) => {
    const all = store.collection(name).records();
    const some = new Set([...all.slice(0, checkedAtOnce), ...all.slice(-checkedAtOnce)]);
    return [...some].flatMap((record) => misfitOf(name, record) ?? []);
  });
  expect(wrong, 'stored records fit their schemas').toEqual([]);
}
