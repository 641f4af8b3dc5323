import { observed, orEmpty, type Infer } from '../contract/schema.ts';
import { isE164, isEmail } from '../contract/formats.ts';
import { meantEmail, sayE164 } from '../contract/meant.ts';
import { readCustomIdentifiers, readIdentifier } from './custom-identifiers.ts';
import type { Caller } from './caller.ts';
import type { User } from '../records.ts';
import {
  fixPhone,
  inBody,
  inObject,
  refuse,
  refuseMissing,
  remove,
  rule,
  sayAddress,
  set,
  setMeant,
  show,
  toRefusal,
} from '../rules.ts';
import { toOrigin } from './addresses.ts';
import type { Identifiers, Users } from './users.ts';

const absent = 'Null and blank text count as left out.';

const customIdentifier = {
  type: 'object',
  required: ['name', 'value'],
  properties: {
    name: observed({ type: 'string', examples: ['loyaltyId'] }),
    value: observed({ type: ['string', 'null'], examples: ['L-1'] }),
  },
} as const;

/**
 * The user of an event or attribute (section 2.5; docs/platform.md, Users in events). Members may be null or '' and
 * custom identifiers an object map, because public clients send them like that; `readEventUser` adds a note.
 */
export const eventUserSchema = {
  type: 'object',
  properties: {
    phone: orEmpty(observed({ type: ['string', 'null'], description: absent, examples: ['+15555550100'] }), {
      format: 'e164',
    }),
    email: orEmpty(observed({ type: ['string', 'null'], description: absent, examples: ['ada@example.com'] }), {
      format: 'email',
    }),
    externalIdentifiers: observed({
      type: ['object', 'null'],
      properties: {
        clientUserId: observed({ type: ['string', 'null'], examples: ['client-1'] }),
        customIdentifiers: observed({
          anyOf: [
            { type: 'array', items: customIdentifier },
            { type: ['object', 'null'], additionalProperties: { type: ['string', 'null'] } },
          ],
          examples: [[{ name: 'loyaltyId', value: 'L-1' }]],
        }),
        shopifyId: observed({ type: ['string', 'null'] }),
        klaviyoId: observed({ type: ['string', 'null'] }),
      },
    }),
  },
  examples: [{ phone: '+15555550100', email: 'ada@example.com' }],
} as const;

export type EventUser = Infer<typeof eventUserSchema>;

/** The rules for the user of events, e-commerce events and attributes. */
export const eventUserRules = {
  missing: rule<{ clientUserId: string | null }>({
    id: 'user.no-identifier',
    status: 400,
    section: '2.5',
    provenance: 'observed',
    says: 'The user has at least one of phone, email and externalIdentifiers.',
    message: () =>
      'The user has no identifier: give at least one of phone, email, externalIdentifiers.clientUserId and externalIdentifiers.customIdentifiers.',
    fix: ({ clientUserId }) =>
      clientUserId === null
        ? { say: 'Name the user, for example by an email address.', edits: [] }
        : {
            say: 'Send clientUserId in externalIdentifiers.',
            edits: [remove(inBody('/user/clientUserId')), set(inBody('/user/externalIdentifiers'), { clientUserId })],
          },
  }),
  phone: rule<{ sent: string }>({
    id: 'user.phone-e164',
    status: 400,
    section: '2.5',
    provenance: 'documented',
    says: 'phone is E.164: a plus sign followed by country code and digits, with no separators or spaces.',
    message: ({ sent }) => `The phone ${show(sent)} is not in E.164 form. ${sayE164(sent)}`,
    fix: ({ sent }, place) => fixPhone(sent, place),
  }),
  email: rule<{ sent: string }>({
    id: 'user.email',
    status: 400,
    section: '2.5',
    provenance: 'assumed',
    reason: 'The specification requires only a text; with another one the user could never be reached.',
    says: 'email is an email address.',
    message: ({ sent }) => `${show(sent)} is not an email address such as ada@example.com.`,
    fix: ({ sent }, place) => setMeant(place, meantEmail(sent), sayAddress.email),
  }),
} as const;

/**
 * Reads the `user` of an event. Refuses with 400 a phone that is not E.164, an invalid email, and a user without any
 * identifier.
 */
export function readEventUser(user: EventUser, note: (remark: string) => void): Identifiers {
  const external = user.externalIdentifiers ?? {};
  const read = (value: string | null | undefined, name: string): string | undefined =>
    readIdentifier(value, `user.${name}`, note);
  const phone = read(user.phone, 'phone');
  const email = read(user.email, 'email');
  if (phone !== undefined && !isE164(phone))
    refuse(eventUserRules.phone, inBody('/user/phone'), phone, { sent: phone });
  if (email !== undefined && !isEmail(email))
    refuse(eventUserRules.email, inBody('/user/email'), email, { sent: email });
  const identifiers = {
    phone,
    email,
    clientUserId: read(external.clientUserId, 'externalIdentifiers.clientUserId'),
    shopifyId: read(external.shopifyId, 'externalIdentifiers.shopifyId'),
    klaviyoId: read(external.klaviyoId, 'externalIdentifiers.klaviyoId'),
    customIdentifiers: readCustomIdentifiers(external.customIdentifiers, note),
  };
  if (identifiers.shopifyId !== undefined || identifiers.klaviyoId !== undefined) {
    note('shopifyId and klaviyoId are not external identifiers of an event; they were accepted anyway (observed).');
  }
  const { clientUserId, shopifyId, klaviyoId, customIdentifiers } = identifiers;
  const named = phone ?? email ?? clientUserId ?? shopifyId ?? klaviyoId ?? customIdentifiers[0];
  if (named !== undefined) return identifiers;
  // The place that it has in the body of identity resolution.
  const { clientUserId: beside } = user as { readonly clientUserId?: unknown };
  const sent = typeof beside === 'string' && beside.trim() !== '' ? beside : null;
  const refusal = toRefusal(eventUserRules.missing, inBody('/user'), user, { clientUserId: sent });
  if (sent !== null) throw refusal;
  return refuseMissing(refusal, user, ['phone', 'email', 'externalIdentifiers'], inObject('/user'));
}

/** The caller's person for the user of an event, created if there is none. Inside a transaction. */
export function toPerson(
  { users }: { readonly users: Users },
  caller: Caller,
  by: Identifiers,
  at: string,
  note: (remark: string) => void,
): User {
  const person = users.findOrMake(caller.companyId, by, { at, from: toOrigin(caller), note });
  if (person.addresses.length === 0) {
    note(
      'The external identifiers are linked to no phone or email yet, so no message can be sent. Link them with POST /identity-resolution/user-identifiers.',
    );
  }
  return person;
}
