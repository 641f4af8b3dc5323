/** Merges the people of two states: two people are the same if they have an address or an identifier in common. */
import { toGlobalId } from '../ids.ts';
import { addressesOf, addressOnFile, isSameAddress } from '../people/addresses.ts';
import { identifiersOf, toExternalId, toOnePerson, withAllOf } from '../people/users.ts';
import type { Channel, Origin, PrivacyRequest, StoredRecord, Subscription, User } from '../records.ts';
import { personOf, type Definitions } from '../records/definition.ts';
import type { StateDocument } from '../store/store.ts';
import type { Steps } from '../time/slices.ts';

/** The part of a state that a merge needs. */
export type Mergeable = Pick<StateDocument, 'sequence' | 'collections'>;

/** Id in one of the two states → id in the merged state. Ids that stay the same are not in it. */
export type Renamed = Map<string, string>;

/** The origin of people who became one by a merge of states, not by a request. */
const mergedIn: Origin = { by: 'unknown', what: 'A state that was merged in', requestId: null };

/** The users who are one person. The first is from the present state, if any is. */
type Group = { readonly user: User; readonly from: 'here' | 'coming' }[];

/**
 * The incoming state without the people for whose deletion it still waits, if that deletion is done here: otherwise a
 * file that is merged in twice would bring back whom its own request deleted.
 */
export function* withoutDeleted(definitions: Definitions, present: Mergeable, wanted: Mergeable): Steps<Mergeable> {
  const done = new Set<string>();
  for (const { id, state } of requestsOf(present)) {
    if (state === 'processed') done.add(id);
    yield;
  }
  const waiting = requestsOf(wanted).filter(({ id, state }) => state !== 'processed' && done.has(id));
  const deleted = new Set<string>();
  for (const user of waiting.length === 0 ? [] : usersOf(wanted)) {
    if (waiting.some((request) => isSubject(user, request))) deleted.add(user.id);
    yield;
  }
  if (deleted.size === 0) return wanted;
  const collections: { [name: string]: readonly StoredRecord[] } = {};
  for (const [name, records] of Object.entries(wanted.collections)) {
    const person = name === 'users' ? { field: 'id' } : definitions[name]?.person;
    const kept: StoredRecord[] = [];
    for (const record of records) {
      if (!person || !deleted.has(personOf(record, person))) kept.push(record);
      yield;
    }
    collections[name] = kept;
  }
  return { ...wanted, collections };
}

/** Returns the people of both states, each once, and the new ids in each state of those that were renamed. */
export function* matchPeople(
  present: Mergeable,
  wanted: Mergeable,
  { at, nextNumber }: { readonly at: string; readonly nextNumber: () => number },
): Steps<{ readonly users: readonly User[]; readonly here: Renamed; readonly coming: Renamed }> {
  const [here, coming] = [usersOf(present), usersOf(wanted)];
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
  const renamed = { here: new Map<string, string>(), coming: new Map<string, string>() };
  const taken = new Set(here.flatMap(({ id, merged }) => [id, ...merged.map((one) => one.id)]));
  const comingById = new Map(coming.map((user) => [user.id, user]));
  for (const [id, request] of yield* deletedIn(present)) {
    const user = comingById.get(id);
    if (user && !isSubject(user, request)) taken.add(id);
  }
  const hereById = new Map(here.map((user) => [user.id, user]));
  for (const [id, request] of yield* deletedIn(wanted)) {
    const user = hereById.get(id);
    const isOther = taken.has(id) && !(user && isSubject(user, request));
    if (isOther && !comingById.has(id)) renamed.coming.set(id, toGlobalId('User', nextNumber()));
  }
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
    // Earlier messages and webhooks contain the numbers of the people who were merged into one of them.
    const merged = new Map([...user.merged, ...came.flatMap((one) => one.merged)].map((one) => [one.id, one]));
    // Someone who became another person there may still be this person here.
    merged.delete(user.id);
    users.push(others.length === 0 ? user : { ...user, merged: [...merged.values()] });
    yield;
  }
  return { users, ...renamed };
}

/**
 * The subscriptions, each to the address as its person has it on file: two states may have one email in different case.
 */
export function* withAddressesOnFile(
  subscriptions: Iterable<Subscription>,
  users: readonly User[],
): Steps<readonly Subscription[]> {
  const byId = new Map(users.map((user) => [user.id, user]));
  const all: Subscription[] = [];
  for (const one of subscriptions) {
    const user = byId.get(one.userId);
    const address = (user && addressOnFile(user, one.channel, one.address)) ?? one.address;
    all.push(address === one.address ? one : { ...one, address });
    yield;
  }
  return all;
}

function usersOf({ collections }: Mergeable): readonly User[] {
  return (collections.users ?? []) as readonly User[];
}

function requestsOf({ collections }: Mergeable): readonly PrivacyRequest[] {
  return (collections.privacyRequests ?? []) as readonly PrivacyRequest[];
}

/** Id of a deleted person → the request for the deletion. */
function* deletedIn(state: Mergeable): Steps<ReadonlyMap<string, PrivacyRequest>> {
  const found = new Map<string, PrivacyRequest>();
  for (const request of requestsOf(state)) {
    for (const id of request.deletedUserIds) found.set(id, request);
    yield;
  }
  return found;
}

/**
 * Whether a person has an address of a deletion request. Then they are the deleted person, in a state from before it.
 */
function isSubject(user: User, { companyId, subjectPhone, subjectEmail }: PrivacyRequest): boolean {
  if (user.companyId !== companyId) return false;
  const has = (channel: Channel, value: string | null): boolean =>
    value !== null && addressesOf(user, channel).some((one) => isSameAddress(channel, one, value));
  return has('TEXT', subjectPhone) || has('EMAIL', subjectEmail);
}
