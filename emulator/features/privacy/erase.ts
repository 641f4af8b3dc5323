import type { PrivacyRequest, StoredRecord, User } from '../../records.ts';
import type { Collection, Index, Store } from '../../store/store.ts';
import type { Identifiers, Users } from '../../people/users.ts';

/** How many of what goes with a person. */
export interface Kept {
  readonly subscriptions: number;
  readonly attributeValues: number;
  readonly events: number;
  readonly messages: number;
  readonly shortLinks: number;
}

/** What a deletion request took away: people by id, and what was kept of them. */
export interface Erased {
  readonly userIds: readonly string[];
  readonly kept: Kept;
}

/**
 * Creates the act of a deletion request: it deletes the matching people of its company with their subscriptions,
 * attribute values, events, messages and short links, and answers with what that was. Inside a transaction.
 */
export function createEraser(store: Store, users: Users): (request: PrivacyRequest) => Erased {
  return (request) => {
    const people = users.find(request.companyId, toSubject(request));
    const kept = people.map((user) => keptOf(store, user));
    const userIds = people.map((user) => eraseUser(store, user));
    return { userIds, kept: sumOf(kept) };
  };
}

/** What is kept of a person, and would go with them. */
export function keptOf(store: Store, { id }: User): Kept {
  const counts = collectionsOf(store).map((kept) => [kept.name, byUser(kept).get(id).length]);
  return Object.fromEntries(counts) as unknown as Kept;
}

/** In words: `2 subscriptions, 1 event`; '' where there is nothing. */
export function toWords(kept: Kept): string {
  const nouns = [
    ['subscription', kept.subscriptions],
    ['attribute value', kept.attributeValues],
    ['event', kept.events],
    ['message', kept.messages],
    ['short link', kept.shortLinks],
  ] as const;
  return nouns
    .flatMap(([noun, count]) => (count === 0 ? [] : [`${count} ${noun}${count === 1 ? '' : 's'}`]))
    .join(', ');
}

/**
 * Only users matching the submitted email or phone are processed (section 4, Privacy deletion). A clientUserId counts
 * only where both are empty (docs/platform.md, Privacy requests).
 */
export function toSubject({ subjectPhone, subjectEmail, clientUserId }: PrivacyRequest): Identifiers {
  const named = subjectPhone !== null || subjectEmail !== null;
  return named ? { phone: subjectPhone, email: subjectEmail } : { clientUserId };
}

function eraseUser(store: Store, { id }: User): string {
  for (const kept of collectionsOf(store)) for (const one of byUser(kept).get(id)) kept.delete(one.id);
  store.users.delete(id);
  return id;
}

function collectionsOf(store: Store): readonly Collection<Owned>[] {
  const { subscriptions, attributeValues, events, messages, shortLinks } = store;
  return [subscriptions, attributeValues, events, messages, shortLinks] as unknown as readonly Collection<Owned>[];
}

const byUser = (kept: Collection<Owned>): Index<Owned> => kept.index('byUser', ({ userId }) => [userId]);

function sumOf(all: readonly Kept[]): Kept {
  const sum = (field: keyof Kept): number => all.reduce((count, kept) => count + kept[field], 0);
  return {
    subscriptions: sum('subscriptions'),
    attributeValues: sum('attributeValues'),
    events: sum('events'),
    messages: sum('messages'),
    shortLinks: sum('shortLinks'),
  };
}

type Owned = StoredRecord & { readonly userId: string };
