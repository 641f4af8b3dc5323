import type { Deps } from '../../deps.ts';
import { endpoint } from '../../http/endpoint.ts';
import type { Caller } from '../../people/caller.ts';
import { inQuery, refuse } from '../../rules.ts';
import type { Subscription } from '../../records.ts';
import { subscriptionsMeant } from '../../people/subscriptions.ts';
import { describeContact, toQueryContact, type Contact } from './contact.ts';
import { subscriptionRules } from './rules.ts';
import { eligibilityQuery, eligibilityReply } from './shapes.ts';

/** GET /subscriptions (section 4, note 7): the types and channels of the person with the phone or the email. */
export const listEligibilities = endpoint({
  operationId: 'getSubscriptions',
  method: 'GET',
  path: '/subscriptions',
  access: 'subscriptions:read',
  summary: 'Read the subscriptions of a user',
  section: '4, note 7',
  provenance: 'documented',
  rules: [subscriptionRules.queryContact, subscriptionRules.phone, subscriptionRules.email, subscriptionRules.notFound],
  query: eligibilityQuery,
  replies: { 200: eligibilityReply },
  handle({ query, caller, note }, deps) {
    const subscriptions = findSubscriptions(deps, caller, toQueryContact(query, note));
    return {
      status: 200,
      body: {
        subscriptionEligibilities: subscriptions.map(({ type, channel, status }) => ({
          subscription: { type, channel },
          eligibility: { isEligible: status === 'subscribed' },
        })),
      },
    };
  },
});

/**
 * The subscriptions that the contact selects. On a channel with a named address, those of the address; on other
 * channels, all of the person. One per type and channel: the subscribed one if there are several. Refused with 404 if
 * there are none.
 */
function findSubscriptions({ store, users }: Deps, { companyId }: Caller, contact: Contact): readonly Subscription[] {
  const found = users.find(companyId, contact).flatMap((user) => subscriptionsMeant(store, user.id, contact));
  if (found.length === 0) {
    const place = inQuery(contact.phone === null ? 'email' : 'phone');
    return refuse(subscriptionRules.notFound, place, contact.phone ?? contact.email, { by: describeContact(contact) });
  }
  const one = new Map<string, Subscription>();
  for (const subscription of found) {
    const key = `${subscription.type} ${subscription.channel}`;
    if (one.get(key)?.status !== 'subscribed') one.set(key, subscription);
  }
  return inStableOrder([...one.values()]);
}

const order: readonly string[] = ['MARKETING', 'TRANSACTIONAL', 'CHECKOUT_ABANDONED', 'TEXT', 'EMAIL'];

/** Sorts by type, then text before email, so that replies do not depend on the order of events. */
export function inStableOrder(subscriptions: readonly Subscription[]): readonly Subscription[] {
  return subscriptions.toSorted(
    (one, other) =>
      order.indexOf(one.type) - order.indexOf(other.type) || order.indexOf(one.channel) - order.indexOf(other.channel),
  );
}
