import { isJsonObject } from '../contract/json-object.ts';
import { collectionNames, type CollectionName, type StoredRecord } from '../records.ts';
import { mostNumber, numberOf } from '../ids.ts';
import { currentFormat, migrateRecords } from '../records/migrations.ts';
import type { Steps } from '../time/slices.ts';
import { StoreError } from './errors.ts';

/** The whole state as one value: the content of state.json, exports and snapshots. */
export interface StateDocument {
  readonly format: typeof currentFormat;
  /** The last number given out by `nextNumber`. */
  readonly sequence: number;
  readonly collections: RecordLists;
}

/** The records of a state: a list for each collection. */
export type RecordLists = { readonly [N in CollectionName]?: readonly StoredRecord[] };

/** An empty state. */
export function emptyDocument(): StateDocument {
  return { format: currentFormat, sequence: 0, collections: {} };
}

/** A state as read from a file, possibly in an older format. */
export type ReadDocument = Omit<StateDocument, 'format'> & { readonly format: number };

/**
 * Checks that a value is a state document, and updates its records to the current format. In steps.
 * @param names the names of the store's collections
 * @throws StoreError that names what is wrong; for a newer format, also its version
 */
export function* toDocument(value: unknown, names: readonly string[] = collectionNames): Steps<StateDocument> {
  const document = yield* readDocument(value, names);
  const collections = yield* migrateRecords(document.collections, document.format);
  return { ...document, format: currentFormat, collections };
}

/**
 * Checks that a value read from a file is a state document. Its sequence is raised to the greatest number in its ids,
 * so that no id is issued twice, whatever the file says. Records of an older format stay as they are, because the
 * journal since then continues them.
 * @param names the names of the store's collections
 * @throws StoreError that names what is wrong; for a newer format, also its version
 */
export function* readDocument(value: unknown, names: readonly string[]): Steps<ReadDocument> {
  const invalid = (what: string): never => {
    throw new StoreError('invalid-document', `This is not a Sandpiper state: ${what}.`);
  };
  if (!isJsonObject(value)) return invalid('it is not a JSON object');
  const { format, sequence, collections } = value;
  if (typeof format === 'number' && format > currentFormat) {
    throw new StoreError(
      'newer-format',
      `The state has format ${format}, written by a newer Sandpiper; this one reads up to format ${currentFormat}. Update Sandpiper, or choose another folder with --data.`,
    );
  }
  if (!Number.isSafeInteger(format) || (format as number) < 1)
    return invalid('"format" is not a whole number from 1 on');
  if (!isJsonObject(collections)) return invalid('"collections" is not an object');
  for (const [name, records] of Object.entries(collections)) {
    if (!names.includes(name)) return invalid(`there is no collection "${name}"`);
    if (!Array.isArray(records)) return invalid(`the collection "${name}" is not a list`);
    const ids = new Set<string>();
    for (const [at, record] of records.entries()) {
      if (!isJsonObject(record) || typeof record['id'] !== 'string')
        return invalid(`record ${at} of "${name}" has no id`);
      if (ids.has(record['id']))
        return invalid(`the collection "${name}" has two records with the id ${JSON.stringify(record['id'])}`);
      ids.add(record['id']);
      yield;
    }
  }
  const document = value as unknown as ReadDocument;
  return { ...document, sequence: yield* toSequence(sequence, document.collections, invalid) };
}

/**
 * The last number issued: the one in the file, or the greatest number in its ids if that is larger, so that no id is
 * issued twice.
 */
export function* toSequence(
  sequence: unknown,
  collections: RecordLists,
  invalid: (what: string) => never,
): Steps<number> {
  if (!Number.isSafeInteger(sequence) || (sequence as number) < 0) return invalid('"sequence" is not a whole number');
  let greatest = sequence as number;
  if (greatest > mostNumber) return invalid(`"sequence" is ${greatest}, above ${mostNumber}`);
  for (const [name, records] of Object.entries(collections))
    for (const { id } of records) {
      const number = numberOf(id);
      if (number > mostNumber)
        return invalid(`the id ${JSON.stringify(id)} in "${name}" contains a number above ${mostNumber}`);
      greatest = Math.max(greatest, number);
      yield;
    }
  return greatest;
}
