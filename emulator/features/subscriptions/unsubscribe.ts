import type { Deps } from '../../deps.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Caller } from '../../people/caller.ts';
import { inBody, refuse } from '../../rules.ts';
import type { Channel, Subscription, SubscriptionType } from '../../records.ts';
import { namedOn } from '../../people/addresses.ts';
import { attempted, subscriptionsOfAddress } from '../../people/subscriptions.ts';
import { describeContact, toContact, toEcho, type Contact } from './contact.ts';
import { inStableOrder } from './eligibility.ts';
import { subscriptionRules } from './rules.ts';
import { unsubscribeBody, unsubscribeReply, type UnsubscribeBody } from './shapes.ts';

/** The result of unsubscribing. */
export interface UnsubscribeOutcome {
  readonly contact: Contact;
  /** `subscription` is null if a listed combination was never on file. */
  readonly results: readonly {
    readonly type: SubscriptionType;
    readonly channel: Channel;
    readonly subscription: Subscription | null;
    readonly isNew: boolean;
  }[];
}

/** POST /subscriptions/unsubscribe (section 4, Unsubscribe). */
export const unsubscribe = endpoint({
  operationId: 'unsubscribeSubscriptions',
  method: 'POST',
  path: '/subscriptions/unsubscribe',
  access: 'subscriptions:write',
  summary: 'Unsubscribe a user from some or all messages',
  section: '4, Unsubscribe',
  provenance: 'documented',
  rules: [subscriptionRules.contact, subscriptionRules.phone, subscriptionRules.email, subscriptionRules.unknownUser],
  body: unsubscribeBody,
  replies: { 202: unsubscribeReply },
  handle({ body, caller, now, note }, deps) {
    const { contact, results } = unsubscribeUser(deps, caller, body, now, note);
    return {
      status: 202,
      body: {
        user: toEcho(contact),
        subscriptionResponses: results.map(({ type, channel, isNew }) => ({
          subscription: { type, channel },
          subscriptionUnsubscribeStatus: isNew ? ('NEWLY_UNSUBSCRIBED' as const) : ('PREVIOUSLY_UNSUBSCRIBED' as const),
        })),
      },
    };
  },
});

/**
 * Unsubscribes a person; also behind GraphQL's `unsubscribe`. Inside a transaction. People are only looked up, never
 * created or merged: the phone and the email may belong to two people.
 * @param now epoch milliseconds
 */
export function unsubscribeUser(
  deps: Deps,
  caller: Caller,
  body: UnsubscribeBody,
  now: number,
  note: (remark: string) => void,
): UnsubscribeOutcome {
  const { store, messages } = deps;
  const contact = toContact(body.user, note);
  const located = locate(deps, caller, contact, note);
  /** The language of the confirmation text; null if the request turns it off. */
  const notifyIn = body.notification?.disabled ? null : body.notification?.language === 'fr-CA' ? 'fr' : 'en';
  const end = (subscription: Subscription) => {
    const isNew = subscription.status === 'subscribed';
    const ended = store.subscriptions.put(attempted(subscription, 'unsubscribe', now));
    return { type: ended.type, channel: ended.channel, subscription: ended, isNew };
  };
  /** The person gets one message, however many subscriptions ended. */
  const tell = (results: UnsubscribeOutcome['results']): UnsubscribeOutcome => {
    const ended = results.flatMap(({ subscription, isNew }) => (subscription ? [{ subscription, isNew }] : []));
    messages.unsubscribed({ ended, named: contact, notifyIn, note }, now);
    return { contact, results };
  };
  const listed = body.subscriptions ?? [];
  if (listed.length === 0) {
    if (located.length === 0)
      note(`Nothing was on file for ${describeContact(contact)}, so nothing ended, and no text was sent.`);
    return tell(located.map(end));
  }

  const results = reachable(listed, contact, note).map((wanted) => {
    const known = located.find(({ type, channel }) => type === wanted.type && channel === wanted.channel);
    if (known) return end(known);
    note(
      `${wanted.type} by ${wanted.channel} was never on file for ${namedOn(wanted.channel, contact)}; it is answered as PREVIOUSLY_UNSUBSCRIBED (assumed).`,
    );
    return { ...wanted, subscription: null, isNew: false };
  });
  return tell(results);
}

/**
 * Unsubscribe, 4: the phone locates only text subscriptions, the email only email subscriptions. Only the subscriptions
 * of that phone and that email count, whatever further addresses the person has.
 */
function locate(
  { store, users, choices }: Deps,
  { companyId }: Caller,
  contact: Contact,
  note: (remark: string) => void,
): readonly Subscription[] {
  const byPhone = users.find(companyId, { phone: contact.phone });
  const byEmail = users.find(companyId, { email: contact.email });
  const isKnown = byPhone.length > 0 || byEmail.length > 0;
  if (!isKnown && choices.unknownUnsubscribe === 'accept') {
    note(
      `This company has no person with ${describeContact(contact)}: accepted, because --unknown-unsubscribe is accept.`,
    );
  } else if (!isKnown) {
    refuse(subscriptionRules.unknownUser, inBody('/user'), contact, { by: describeContact(contact) });
  }
  const { phone, email } = contact;
  const texts = phone === null ? [] : byPhone.flatMap((user) => subscriptionsOfAddress(store, user, 'TEXT', phone));
  const emails = email === null ? [] : byEmail.flatMap((user) => subscriptionsOfAddress(store, user, 'EMAIL', email));
  return inStableOrder([...texts, ...emails]);
}

interface Combination {
  readonly type: SubscriptionType;
  readonly channel: Channel;
}

/** The listed combinations, each once, without those on a channel for which the request has no address. */
function reachable(
  listed: readonly Combination[],
  contact: Contact,
  note: (remark: string) => void,
): readonly Combination[] {
  const once = new Map(listed.map(({ type, channel }) => [`${type} ${channel}`, { type, channel }]));
  if (once.size < listed.length) note('subscriptions has a combination more than once; it was ended once.');
  return [...once.values()].filter(({ type, channel }) => {
    const missing = channel === 'TEXT' ? contact.phone === null && 'phone' : contact.email === null && 'email';
    if (missing) note(`${type} by ${channel} was not changed: only user.${missing} selects ${channel} subscriptions.`);
    return !missing;
  });
}
