/** Which records of two states are the same thing, whatever ids they have. */
import { createHash } from 'node:crypto';
import type { StoredRecord } from '../records.ts';
import type { Steps } from '../time/slices.ts';

/**
 * What never changes of an event, a message, a delivery or an upload to the catalog. Times alone do not tell them apart: a
 * clock that is frozen shows the same one in two sandboxes.
 */
const fixedFields = [
  'companyId',
  'userId',
  'kind',
  'type',
  'externalEventId',
  'occurredAt',
  'receivedAt',
  'body',
  'channel',
  'direction',
  'to',
  'text',
  'sentAt',
  'eventId',
  'webhookId',
  'validateOnly',
  'createdAt',
];

function toDigest(record: StoredRecord): string {
  const fields = record as unknown as { readonly [field: string]: unknown };
  const fixed = fixedFields.map((field) => fields[field]);
  return createHash('sha256').update(JSON.stringify(fixed)).digest('base64');
}

/** Two uploads to the catalog with different files, where both have one. */
function isOtherFile(one: StoredRecord, other: StoredRecord): boolean {
  const [its, others] = [one, other].map((record) => (record as { readonly etag?: string | null }).etag ?? null);
  return its !== null && others !== null && its !== others;
}

/**
 * Ids of what comes, with the ids that the same things have here: the same ones, or those of an earlier merge. What was done
 * twice is there twice, so that each record here is that of one that comes.
 */
export function* matchRecords(
  here: ReadonlyMap<string, StoredRecord>,
  coming: readonly StoredRecord[],
): Steps<ReadonlyMap<string, string>> {
  const same = new Map<string, string>();
  if (here.size === 0) return same;
  const digests = new Map<string, string>();
  for (const record of here.values()) {
    digests.set(record.id, toDigest(record));
    yield;
  }
  const others: (readonly [record: StoredRecord, digest: string])[] = [];
  for (const record of coming) {
    const digest = toDigest(record);
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
    const found = free.get(digest);
    if (found) found.push(record);
    else free.set(digest, [record]);
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
