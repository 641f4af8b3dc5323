/** Subscriptions: each is of one address, one type and one channel (docs/platform.md, Subscriptions). */
import { toIso } from '../time/duration.ts';
import type { Channel, Subscription, User } from '../records.ts';
import type { Store } from '../store/store.ts';
import { isSameAddress, namedOn, type Named } from './addresses.ts';

/** How many of its latest attempts a subscription keeps, so that it does not grow without limit. */
const attemptLimit = 100;

/** The subscriptions of all addresses of a person. */
function subscriptionsOf(store: Store, userId: string): readonly Subscription[] {
  return [...store.subscriptions.index('byUser', (one) => [one.userId]).get(userId)];
}

/** The subscriptions of one address of a person. */
export function subscriptionsOfAddress(
  store: Store,
  { id }: User,
  channel: Channel,
  address: string,
): readonly Subscription[] {
  return subscriptionsOf(store, id).filter(
    (one) => one.channel === channel && isSameAddress(channel, one.address, address),
  );
}

/**
 * The subscriptions of a person that a request selects: on a channel with a named address, those of that address; on
 * other channels, all.
 */
export function subscriptionsMeant(store: Store, userId: string, named: Named): readonly Subscription[] {
  return subscriptionsOf(store, userId).filter(({ channel, address }) => {
    const meant = namedOn(channel, named);
    return meant === null || isSameAddress(channel, address, meant);
  });
}

/** The subscription with one more recorded attempt, and in the resulting state (Subscribe, 2; Unsubscribe, 3). */
export function attempted(subscription: Subscription, act: 'subscribe' | 'unsubscribe', now: number): Subscription {
  const at = toIso(now);
  return {
    ...subscription,
    status: act === 'subscribe' ? 'subscribed' : 'unsubscribed',
    updatedAt: at,
    attempts: [...subscription.attempts, { at, act }].slice(-attemptLimit),
  };
}
