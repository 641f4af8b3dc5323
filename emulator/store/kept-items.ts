/**
 * Items of lists that a changed record has from before. The journal does not write them again: a delivery with many attempts
 * would be written whole at each one. Pure.
 */
import type { StoredRecord } from '../records.ts';
import type { Change } from './change.ts';

/** How many items the lists in these fields begin with that the record before has, too. */
export interface Kept {
  readonly [field: string]: number;
}

/** Fewer are written again: to read about them takes as much room. */
const fewest = 3;

type Fields = { readonly [field: string]: unknown };

/** What a change keeps of lists, known by the identity of their items; null if that is nothing, or not worth it. */
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

/** The record without these items. */
export function withoutKept(record: StoredRecord, kept: Kept): StoredRecord {
  const lists = Object.entries(kept).map(([field, count]) => [field, listOf(record, field).slice(count)]);
  return { ...record, ...Object.fromEntries(lists) };
}

/** The record with these items of the one before it. What that one no longer has, as it was edited by hand, is missing. */
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
