/**
 * Merges two states. Ids are numbers of a sequence, so two sandboxes give the same id to different people. People are
 * the same if they have an address or an identifier in common; an incoming person whose id belongs to another one here
 * gets a new id.
 */
import { isDeepStrictEqual } from 'node:util';
import { fromGlobalId, numberOf, toGlobalId } from '../ids.ts';
import type { CollectionName, StoredRecord, Subscription } from '../records.ts';
import { isFurtherOn, type Definition, type Definitions } from '../records/definition.ts';
import { currentFormat } from '../records/migrations.ts';
import type { StateDocument } from '../store/store.ts';
import type { Steps } from '../time/slices.ts';
import { matchPeople, withAddressesOnFile, withoutDeleted, type Mergeable, type Renamed } from './merge-people.ts';
import { matchRecords } from './merge-same.ts';

/** A record that was replaced, because a different thing in the file has its id. */
export interface Replaced {
  readonly collection: CollectionName;
  readonly id: string;
  /** Its name for people. */
  readonly was: string;
}

type Collections = { readonly [name: string]: readonly StoredRecord[] | undefined };

/**
 * Merges two states: an incoming record replaces the record with the same id. There are two exceptions. People become
 * one with all identifiers of both, and the newer value of each subscription and attribute stays. For records with a
 * progress, such as deliveries, the version that is further on stays. The settings stay the present ones: the clock,
 * the pace, the secret of upload links.
 * @param at the time of the merge, ISO 8601
 * @returns also the new ids of incoming records, the different things that they replaced, and the ids of incoming
 *   records that did not replace the version here
 */
export function* mergeDocuments(
  definitions: Definitions,
  present: Mergeable,
  sent: Mergeable,
  at: string,
): Steps<{
  readonly document: StateDocument;
  readonly renamed: ReadonlyMap<string, string>;
  readonly replaced: readonly Replaced[];
  readonly passedOver: ReadonlySet<string>;
}> {
  const wanted = yield* withoutDeleted(definitions, present, sent);
  const [here, coming] = [present.collections, wanted.collections] as readonly [Collections, Collections];
  let sequence = Math.max(present.sequence, wanted.sequence);
  const nextNumber = (): number => (sequence += 1);
  const people = yield* matchPeople(present, wanted, { at, nextNumber });
  const collections: { [name: string]: readonly StoredRecord[] } = { users: people.users };
  const replaced: Replaced[] = [];
  const passedOver = new Set<string>();
  for (const [name, definition] of Object.entries(definitions)) {
    if (name === 'users') continue;
    const { person } = definition;
    const idOf = person?.idOf?.bind(person);
    const toMoved = (record: StoredRecord, renamed: Renamed): StoredRecord => {
      const moved = withRenamed(record, renamed);
      return idOf && moved !== record ? { ...moved, id: idOf(moved) } : moved;
    };
    const byId = new Map<string, StoredRecord>();
    const put = (record: StoredRecord): void => {
      const known = byId.get(record.id);
      const united = known && definition.unite?.(known, record);
      byId.set(record.id, united ?? ((idOf && known) || record));
    };
    for (const record of here[name] ?? []) {
      put(toMoved(record, people.here));
      yield;
    }
    const came: StoredRecord[] = [];
    for (const record of name === 'settings' ? [] : (coming[name] ?? [])) {
      came.push(toMoved(record, people.coming));
      yield;
    }
    const isNumbered = definition.fixed !== null || (person !== null && !idOf);
    const same = isNumbered ? yield* matchRecords(byId, came, definition.fixed) : new Map<string, string>();
    const taken = isNumbered || name === 'offerUploads' ? new Set(byId.keys()) : new Set<string>();
    for (const record of came) {
      yield;
      const id = same.get(record.id) ?? (taken.has(record.id) ? toNewId(record.id, nextNumber) : record.id);
      if (id !== record.id) people.coming.set(record.id, id);
      const known = byId.get(id);
      if (known && definition.progress && !isFurtherOn(record, known, definition)) {
        passedOver.add(record.id);
        continue;
      }
      if (known && indistinct.has(name) && isOther(known, record))
        replaced.push({ collection: name as CollectionName, id, was: toTitle(known, definition) });
      put(id === record.id ? record : { ...record, id });
    }
    collections[name] = [...byId.values()];
  }
  collections['subscriptions'] = yield* withAddressesOnFile(
    (collections['subscriptions'] ?? []) as readonly Subscription[],
    people.users,
  );
  const document: StateDocument = { format: currentFormat, sequence, collections };
  return { document, renamed: people.coming, replaced, passedOver };
}

/** Collections whose records are distinguished only by their ids. */
const indistinct: ReadonlySet<string> = new Set<CollectionName>([
  'companies',
  'apps',
  'credentials',
  'signUpUnits',
  'attributeDefinitions',
  'offers',
  'webhooks',
]);

/**
 * Fields that the emulator itself writes into them. These may differ between two states in which a record is otherwise
 * the same.
 */
const ownFields: ReadonlySet<string> = new Set([
  'createdAt',
  'codeCount',
  'state',
  'enteredAt',
  'history',
  'failingSince',
]);

/** Whether two records with the same id differ in fields that a user chose. */
function isOther(one: StoredRecord, other: StoredRecord): boolean {
  const [chosen, others] = [one, other].map((record) =>
    Object.fromEntries(Object.entries(record).filter(([field]) => !ownFields.has(field))),
  );
  return !isDeepStrictEqual(chosen, others);
}

function toTitle(record: StoredRecord, { found, words }: Definition): string {
  return found?.(record, { ofPerson: () => [] }).title ?? `${words[0]} ${record.id}`;
}

/**
 * Returns the record with the new ids of the records that it names: its person, the event or the message of a short
 * link, the deleted people.
 */
function withRenamed(record: StoredRecord, renamed: Renamed): StoredRecord {
  if (renamed.size === 0) return record;
  const isNamed = (value: unknown): value is string => typeof value === 'string' && renamed.has(value);
  const toNew = (value: unknown): unknown => (isNamed(value) ? renamed.get(value) : value);
  const changed = Object.entries(record).flatMap(([field, value]: [string, unknown]) => {
    if (field === 'id') return [];
    if (Array.isArray(value)) return value.some(isNamed) ? [[field, value.map(toNew)] as const] : [];
    return isNamed(value) ? [[field, toNew(value)] as const] : [];
  });
  return changed.length === 0 ? record : { ...record, ...Object.fromEntries(changed) };
}

/**
 * An id of the same kind with another number. An id without a number, such as that of a short link, is random and
 * stays.
 */
function toNewId(id: string, nextNumber: () => number): string {
  if (numberOf(id) === 0) return id;
  // A number that is not part of a global id is a delivery's.
  const type = fromGlobalId(id)?.type;
  return type === undefined ? `dlv_${nextNumber()}` : toGlobalId(type, nextNumber());
}
