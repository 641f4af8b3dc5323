/** The addresses of people: a phone takes texts, an email address takes emails, so a channel says which of them is meant. */
import type { Address, Channel, Origin, User } from '../records.ts';
import type { Caller } from './caller.ts';

/** By what a request names a person. Absent and null mean: not given. */
export interface Named {
  readonly phone?: string | null | undefined;
  readonly email?: string | null | undefined;
}

export const channels: readonly Channel[] = ['TEXT', 'EMAIL'];

/** What the address of a channel is called. */
export const kindOf: { readonly [C in Channel]: 'phone' | 'email' } = { TEXT: 'phone', EMAIL: 'email' };

/** The address that a request names on a channel. */
export function namedOn(channel: Channel, named: Named): string | null {
  return named[kindOf[channel]] || null;
}

/** The form in which addresses are compared: emails without case, phones exactly. */
export function toAddressKey(channel: Channel, value: string): string {
  return channel === 'EMAIL' ? value.toLowerCase() : value;
}

export function isSameAddress(channel: Channel, one: string, other: string): boolean {
  return toAddressKey(channel, one) === toAddressKey(channel, other);
}

/** A person's addresses of a channel, in the order in which they became known. */
export function addressesOf({ addresses }: Pick<User, 'addresses'>, channel: Channel): readonly string[] {
  return addresses.filter((one) => one.channel === channel).map(({ value }) => value);
}

export const phonesOf = (user: Pick<User, 'addresses'>): readonly string[] => addressesOf(user, 'TEXT');
export const emailsOf = (user: Pick<User, 'addresses'>): readonly string[] => addressesOf(user, 'EMAIL');

/**
 * The address by which something about a person names them on a channel: the one that is meant, as it is on file, else
 * the first that they have. Null where they have none.
 */
export function addressMeant(user: Pick<User, 'addresses'>, channel: Channel, named: Named = {}): string | null {
  const all = addressesOf(user, channel);
  const meant = namedOn(channel, named);
  return (meant && all.find((one) => isSameAddress(channel, one, meant))) || (all[0] ?? null);
}

/** The addresses with those that a request names and that are not among them; the same list where none is new. */
export function withNamed(
  addresses: readonly Address[],
  named: Named,
  { since, from }: Pick<Address, 'since' | 'from'>,
): readonly Address[] {
  const fresh = channels.flatMap((channel): readonly Address[] => {
    const value = namedOn(channel, named);
    return value === null ? [] : [{ channel, value, since, from }];
  });
  return withAddresses(addresses, fresh);
}

/** The addresses with those of another person; each keeps where it is known from. */
export function withAddresses(addresses: readonly Address[], more: readonly Address[]): readonly Address[] {
  const fresh = more.filter(
    ({ channel, value }) =>
      !addresses.some((one) => one.channel === channel && isSameAddress(channel, one.value, value)),
  );
  return fresh.length === 0 ? addresses : [...addresses, ...fresh];
}

/** Where what a request says is known from. */
export function toOrigin({ request }: Caller): Origin {
  return { by: 'request', what: request.operation, requestId: request.id };
}
