/** The snapshot file: its content, its check before it is restored, and the migration of older formats. */
import { isJsonObject } from '../contract/json-object.ts';
import { jsonOf } from '../contract/json-of.ts';
import { findPath } from '../contract/find-path.ts';
import { isProto, isUnsafeName } from '../contract/unsafe-names.ts';
import type { CollectionName } from '../records.ts';
import type { Definitions } from '../records/definition.ts';
import { currentFormat, migrateRecords } from '../records/migrations.ts';
import { createRecordCheck, shown, type RecordCheck } from '../records/misfit.ts';
import { findOrphan, type PeopleCheck } from '../records/owners.ts';
import { createSlices, inSlices, type Steps } from '../time/slices.ts';
import { inBody, refuse } from '../rules.ts';
import { toSequence, type RecordLists } from '../store/store.ts';
import { worldRules } from './rules.ts';
import type { SnapshotLine } from './shapes.ts';

/** A whole state as one readable value: the records, and the text of their files. */
export interface Snapshot {
  readonly sandpiper: 'snapshot';
  readonly format: typeof currentFormat;
  /** The version that wrote it. */
  readonly version: string;
  /** ISO 8601, on the virtual and on the wall clock. */
  readonly savedAt: string;
  readonly wallAt: string;
  /** `masked`: secrets that are not public read `(masked)`, and an import makes new ones. */
  readonly secrets: 'whole' | 'masked';
  readonly sequence: number;
  readonly collections: RecordLists;
  readonly files: readonly SnapshotBlob[];
}

/**
 * A blob by kind and id. `lines`: the codes of kind `codes`, else the lines of the file; `base64` if it is not UTF-8.
 */
export type SnapshotBlob = { readonly kind: BlobKind; readonly id: string } & (
  { readonly lines: readonly string[] } | { readonly base64: string }
);

/**
 * Kind → the collection of the record that owns the blob, and a check that says what is wrong with its lines, or null.
 */
export const blobKinds = {
  codes: { owner: 'offerUploads', misfit: () => null },
  uploads: { owner: 'uploads', misfit: () => null },
  'upload-good': { owner: 'uploads', misfit: productMisfit },
  'upload-issues': { owner: 'uploads', misfit: objectMisfit },
  products: { owner: 'companies', misfit: productMisfit },
} as const satisfies {
  readonly [kind: string]: {
    readonly owner: CollectionName;
    readonly misfit: (lines: readonly string[]) => Promise<string | null> | null;
  };
};

export type BlobKind = keyof typeof blobKinds;

function isBlobKind(kind: unknown): kind is BlobKind {
  return typeof kind === 'string' && Object.hasOwn(blobKinds, kind);
}

/** Records or characters that are checked before the event loop gets a turn: a few milliseconds of work. */
const recordsPerSlice = 500;
const charactersPerSlice = 512 * 1024;

type Json = { readonly [key: string]: unknown };

/**
 * Checks a value that was read as a snapshot, and migrates it to the present format. No part of it is used before all
 * is checked.
 * @param isPersonKnown whether a person is known who is not in it; left out for a snapshot of this store, in which an
 *   earlier version may have left records of people who are gone
 * @throws Refusal at the first misfit; a newer format has a rule of its own
 */
export async function toSnapshot(
  value: unknown,
  definitions: Definitions,
  isPersonKnown?: PeopleCheck['isKnown'],
): Promise<Snapshot> {
  if (!isJsonObject(value) || value['sandpiper'] !== 'snapshot')
    return invalid('it has no "sandpiper": "snapshot", as every exported file has', '/sandpiper');
  await inSlices(refuseUnsafeKeys(value));
  const snapshot = await migrate(value);
  const { version, savedAt, wallAt, secrets, sequence, collections, files } = snapshot;
  if (typeof version !== 'string') return invalid('"version" is not text', '/version');
  if (!isTime(savedAt) || !isTime(wallAt))
    return invalid('"savedAt" and "wallAt" are not both ISO 8601 times', '/savedAt');
  if (secrets !== 'whole' && secrets !== 'masked')
    return invalid('"secrets" is neither "whole" nor "masked"', '/secrets');
  if (!isJsonObject(collections)) return invalid('"collections" is not an object', '/collections');
  const check = await createRecordCheck(definitions);
  for (const [name, records] of Object.entries(collections))
    await checkCollection(name, records, { definitions, check });
  const checked = snapshot as unknown as Snapshot;
  await inSlices(checkOwners(checked, isPersonKnown && { definitions, isKnown: isPersonKnown }));
  if (!Array.isArray(files)) return invalid('"files" is not a list', '/files');
  await checkFiles(files, checked);
  return { ...checked, sequence: await inSlices(toSequence(sequence, checked.collections, invalid)) };
}

