import type { PersonView } from '../../../emulator/control/protocol.ts';

export type Person = PersonView['person'];

/** A phone number in groups where its plan is that of +1; any other as it is. */
export function toPhone(phone: string): string {
  const match = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone);
  return match ? `+1 ${match[1]} ${match[2]} ${match[3]}` : phone;
}

/** What a person is called: the platform knows no names, so the first of their identities. */
export function toTitle(person: Person): string {
  const [custom] = person.customIdentifiers;
  return (
    (person.phones[0] === undefined ? undefined : toPhone(person.phones[0])) ??
    person.emails[0] ??
    person.clientUserIds[0] ??
    custom?.value ??
    person.shopifyIds[0] ??
    person.klaviyoIds[0] ??
    person.id
  );
}

/** By what an API call names a person; null where it cannot. */
export function toUser(person: Person): { readonly [name: string]: unknown } | null {
  const [phone] = person.phones;
  if (phone !== undefined) return { phone };
  const [email] = person.emails;
  if (email !== undefined) return { email };
  const [clientUserId] = person.clientUserIds;
  if (clientUserId !== undefined) return { externalIdentifiers: { clientUserId } };
  if (person.customIdentifiers.length > 0)
    return { externalIdentifiers: { customIdentifiers: person.customIdentifiers.slice(0, 1) } };
  return null;
}
