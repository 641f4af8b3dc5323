import { toGlobalId } from '../ids.ts';
import type { CustomIdentifier, User } from '../records.ts';
import type { Store } from '../store/store.ts';
import { moveToPerson } from './of-person.ts';

/** Everything by which a person can be found. Absent and null mean: not given. */
export interface Identifiers {
  readonly phone?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly clientUserId?: string | null | undefined;
  readonly shopifyId?: string | null | undefined;
  readonly klaviyoId?: string | null | undefined;
  readonly customIdentifiers?: readonly CustomIdentifier[] | undefined;
}

/** Finds, makes and bridges the people of a company. */
export interface Users {
  /** Everybody whom any of the identifiers names, the one of the strongest identifier first. */
  find(companyId: string, by: Identifiers): readonly User[];
  /**
   * The one person the identifiers name, made where there is none. Where they name several, those become one
   * (section 4, Identity, 3: duplicated values may bridge different users together). Inside a transaction.
   */
  findOrMake(companyId: string, by: Identifiers, at: string): User;
}

/** Email addresses are compared without case; everything else exactly. */
const toEmailKey = (email: string): string => email.toLowerCase();

function toKeys(companyId: string, by: Identifiers): readonly string[] {
  const keys: string[] = [];
  if (by.phone) keys.push(`${companyId} phone ${by.phone}`);
  if (by.email) keys.push(`${companyId} email ${toEmailKey(by.email)}`);
  if (by.clientUserId) keys.push(`${companyId} client ${by.clientUserId}`);
  if (by.shopifyId) keys.push(`${companyId} shopify ${by.shopifyId}`);
  if (by.klaviyoId) keys.push(`${companyId} klaviyo ${by.klaviyoId}`);
  for (const { name, value } of by.customIdentifiers ?? [])
    keys.push(`${companyId} custom ${JSON.stringify([name, value])}`);
  return keys;
}

function keysOfUser(user: User): readonly string[] {
  const { companyId } = user;
  return [
    ...user.phones.flatMap((phone) => toKeys(companyId, { phone })),
    ...user.emails.flatMap((email) => toKeys(companyId, { email })),
    ...user.clientUserIds.flatMap((clientUserId) => toKeys(companyId, { clientUserId })),
    ...user.shopifyIds.flatMap((shopifyId) => toKeys(companyId, { shopifyId })),
    ...user.klaviyoIds.flatMap((klaviyoId) => toKeys(companyId, { klaviyoId })),
    ...toKeys(companyId, { customIdentifiers: user.customIdentifiers }),
  ];
}

/** Creates the finder over a store's `users`. */
export function createUsers(store: Store): Users {
  const byKey = store.users.index('byIdentifier', keysOfUser);

  const find = (companyId: string, by: Identifiers): readonly User[] => {
    const found = new Map<string, User>();
    for (const key of toKeys(companyId, by)) for (const user of byKey.get(key)) found.set(user.id, user);
    return [...found.values()];
  };

  return {
    find,
    findOrMake(companyId, by, at) {
      const [first, ...others] = find(companyId, by);
      const whole = withIdentifiers(others.reduce(merge, first ?? newUser(companyId, store.nextNumber(), at)), by);
      if (whole === first) return first;
      store.users.put(whole);
      for (const other of others) {
        moveToPerson(store, other.id, whole.id);
        store.users.delete(other.id);
      }
      return whole;
    },
  };
}

function newUser(companyId: string, number: number, createdAt: string): User {
  return {
    id: toGlobalId('User', number),
    companyId,
    externalId: 16_000_000 + number,
    phones: [],
    emails: [],
    clientUserIds: [],
    shopifyIds: [],
    klaviyoIds: [],
    customIdentifiers: [],
    createdAt,
  };
}

/** The same object comes back where the person already has every value. */
function withIdentifiers(user: User, more: Identifiers): User {
  const phones = withValue(user.phones, more.phone);
  const emails = withValue(user.emails, more.email, toEmailKey);
  const clientUserIds = withValue(user.clientUserIds, more.clientUserId);
  const shopifyIds = withValue(user.shopifyIds, more.shopifyId);
  const klaviyoIds = withValue(user.klaviyoIds, more.klaviyoId);
  const customIdentifiers = (more.customIdentifiers ?? []).reduce(withCustom, user.customIdentifiers);
  const same =
    phones === user.phones &&
    emails === user.emails &&
    clientUserIds === user.clientUserIds &&
    shopifyIds === user.shopifyIds &&
    klaviyoIds === user.klaviyoIds &&
    customIdentifiers === user.customIdentifiers;
  return same ? user : { ...user, phones, emails, clientUserIds, shopifyIds, klaviyoIds, customIdentifiers };
}

function withValue(
  values: readonly string[],
  value: string | null | undefined,
  toKey = (text: string) => text,
): readonly string[] {
  return value && !values.some((known) => toKey(known) === toKey(value)) ? [...values, value] : values;
}

function withCustom(all: readonly CustomIdentifier[], one: CustomIdentifier): readonly CustomIdentifier[] {
  const known = all.some(({ name, value }) => name === one.name && value === one.value);
  return known ? all : [...all, { name: one.name, value: one.value }];
}

function merge(user: User, other: User): User {
  const union = (mine: readonly string[], theirs: readonly string[]) => [...new Set([...mine, ...theirs])];
  return {
    ...user,
    phones: union(user.phones, other.phones),
    emails: union(user.emails, other.emails),
    clientUserIds: union(user.clientUserIds, other.clientUserIds),
    shopifyIds: union(user.shopifyIds, other.shopifyIds),
    klaviyoIds: union(user.klaviyoIds, other.klaviyoIds),
    customIdentifiers: other.customIdentifiers.reduce(withCustom, user.customIdentifiers),
  };
}
