/** Finds the records of two states that are the same thing, whatever ids they have. */
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { addToList } from '../contract/add-to-list.ts';
import type { StoredRecord } from '../records.ts';
import type { Steps } from '../time/slices.ts';

/**
 * A digest of the fields of a record that never change. Times alone do not distinguish two records: a frozen clock may
 * show the same time in two sandboxes.
 */
function toDigest(record: StoredRecord, fixed: readonly string[]): string {
  const fields = record as unknown as { readonly [field: string]: unknown };
  return createHash('sha256')
    .update(JSON.stringify(fixed.map((field) => fields[field])))
    .digest('base64');
}

/** Whether two uploads to the catalog both have a file, and the files are different. */
function isOtherFile(one: StoredRecord, other: StoredRecord): boolean {
  const [its, others] = [one, other].map((record) => (record as { readonly etag?: string | null }).etag ?? null);
  return its !== null && others !== null && its !== others;
}

/**
 * Maps ids of incoming records to the ids that the same things have here: the same ids, or those of an earlier merge.
 * Things that were done twice are there twice, so each record here matches only one incoming record.
 * @param fixed the fields that identify the same thing; null if its id and all fields must be the same
 */
export function* matchRecords(
  here: ReadonlyMap<string, StoredRecord>,
  coming: readonly StoredRecord[],
  fixed: readonly string[] | null,
): Steps<ReadonlyMap<string, string>> {
  const same = new Map<string, string>();
  if (here.size === 0) return same;
  if (fixed === null) {
    for (const record of coming) {
      if (isDeepStrictEqual(here.get(record.id), record)) same.set(record.id, record.id);
      yield;
    }
    return same;
  }
  const digests = new Map<string, string>();
  for (const record of here.values()) {
    digests.set(record.id, toDigest(record, fixed));
    yield;
  }
  const others: (readonly [record: StoredRecord, digest: string])[] = [];
  for (const record of coming) {
    const digest = toDigest(record, fixed);
    const known = here.get(record.id);
    const isSame = known !== undefined && digests.get(record.id) === digest && !isOtherFile(known, record);
    if (isSame) same.set(record.id, record.id);
    else others.push([record, digest]);
    yield;
  }
  const free = new Map<string, StoredRecord[]>();
  for (const [id, digest] of digests) {
    const record = here.get(id);
    if (!record || same.has(id)) continue;
    addToList(free, digest, record);
    yield;
  }
  for (const [record, digest] of others.toReversed()) {
    const found = free.get(digest) ?? [];
    const at = found.findLastIndex((one) => !isOtherFile(one, record));
    const [known] = at === -1 ? [] : found.splice(at, 1);
    if (known) same.set(record.id, known.id);
    yield;
  }
  return same;
}
