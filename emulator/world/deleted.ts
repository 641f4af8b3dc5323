/** Deleted records, and how they return to their places in the order of creation. */
import { addToList } from '../contract/add-to-list.ts';
import type { CollectionName, StoredRecord } from '../records.ts';
import type { Change, Collection, Store } from '../store/store.ts';

/** A record that was deleted, and the id of the one that followed it; null if it was the last one. */
export interface Deleted {
  readonly record: StoredRecord;
  readonly next: string | null;
}

/** Returns the records that changes deleted, in the order of creation. Call it before anything else changes. */
export function toDeleted(changes: readonly Change[], store: Store): ReadonlyMap<CollectionName, readonly Deleted[]> {
  const byName = new Map<CollectionName, { readonly record: StoredRecord; readonly ordinal: number }[]>();
  for (const { collection, before, after, ordinal = Infinity } of changes) {
    if (before === null || after !== null) continue;
    addToList(byName, collection, { record: before, ordinal });
  }
  const found = new Map<CollectionName, readonly Deleted[]>();
  for (const [name, its] of byName) {
    its.sort((one, other) => one.ordinal - other.ordinal);
    const following = store.collection(name).following(its.map(({ ordinal }) => ordinal));
    found.set(
      name,
      its.map(({ record }, at) => ({ record, next: following[at]?.id ?? null })),
    );
  }
  return found;
}

/** How many later records are stored again, at most, to restore the order. */
const mostMoved = 1_000;

/**
 * Stores deleted records again, each before the record that followed it, or at the end if that one is gone too. Records
 * are in the order in which they were stored, so the later ones are stored again, unchanged. Call it inside a
 * transaction.
 */
export function putInPlace(of: Collection<StoredRecord>, deleted: readonly Deleted[]): void {
  const byNext = new Map<string | null, StoredRecord[]>();
  for (const { record, next } of deleted) {
    of.delete(record.id);
    addToList(byNext, next, record);
  }
  const all = [...of.all()];
  const first = all.findIndex(({ id }) => byNext.has(id));
  const later = first === -1 || all.length - first > mostMoved ? [] : all.slice(first);
  const put = (next: string | null): void => {
    for (const record of byNext.get(next) ?? []) of.put(record);
    byNext.delete(next);
  };
  for (const record of later) {
    put(record.id);
    of.delete(record.id);
    of.put(record);
  }
  for (const next of byNext.keys()) put(next);
}
