import type { CollectionName, StoredRecord } from '../records.ts';
import type { Steps } from '../time/slices.ts';
import type { RecordLists } from './document.ts';
import { storedIn, type JournalLine } from './journal-line.ts';

/** Records to which the lines of journals are applied. The lists that were given stay as they are. */
export interface Fold {
  /**
   * Applies a line. The time depends on the size of the line, not of the records, except that a collection is read
   * once, at its first change.
   */
  add(line: JournalLine): Steps<void>;
  records(): RecordLists;
}

/** Creates a fold that begins with these records. */
export function createFold(start: RecordLists): Fold {
  let unchanged = start;
  const changed = new Map<CollectionName, Map<string, StoredRecord>>();

  function* toChange(name: CollectionName): Steps<Map<string, StoredRecord>> {
    const known = changed.get(name);
    if (known) return known;
    const { [name]: its = [], ...others } = unchanged;
    const byId = new Map<string, StoredRecord>();
    for (const record of its) {
      byId.set(record.id, record);
      yield;
    }
    changed.set(name, byId);
    unchanged = others;
    return byId;
  }

  return {
    *add(line) {
      const { del = {}, put = {} } = line;
      for (const name of Object.keys(del) as CollectionName[]) {
        const records = yield* toChange(name);
        for (const id of del[name] ?? []) records.delete(id);
      }
      // A replaced record keeps its place, as in the store.
      for (const name of Object.keys(put) as CollectionName[]) {
        const records = yield* toChange(name);
        for (const record of storedIn(line, name, (id) => records.get(id))) records.set(record.id, record);
      }
      yield;
    },
    records() {
      const lists = [...changed].map(([name, records]) => [name, [...records.values()]]);
      return { ...unchanged, ...Object.fromEntries(lists) };
    },
  };
}