async function migrate(value: Json): Promise<Json> {
  const { format } = value;
  if (!Number.isSafeInteger(format) || (format as number) < 1)
    return invalid('"format" is not a whole number from 1 on', '/format');
  if ((format as number) > currentFormat)
    return refuse(worldRules.format, inBody('/format'), format, { format: format as number, most: currentFormat });
  const { collections } = value;
  if (!isJsonObject(collections)) return value;
  return {
    ...value,
    format: currentFormat,
    collections: await inSlices(migrateRecords(collections, format as number)),
  };
}

const mostLevels = 80;

/**
 * Refuses keys through which an assignment would reach a prototype, and too deep nesting. The body that a client sent
 * with an event may have the key `constructor`, as in the API (see http/body/parse-json.ts).
 */
function* refuseUnsafeKeys(value: object): Steps<void> {
  const path = yield* findPath(
    value,
    (key, inner, parents) =>
      (typeof key === 'string' && (isProto(key) || (isUnsafeName(key) && !parents.includes('body')))) ||
      (parents.length >= mostLevels && typeof inner === 'object' && inner !== null),
  );
  if (path === null) return;
  if (path.length > mostLevels) return invalid(`it is nested deeper than ${mostLevels} levels`);
  return invalid(`it has the key "${path.at(-1)}", which no record may have`);
}

async function checkCollection(
  name: string,
  records: unknown,
  { definitions, check }: { readonly definitions: Definitions; readonly check: RecordCheck },
): Promise<void> {
  if (!Object.hasOwn(definitions, name)) return invalid(`there is no collection ${shown(name)}`, '/collections');
  if (!Array.isArray(records)) return invalid(`the collection "${name}" is not a list`, `/collections/${name}`);
  const ids = new Set<string>();
  const turns = createSlices(recordsPerSlice);
  for (const [at, record] of records.entries()) {
    if (!isJsonObject(record))
      return invalid(`record ${at} of "${name}" is not an object`, `/collections/${name}/${at}`);
    const misfit = check(name, record);
    if (misfit !== null)
      return invalid(`record ${at} of "${name}" does not fit: ${misfit}`, `/collections/${name}/${at}`);
    const id = record['id'] as string;
    if (ids.has(id))
      return invalid(
        `the collection "${name}" has two records with the id ${shown(id)}`,
        `/collections/${name}/${at}/id`,
      );
    ids.add(id);
    if (ownsFiles(name) && !isFileName(id))
      return invalid(`the id ${shown(id)} in "${name}" cannot name a file`, `/collections/${name}/${at}/id`);
    const turn = turns();
    if (turn) await turn;
  }
}

function* checkOwners({ collections }: Snapshot, people: PeopleCheck | undefined): Steps<void> {
  const orphan = yield* findOrphan(collections, people);
  if (orphan === null) return;
  const { collection, id, owner } = orphan;
  return invalid(
    `${shown(id)} of "${collection}" belongs to ${owner}, which is not in it`,
    `/collections/${collection}`,
  );
}

async function checkFiles(files: readonly unknown[], { collections }: Snapshot): Promise<void> {
  const names = new Set<string>();
  const owners = new Map<CollectionName, ReadonlySet<string>>();
  const ownersIn = (name: CollectionName): ReadonlySet<string> => {
    const ids = owners.get(name) ?? idsOf(collections, name);
    owners.set(name, ids);
    return ids;
  };
  const turns = createSlices(recordsPerSlice);
  for (const [at, file] of files.entries()) {
    const turn = turns();
    if (turn) await turn;
    if (!isJsonObject(file)) return invalid(`file ${at} is not an object`, `/files/${at}`);
    const { kind, id, lines, base64 } = file;
    if (!isBlobKind(kind))
      return invalid(
        `file ${at} has the kind ${shown(kind)}; kinds: ${Object.keys(blobKinds).join(', ')}`,
        `/files/${at}/kind`,
      );
    const { owner, misfit } = blobKinds[kind];
    if (typeof id !== 'string' || !isFileName(id) || !ownersIn(owner).has(id))
      return invalid(
        `file ${at} of kind "${kind}" belongs to ${shown(id)}, which is not in "${owner}"`,
        `/files/${at}/id`,
      );
    if (names.has(`${kind} ${id}`))
      return invalid(`there are two files of kind "${kind}" for ${shown(id)}`, `/files/${at}`);
    names.add(`${kind} ${id}`);
    const isText = Array.isArray(lines) && lines.every((line) => typeof line === 'string');
    const isBytes = kind === 'uploads' && typeof base64 === 'string' && (await isBase64(base64));
    if (isText === isBytes)
      return invalid(`file ${at} (${kind} of ${shown(id)}) has no "lines" that are all text`, `/files/${at}/lines`);
    const problem = isText ? await misfit(lines as readonly string[]) : null;
    if (problem !== null) return invalid(`file ${at} (${kind} of ${shown(id)}): ${problem}`, `/files/${at}/lines`);
  }
}

