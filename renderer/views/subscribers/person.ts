import type { PersonView } from '../../../emulator/control/calls.ts';

export type Person = PersonView['person'];

/** Groups the digits of a +1 phone number. Other numbers stay as they are. */
export function toPhone(phone: string): string {
  const match = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone);
  return match ? `+1 ${match[1]} ${match[2]} ${match[3]}` : phone;
}

export type Address = Person['addresses'][number];

/** The addresses of a channel, in the order in which they became known. */
export function addressesOf(person: Person, channel: Address['channel']): readonly string[] {
  return person.addresses.filter((one) => one.channel === channel).map(({ value }) => value);
}

export const phonesOf = (person: Person): readonly string[] => addressesOf(person, 'TEXT');
export const emailsOf = (person: Person): readonly string[] => addressesOf(person, 'EMAIL');

/** The title of a person: their first identity, because the platform knows no names. */
export function toTitle(person: Person): string {
  const [custom] = person.customIdentifiers;
  const [phone] = phonesOf(person);
  return (
    (phone === undefined ? undefined : toPhone(phone)) ??
    emailsOf(person)[0] ??
    person.clientUserIds[0] ??
    custom?.value ??
    person.shopifyIds[0] ??
    person.klaviyoIds[0] ??
    person.id
  );
}

/** The identity by which an API call can name a person; null if there is none. */
export function toUser(person: Person): { readonly [name: string]: unknown } | null {
  const [phone] = phonesOf(person);
  if (phone !== undefined) return { phone };
  const [email] = emailsOf(person);
  if (email !== undefined) return { email };
  const [clientUserId] = person.clientUserIds;
  if (clientUserId !== undefined) return { externalIdentifiers: { clientUserId } };
  if (person.customIdentifiers.length > 0)
    return { externalIdentifiers: { customIdentifiers: person.customIdentifiers.slice(0, 1) } };
  return null;
}
