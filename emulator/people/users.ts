import { meantPhone } from '../contract/meant.ts';
import { toGlobalId } from '../ids.ts';
import { none, withItem } from '../records/lists.ts';
import type { CustomIdentifier, Origin, User } from '../records.ts';
import type { Store } from '../store/store.ts';
import {
  addressesOf,
  channels,
  kindOf,
  namedOn,
  toAddressKey,
  withAddresses,
  withNamed,
  type Named,
} from './addresses.ts';
import { moveToPerson } from './of-person.ts';

/** Everything that identifies a person. Absent and null both mean: not given. */
export interface Identifiers extends Named {
  readonly clientUserId?: string | null | undefined;
  readonly shopifyId?: string | null | undefined;
  readonly klaviyoId?: string | null | undefined;
  readonly customIdentifiers?: readonly CustomIdentifier[] | undefined;
}

/** When identifiers became known, and their source. */
export interface Known {
  /** ISO 8601. */
  readonly at: string;
  readonly from: Origin;
  /** Adds a note to the request: who was merged into whom, and which address is new for a known person. */
  readonly note?: ((remark: string) => void) | undefined;
}

/** Finds, creates and merges the people of a company. */
export interface Users {
  /** All people that match any of the identifiers, the one with the strongest identifier first. */
  find(companyId: string, by: Identifiers): readonly User[];
  /**
   * The person with these identifiers, created if there is none. If several people match, they are merged (section 4,
   * Identity, 3: duplicated values may bridge different users together). Inside a transaction.
   */
  findOrMake(companyId: string, by: Identifiers, known: Known): User;
}

/**
 * The index keys of a person's phones and email addresses. A key is the address itself, which the person has anyway,
 * and not a text with the company: with many people such texts would take a tenth of the memory.
 */
const addressKeys = ({ addresses }: User): readonly string[] =>
  addresses.map(({ channel, value }) => toAddressKey(channel, value));

function toKeys(by: Omit<Identifiers, keyof Named>): readonly string[] {
  const keys: string[] = [];
  if (by.clientUserId) keys.push(`client ${by.clientUserId}`);
  if (by.shopifyId) keys.push(`shopify ${by.shopifyId}`);
  if (by.klaviyoId) keys.push(`klaviyo ${by.klaviyoId}`);
  for (const { name, value } of by.customIdentifiers ?? []) keys.push(`custom ${JSON.stringify([name, value])}`);
  return keys;
}

function otherKeys({ clientUserIds, shopifyIds, klaviyoIds, customIdentifiers }: User): readonly string[] {
  return [
    ...clientUserIds.flatMap((clientUserId) => toKeys({ clientUserId })),
    ...shopifyIds.flatMap((shopifyId) => toKeys({ shopifyId })),
    ...klaviyoIds.flatMap((klaviyoId) => toKeys({ klaviyoId })),
    ...toKeys({ customIdentifiers }),
  ];
}

/** Everything that names a person within their company: no two people of a state share any of it. */
export function identifiersOf(user: User): readonly string[] {
  return [...addressKeys(user), ...otherKeys(user)];
}

/** The `external_id` of a person, from their number in the sequence. */
export const toExternalId = (number: number): number => 16_000_000 + number;

/** Creates the finder over a store's `users`. */
export function createUsers(store: Store): Users {
  const byAddress = store.users.index('byAddress', addressKeys);
  const byOther = store.users.index('byOtherIdentifier', otherKeys);

  const find = (companyId: string, by: Identifiers): readonly User[] => {
    const found = new Map<string, User>();
    const add = (users: readonly User[]): void => {
      for (const user of users) if (user.companyId === companyId) found.set(user.id, user);
    };
    for (const channel of channels) {
      const value = namedOn(channel, by);
      if (value !== null) add(byAddress.get(toAddressKey(channel, value)));
    }
    for (const key of toKeys(by)) add(byOther.get(key));
    return [...found.values()];
  };

  return {
    find,
    findOrMake(companyId, by, known) {
      const [first, ...others] = find(companyId, by);
      const one = toOnePerson(first ?? newUser(companyId, store, known), others, known);
      const whole = withIdentifiers(one, by, known);
      if (whole === first) return first;
      store.users.put(whole);
      for (const other of others) {
        moveToPerson(store, other.id, whole.id);
        store.users.delete(other.id);
      }
      if (first && known.note) remark(first, others, whole, known.note);
      return whole;
    },
  };
}

function newUser(companyId: string, store: Store, { at }: Known): User {
  const number = store.nextNumber();
  return {
    id: toGlobalId('User', number),
    companyId,
    externalId: toExternalId(number),
    addresses: none,
    clientUserIds: none,
    shopifyIds: none,
    klaviyoIds: none,
    customIdentifiers: none,
    merged: none,
    createdAt: at,
  };
}

