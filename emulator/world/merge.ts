/**
 * Two states as one. Ids are numbers of a sequence, so two sandboxes give one id to different people: people are the same if
 * they have an address or an identifier in common, and someone whose id is another's here gets a new one.
 */
import { fromGlobalId, numberOf, toGlobalId } from '../ids.ts';
import { identifiersOf, toExternalId, toOnePerson, withAllOf } from '../people/users.ts';
import type { Offer, OfferUpload, Origin, StoredRecord, User } from '../records.ts';
import type { Definitions, OfPerson } from '../records/definition.ts';
import { currentFormat } from '../records/migrations.ts';
import { readList } from '../store/read-list.ts';
import type { BlobCopy, StateDocument } from '../store/store.ts';
import { createSlices, type Steps } from '../time/slices.ts';
import { writeFiles, type SavedProducts } from './files.ts';

type Documented = Pick<StateDocument, 'sequence' | 'collections'>;
type Collections = { readonly [name: string]: readonly StoredRecord[] | undefined };

/** Ids in one of the two states, and what they are in both together; those that stay are not in it. */
type Renamed = Map<string, string>;

/**
 * What comes replaces what has the same id, except of people: they become one with all identifiers of both, and of their
 * subscriptions and attributes the newer value stays. The settings stay the present ones: the clock, the pace, the secret of
 * upload links.
 * @param at when, ISO 8601
 * @returns with the new ids of what comes
 */
export function* mergeDocuments(
  definitions: Definitions,
  present: Documented,
  wanted: Documented,
  at: string,
): Steps<{ readonly document: StateDocument; readonly renamed: ReadonlyMap<string, string> }> {
  const [here, coming] = [present.collections, wanted.collections] as readonly [Collections, Collections];
  let sequence = Math.max(present.sequence, wanted.sequence);
  const nextNumber = (): number => (sequence += 1);
  const people = yield* matchPeople(usersOf(present), usersOf(wanted), { at, nextNumber });
  const collections: { [name: string]: readonly StoredRecord[] } = {};
  for (const [name, { person }] of Object.entries(definitions)) {
    const byId = new Map<string, StoredRecord>();
    for (const [records, renamed] of [
      [here[name] ?? [], people.here],
      [name === 'settings' ? [] : (coming[name] ?? []), people.coming],
    ] as const)
      for (const record of name === 'users' ? [] : records) {
        const isMoved = person !== null || name === 'offerUploads' || name === 'deliveries';
        const moved = isMoved ? move(record, { person, renamed, byId, nextNumber }) : record;
        byId.set(moved.id, moved);
        yield;
      }
    collections[name] = name === 'users' ? people.users : [...byId.values()];
  }
  return { document: { format: currentFormat, sequence, collections }, renamed: people.coming };
}

function usersOf({ collections }: Documented): readonly User[] {
  return (collections.users ?? []) as readonly User[];
}

/**
 * A record of a person as one of whom that person is now, united with what has its new id; with an id of its own, if it is another
 * than what has its id here.
 */
function move(
  record: StoredRecord,
  {
    person,
    renamed,
    byId,
    nextNumber,
  }: {
    readonly person: OfPerson | null;
    readonly renamed: Renamed;
    readonly byId: ReadonlyMap<string, StoredRecord>;
    readonly nextNumber: () => number;
  },
): StoredRecord {
  // Its person, and the event or the message of a short link, which come before it.
  const isNamed = (value: unknown): boolean => typeof value === 'string' && renamed.has(value);
  const entries = Object.entries(record).filter(([field, value]) => field !== 'id' && isNamed(value));
  const changed = entries.map(([field, value]) => [field, renamed.get(value as string)]);
  const moved: StoredRecord = entries.length === 0 ? record : { ...record, ...Object.fromEntries(changed) };
  if (person?.idOf) {
    const id = moved === record ? record.id : person.idOf(moved);
    const known = byId.get(id);
    return known ? (person.unite?.(known, moved) ?? known) : { ...moved, id };
  }
  const known = byId.get(record.id);
  if (known === undefined || numberOf(record.id) === 0 || isSame(known, moved)) return moved;
  // A number that is not part of a global id is a delivery's.
  const type = fromGlobalId(record.id)?.type;
  const id = type === undefined ? `dlv_${nextNumber()}` : toGlobalId(type, nextNumber());
  renamed.set(record.id, id);
  return { ...moved, id };
}

/**
 * What never changes of an event, a message, an upload of codes or a delivery. Times alone do not tell them apart: a clock
 * that is frozen shows the same one in two sandboxes.
 */
const fixedFields = ['userId', 'offerId', 'receivedAt', 'sentAt', 'eventId', 'createdAt', 'type', 'body', 'text'];

