/**
 * List items that a changed record had before the change. The journal does not write them again; otherwise a delivery
 * would be written with all its attempts at each new one. Pure.
 */
import type { StoredRecord } from '../records.ts';
import type { Change } from './change.ts';

/** Field with a list → the number of items at its start that the earlier record has, too. */
export interface Kept {
  readonly [field: string]: number;
}

/** Fewer items are written again: their number would take as much room. */
const fewest = 3;

type Fields = { readonly [field: string]: unknown };

/** The items that a change keeps, compared by identity; null if there are none or too few. */
export function keptIn({ before, after }: Pick<Change, 'before' | 'after'>): Kept | null {
  if (before === null || after === null) return null;
  let kept: { [field: string]: number } | null = null;
  for (const [field, list] of Object.entries(after)) {
    const earlier = (before as unknown as Fields)[field];
    if (!Array.isArray(list) || !Array.isArray(earlier) || list.length < fewest) continue;
    let count = 0;
    while (count < list.length && count < earlier.length && list[count] === earlier[count]) count += 1;
    if (count >= fewest) (kept ??= {})[field] = count;
  }
  return kept;
}

/** Returns the record without the kept items. */
export function withoutKept(record: StoredRecord, kept: Kept): StoredRecord {
  const lists = Object.entries(kept).map(([field, count]) => [field, listOf(record, field).slice(count)]);
  return { ...record, ...Object.fromEntries(lists) };
}

/** Returns the record with the kept items of the earlier one. Items that were removed from it by hand are missing. */
export function withKept(record: StoredRecord, kept: Kept, before: StoredRecord | undefined): StoredRecord {
  const lists = Object.entries(kept).map(([field, count]) => [
    field,
    [...listOf(before, field).slice(0, count), ...listOf(record, field)],
  ]);
  return { ...record, ...Object.fromEntries(lists) };
}

function listOf(record: StoredRecord | undefined, field: string): readonly unknown[] {
  const list = (record as Fields | undefined)?.[field];
  return Array.isArray(list) ? list : [];
}
