import { emailsOf, phonesOf } from '../../people/addresses.ts';
import type { Channel, Subscription, User } from '../../records.ts';
import type { Person } from '../../records/definition.ts';
import type { Store } from '../../store/store.ts';
import { inParts } from '../../time/slices.ts';
import type { NamedPersonView } from '../contract/parts.ts';
import type { PersonLineView } from '../contract/people.ts';

/** How many people are looked at before the event loop gets a turn. */
const perTurn = 2_000;

interface Identity {
  readonly by: string;
  readonly value: string;
}

/** The identifiers of a person, the most descriptive one first. */
export function identitiesOf(user: User): readonly Identity[] {
  const named = (by: string, values: readonly string[]): readonly Identity[] => values.map((value) => ({ by, value }));
  return [
    ...named('phone', phonesOf(user)),
    ...named('email', emailsOf(user)),
    ...named('clientUserId', user.clientUserIds),
    ...user.customIdentifiers.map(({ name, value }) => ({ by: name, value })),
    ...named('shopifyId', user.shopifyIds),
    ...named('klaviyoId', user.klaviyoIds),
  ];
}

/**
 * The ids, numbers and names by which records refer to people.
 * @param also texts that may refer to them, too
 */
export function toPerson(users: readonly User[], also: readonly string[] = []): Person {
  return {
    ids: users.map(({ id }) => id),
    numbers: users.flatMap(({ externalId, merged }) => [externalId, ...merged.map((one) => one.externalId)]),
    called: [...also, ...users.flatMap((user) => identitiesOf(user).map(({ value }) => value))].map((name) =>
      name.toLowerCase(),
    ),
  };
}

/** Yields the people of a company that match a search, in parts, newest first; all people if the search is empty. */
export async function* searchPeople(
  store: Store,
  companyId: string,
  search: string,
): AsyncGenerator<readonly User[], void, void> {
  const finds = toMatcher(search);
  for await (const part of inParts(store.users.records().toReversed(), perTurn))
    yield part.filter((user) => user.companyId === companyId && (!finds || finds(user) !== null));
}

const userOf = ({ userId }: Subscription): readonly string[] => [userId];

/** Prepares the index that `toPersonLine` uses. */
export function prepareLines(store: Store): Promise<void> {
  return store.subscriptions.prepareIndex('byUser', userOf);
}

/** A person as a line of the list. */
export function toPersonLine(store: Store, user: User, search: string): PersonLineView {
  const names = identitiesOf(user)
    .slice(0, 2)
    .map(({ value }) => value);
  const found = toMatcher(search)?.(user) ?? null;
  const channels = new Set<Channel>();
  for (const { channel, status } of store.subscriptions.index('byUser', userOf).get(user.id))
    if (status === 'subscribed') channels.add(channel);
  return {
    id: user.id,
    names: names.length > 0 ? names : [user.id],
    found: found && !names.includes(found.value) ? found : null,
    subscribed: (['TEXT', 'EMAIL'] as const).filter((channel) => channels.has(channel)),
  };
}

/** The digits of a phone number as people write it, such as `(555) 555-0123`; empty if the text is not a number. */
export function toPhoneDigits(text: string): string {
  return /^\+?[\d\s().-]+$/.test(text) ? text.replaceAll(/\D/g, '') : '';
}

/** Returns a function that finds the identifier of a person that matches a search; null if the search is empty. */
function toMatcher(search: string): ((user: User) => Identity | null) | null {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return null;
  const digits = toPhoneDigits(wanted);
  return (user) => {
    for (const identity of identitiesOf(user)) {
      if (identity.value.toLowerCase().includes(wanted)) return identity;
      if (digits !== '' && identity.by === 'phone' && identity.value.includes(digits)) return identity;
    }
    const custom = user.customIdentifiers.find(({ name }) => name.toLowerCase().includes(wanted));
    if (custom) return { by: custom.name, value: custom.value };
    if (user.id.toLowerCase() === wanted) return { by: 'id', value: user.id };
    return String(user.externalId) === wanted ? { by: 'external_id', value: String(user.externalId) } : null;
  };
}

/** A person as a link: a phone, an email, or whatever else they are known by. */
export function toNamedPerson(store: Store, id: string): NamedPersonView {
  const user = store.users.get(id);
  return { id, name: user ? (identitiesOf(user)[0]?.value ?? user.id) : 'a deleted person' };
}