function isSame(one: StoredRecord, other: StoredRecord): boolean {
  const [is, was] = [one, other] as unknown as readonly { readonly [field: string]: unknown }[];
  return fixedFields.every((field) => JSON.stringify(is?.[field]) === JSON.stringify(was?.[field]));
}

/** What became one by a merge, and not by a request. */
const mergedIn: Origin = { by: 'unknown', what: 'A state that was merged in', requestId: null };

/** Those who are one person: the first is of the present state, if any is. */
type Group = { readonly user: User; readonly from: 'here' | 'coming' }[];

/** The people of both states, each once, and their ids. */
function* matchPeople(
  here: readonly User[],
  coming: readonly User[],
  { at, nextNumber }: { readonly at: string; readonly nextNumber: () => number },
): Steps<{ readonly users: readonly User[]; readonly here: Renamed; readonly coming: Renamed }> {
  const keysOf = (user: User): readonly string[] => identifiersOf(user).map((key) => `${user.companyId} ${key}`);
  const groups = new Set<Group>();
  const byKey = new Map<string, Group>();
  for (const [from, users] of [['here', here] as const, ['coming', coming] as const])
    for (const user of users) {
      const found = [...new Set(keysOf(user).map((key) => byKey.get(key)))].filter((one) => one !== undefined);
      const group: Group = found.find(([first]) => first?.from === 'here') ?? found[0] ?? [];
      const others = found.filter((one) => one !== group);
      const joined = [...others.flat(), { user, from }];
      group.push(...joined);
      for (const one of joined) for (const key of keysOf(one.user)) byKey.set(key, group);
      for (const other of others) groups.delete(other);
      groups.add(group);
      yield;
    }
  const taken = new Set(here.map(({ id }) => id));
  const renamed = { here: new Map<string, string>(), coming: new Map<string, string>() };
  const users: User[] = [];
  for (const group of groups) {
    const [first, ...others] = group;
    if (!first) continue;
    let { user } = first;
    if (first.from === 'coming' && taken.has(user.id)) {
      const number = nextNumber();
      user = { ...user, id: toGlobalId('User', number), externalId: toExternalId(number) };
    }
    for (const one of group) if (one.user.id !== user.id) renamed[one.from].set(one.user.id, user.id);
    const of = (from: 'here' | 'coming') => others.filter((one) => one.from === from).map((one) => one.user);
    const [same, came] = [of('here'), of('coming')];
    user = withAllOf(toOnePerson(user, same, { at, from: mergedIn }), came);
    // What was sent names those who became one of them by their numbers.
    const merged = new Map([...user.merged, ...came.flatMap((one) => one.merged)].map((one) => [one.id, one]));
    users.push(others.length === 0 ? user : { ...user, merged: [...merged.values()] });
    yield;
  }
  return { users, ...renamed };
}

/** Codes that are compared before the event loop gets a turn: a few milliseconds. */
const codesPerSlice = 10_000;

/**
 * The state with each code of an offer once, and with the number of its codes: both states may have given it some.
 * @param files the files of both; those of the codes are written again where one is repeated
 */
export async function uniteCodes(
  document: StateDocument,
  { collections: coming }: Documented,
  files: BlobCopy,
  products: SavedProducts,
): Promise<StateDocument> {
  const all = document.collections as {
    readonly offers?: readonly Offer[];
    readonly offerUploads?: readonly OfferUpload[];
  };
  const { offers = [], offerUploads = [] } = all;
  const touched = new Set((coming.offers ?? []).map(({ id }) => id));
  const codesOf = new Map([...touched].map((id) => [id, new Set<string>()]));
  const turns = createSlices(codesPerSlice);
  const uploads: OfferUpload[] = [];
  for (const upload of offerUploads) {
    const known = codesOf.get(upload.offerId);
    const name = `${upload.id}.json`;
    if (!known || !files.has('codes', name)) {
      uploads.push(upload);
      continue;
    }
    const sent = await readList(files.path('codes', name));
    const fresh: string[] = [];
    for (const code of sent) {
      if (!known.has(code)) fresh.push(code);
      known.add(code);
      const turn = turns();
      if (turn) await turn;
    }
    const repeated = sent.length - fresh.length;
    uploads.push(
      repeated === 0
        ? upload
        : { ...upload, codeCount: fresh.length, duplicateCount: upload.duplicateCount + repeated },
    );
    if (repeated > 0) await writeFiles(files, [{ kind: 'codes', id: upload.id, lines: fresh }], products);
  }
  const counted = new Map<string, number>();
  for (const { offerId, codeCount } of uploads) counted.set(offerId, (counted.get(offerId) ?? 0) + codeCount);
  return {
    ...document,
    collections: {
      ...document.collections,
      offerUploads: uploads,
      offers: offers.map((offer) =>
        touched.has(offer.id) ? { ...offer, codeCount: counted.get(offer.id) ?? 0 } : offer,
      ),
    },
  };
}