/** Returns the same object if the person already has every value. */
function withIdentifiers(user: User, more: Identifiers, { at, from }: Known): User {
  const addresses = withNamed(user.addresses, more, { since: at, from });
  const clientUserIds = withValue(user.clientUserIds, more.clientUserId);
  const shopifyIds = withValue(user.shopifyIds, more.shopifyId);
  const klaviyoIds = withValue(user.klaviyoIds, more.klaviyoId);
  const customIdentifiers = withCustom(user.customIdentifiers, more.customIdentifiers ?? []);
  const same =
    addresses === user.addresses &&
    clientUserIds === user.clientUserIds &&
    shopifyIds === user.shopifyIds &&
    klaviyoIds === user.klaviyoIds &&
    customIdentifiers === user.customIdentifiers;
  if (same) return user;
  const { id, companyId, externalId, merged, createdAt } = user;
  return {
    id,
    companyId,
    externalId,
    addresses,
    clientUserIds,
    shopifyIds,
    klaviyoIds,
    customIdentifiers,
    merged,
    createdAt,
  };
}

function withValue(values: readonly string[], value: string | null | undefined): readonly string[] {
  return value && !values.includes(value) ? withItem(values, value) : values;
}

/** Returns the same list if it already has every one of them. */
function withCustom(all: readonly CustomIdentifier[], more: readonly CustomIdentifier[]): readonly CustomIdentifier[] {
  if (more.length === 0) return all;
  const keyOf = ({ name, value }: CustomIdentifier): string => JSON.stringify([name, value]);
  const known = new Set(all.map(keyOf));
  const fresh = more.filter((one) => {
    const key = keyOf(one);
    return !known.has(key) && known.add(key);
  });
  return fresh.length === 0 ? all : all.concat(fresh.map(({ name, value }) => ({ name, value })));
}

/** The first person with all identifiers of the others, and a reference to each of them. */
export function toOnePerson(user: User, others: readonly User[], { at, from }: Pick<Known, 'at' | 'from'>): User {
  if (others.length === 0) return user;
  return {
    ...withAllOf(user, others),
    merged: [
      ...user.merged,
      ...others.flatMap((other) => [
        ...other.merged,
        { id: other.id, externalId: other.externalId, name: nameOf(other), at, from },
      ]),
    ],
  };
}

/** The person with all identifiers of the others. */
export function withAllOf(user: User, others: readonly User[]): User {
  const union = (of: (one: User) => readonly string[]) => [...new Set([user, ...others].flatMap(of))];
  return {
    ...user,
    addresses: withAddresses(
      user.addresses,
      others.flatMap(({ addresses }) => addresses),
    ),
    clientUserIds: union((one) => one.clientUserIds),
    shopifyIds: union((one) => one.shopifyIds),
    klaviyoIds: union((one) => one.klaviyoIds),
    customIdentifiers: withCustom(
      user.customIdentifiers,
      others.flatMap((other) => other.customIdentifiers),
    ),
  };
}

/** A short name for a person: an address or an identifier, else their number. */
function nameOf({ addresses, clientUserIds, customIdentifiers, externalId }: User): string {
  return addresses[0]?.value ?? clientUserIds[0] ?? customIdentifiers[0]?.value ?? `person ${externalId}`;
}

/** Adds notes to the request about its changes to known people. */
function remark(first: User, others: readonly User[], whole: User, note: (remark: string) => void): void {
  for (const other of others)
    note(
      `The identifiers of this request belonged to ${others.length + 1} people, who are now merged (section 4, Identity, 3): ${describe(other)} was merged into ${describe(first)}, with every address, subscription and record; of an attribute that both had, the newer value stays.`,
    );
  const before = new Set([first, ...others].flatMap((user) => user.addresses.map(({ value }) => value)));
  for (const { channel, value } of before.size === 0 ? [] : whole.addresses.filter((one) => !before.has(one.value)))
    note(
      `${value} is a new ${kindOf[channel]} of ${describe(first)}. It does not take over the subscriptions of the other addresses.`,
    );
}

function describe(user: User): string {
  const names = [...channels.flatMap((channel) => addressesOf(user, channel)), ...user.clientUserIds].slice(0, 4);
  return `person ${user.externalId}${names.length === 0 ? '' : ` (${names.join(', ')})`}`;
}

/** The phone in E.164 form, if it was sent in another form and with it a person is found; else null. */
export function knownPhoneMeant(
  users: Pick<Users, 'find'>,
  companyId: string,
  by: { readonly phone?: string | undefined; readonly email?: string | undefined },
): string | null {
  const phone = by.phone === undefined ? null : meantPhone(by.phone);
  return phone !== null && phone !== by.phone && users.find(companyId, { ...by, phone }).length > 0 ? phone : null;
}
