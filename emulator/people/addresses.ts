/**
 * The addresses of people. A phone takes texts, an email address takes emails, so a channel determines which is meant.
 */
import { withItem } from '../records/lists.ts';
import type { Address, Channel, Origin, User } from '../records.ts';
import type { Caller } from './caller.ts';

/** The addresses by which a request names a person. Absent and null both mean: not given. */
export interface Named {
  readonly phone?: string | null | undefined;
  readonly email?: string | null | undefined;
}

export const channels: readonly Channel[] = ['TEXT', 'EMAIL'];

/** The kind of address of each channel. */
export const kindOf: { readonly [C in Channel]: 'phone' | 'email' } = { TEXT: 'phone', EMAIL: 'email' };

/** The address that a request names on a channel. */
export function namedOn(channel: Channel, named: Named): string | null {
  return named[kindOf[channel]] || null;
}

/** The form in which addresses are compared: emails without case, phones exactly. */
export function toAddressKey(channel: Channel, value: string): string {
  return channel === 'EMAIL' ? value.toLowerCase() : value;
}

/** Whether two texts are the same address of a channel. Case does not count in emails. */
export function isSameAddress(channel: Channel, one: string, other: string): boolean {
  return toAddressKey(channel, one) === toAddressKey(channel, other);
}

/** A person's addresses of a channel, in the order in which they became known. */
export function addressesOf({ addresses }: Pick<User, 'addresses'>, channel: Channel): readonly string[] {
  return addresses.filter((one) => one.channel === channel).map(({ value }) => value);
}

/** A person’s phones, in the order in which they became known. */
export const phonesOf = (user: Pick<User, 'addresses'>): readonly string[] => addressesOf(user, 'TEXT');
/** A person’s email addresses, in the order in which they became known. */
export const emailsOf = (user: Pick<User, 'addresses'>): readonly string[] => addressesOf(user, 'EMAIL');

/**
 * The address to use for a person on a channel: the given one, as it is on file, else their first. Null if they have
 * none.
 */
export function addressMeant(user: Pick<User, 'addresses'>, channel: Channel, named: Named = {}): string | null {
  const meant = namedOn(channel, named);
  return (meant && addressOnFile(user, channel, meant)) || (addressesOf(user, channel)[0] ?? null);
}

/** An address of a person as it is on file, which may differ in case; undefined if the person does not have it. */
export function addressOnFile(user: Pick<User, 'addresses'>, channel: Channel, value: string): string | undefined {
  return addressesOf(user, channel).find((one) => isSameAddress(channel, one, value));
}

/** The addresses, with new ones from a request added; the same list if none is new. */
export function withNamed(
  addresses: readonly Address[],
  named: Named,
  { since, from }: Pick<Address, 'since' | 'from'>,
): readonly Address[] {
  let all = addresses;
  for (const channel of channels) {
    const value = namedOn(channel, named);
    if (value !== null && !hasAddress(addresses, channel, value)) all = withItem(all, { channel, value, since, from });
  }
  return all;
}

function hasAddress(addresses: readonly Address[], channel: Channel, value: string): boolean {
  return addresses.some((one) => one.channel === channel && isSameAddress(channel, one.value, value));
}

/** The addresses with those of other people added, each once; each keeps its source. */
export function withAddresses(addresses: readonly Address[], more: readonly Address[]): readonly Address[] {
  const keyOf = ({ channel, value }: Address): string => `${channel} ${toAddressKey(channel, value)}`;
  const known = new Set(addresses.map(keyOf));
  const fresh = more.filter((one) => {
    const key = keyOf(one);
    return !known.has(key) && known.add(key);
  });
  return fresh.length === 0 ? addresses : addresses.concat(fresh);
}

/** The origin of data that comes from a request. */
export function toOrigin({ request }: Caller): Origin {
  return { by: 'request', what: request.operation, requestId: request.id };
}