async function isBase64(text: string): Promise<boolean> {
  const turns = createSlices(charactersPerSlice);
  const end = text.length - (text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0);
  for (let from = 0; from < end; from += charactersPerSlice) {
    if (!/^[A-Za-z0-9+/]*$/.test(text.slice(from, Math.min(end, from + charactersPerSlice)))) return false;
    const turn = turns(charactersPerSlice);
    if (turn) await turn;
  }
  return true;
}

async function productMisfit(lines: readonly string[]): Promise<string | null> {
  const ids = new Set<string>();
  const turns = createSlices(charactersPerSlice);
  for (const [at, line] of lines.entries()) {
    const turn = turns(line.length);
    if (turn) await turn;
    if (line === '') continue;
    const product = jsonOf(line);
    const variants = isJsonObject(product) ? product['variants'] : null;
    const fits =
      isJsonObject(product) &&
      typeof product['id'] === 'string' &&
      typeof product['name'] === 'string' &&
      Array.isArray(variants) &&
      variants.every((variant) => isJsonObject(variant) && typeof variant['id'] === 'string');
    if (!fits || line.includes('\n')) return `line ${at + 1} is not a product with an id, a name and variants`;
    const id = product['id'] as string;
    if (ids.has(id)) return `line ${at + 1} repeats the product ${shown(id)}`;
    ids.add(id);
  }
  return null;
}

async function objectMisfit(lines: readonly string[]): Promise<string | null> {
  const turns = createSlices(charactersPerSlice);
  for (const [at, line] of lines.entries()) {
    const turn = turns(line.length);
    if (turn) await turn;
    if (line !== '' && !isJsonObject(jsonOf(line))) return `line ${at + 1} is not a JSON object`;
  }
  return null;
}

function idsOf(collections: RecordLists, name: CollectionName): ReadonlySet<string> {
  return new Set((collections[name] ?? []).map(({ id }) => id));
}

function ownsFiles(name: string): boolean {
  return Object.values(blobKinds).some(({ owner }) => owner === name);
}

/** Whether an id can be the name of a file among the blobs, and does not lead elsewhere. */
function isFileName(id: string): boolean {
  return /^[A-Za-z0-9_.-]{1,200}$/.test(id) && !/^\.+$/.test(id) && !id.endsWith('.part') && !id.startsWith('.part-');
}

function isTime(value: unknown): boolean {
  return typeof value === 'string' && !Number.isNaN(Date.parse(value));
}

/** @param at the place of the misfit, a JSON pointer */
function invalid(problem: string, at = ''): never {
  return refuse(worldRules.misfit, inBody(at), undefined, { at, problem });
}

/** The facts about a snapshot in a list of snapshots. */
export type SnapshotHead = Omit<SnapshotLine, 'name' | 'bytes'>;

/**
 * Reads the fields before the records, from the beginning of the text, with any whitespace between them; null if they
 * are not there.
 */
export function readHead(text: string): SnapshotHead | null {
  const end = text.search(/,\s*"collections"\s*:/);
  return toHead(jsonOf(`${text.slice(0, end)}}`));
}

/** The head of a snapshot; null if the value is not a snapshot. */
export function toHead(value: unknown): SnapshotHead | null {
  if (!isJsonObject(value) || value['sandpiper'] !== 'snapshot' || !Number.isSafeInteger(value['records'])) return null;
  const { records, format, version, savedAt, wallAt } = value as unknown as SnapshotHead;
  return { records, format, version, savedAt, wallAt };
}
