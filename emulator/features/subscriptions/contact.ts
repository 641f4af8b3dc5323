import { isE164, isEmail } from '../../contract/formats.ts';
import { inBody, inObject, inQuery, refuse, refuseMissing, toRefusal, type Place } from '../../rules.ts';
import { subscriptionRules } from './rules.ts';

/** The addresses by which a request names a person; at least one of the two. */
export interface Contact {
  readonly phone: string | null;
  readonly email: string | null;
}

type Sent = { readonly phone?: string | null | undefined; readonly email?: string | null | undefined };

const addresses = ['phone', 'email'];

/** The contact in a body's `user`; refused if one is malformed or both are missing. */
export function toContact(user: Sent, note: (remark: string) => void): Contact {
  const contact = read(user, (name) => inBody(`/user/${name}`), note);
  if (contact.phone === null && contact.email === null)
    refuseMissing(
      toRefusal(subscriptionRules.contact, inBody('/user'), user, undefined),
      user,
      addresses,
      inObject('/user'),
    );
  return contact;
}

/**
 * The contact in a query. Public clients send both parameters, so both are allowed (docs/platform.md, Subscriptions).
 */
export function toQueryContact(query: Sent, note: (remark: string) => void): Contact {
  const contact = read(query, inQuery, note);
  if (contact.phone === null && contact.email === null) {
    const refusal = toRefusal(subscriptionRules.queryContact, inQuery('phone'), query.phone, undefined);
    refuseMissing(refusal, query, addresses, inQuery);
  }
  return contact;
}

/** Only the given addresses, as replies repeat them. */
export function toEcho({ phone, email }: Contact): { phone?: string; email?: string } {
  if (email === null) return phone === null ? {} : { phone };
  return phone === null ? { email } : { phone, email };
}

/** The contact in words: `phone +1…` or `phone +1… or email a@b`. */
export function describeContact({ phone, email }: Contact): string {
  return [phone && `phone ${phone}`, email && `email ${email}`].filter(Boolean).join(' or ');
}

function read(sent: Sent, at: (name: keyof Contact) => Place, note: (remark: string) => void): Contact {
  const given = (name: keyof Contact): string | null => {
    if (sent[name] === null || sent[name] === '')
      note(`${name} was sent as ${JSON.stringify(sent[name])} and was read as left out.`);
    return sent[name] || null;
  };
  const phone = given('phone');
  const email = given('email');
  if (phone !== null && !isE164(phone)) refuse(subscriptionRules.phone, at('phone'), phone, { sent: phone });
  if (email !== null && !isEmail(email)) {
    const place = at('email');
    refuse(subscriptionRules.email, place, email, { sent: email, isQuery: place.in === 'query' });
  }
  return { phone, email };
}
