/** Subscriptions: each has one address, one type and one channel (docs/platform.md, Subscriptions). */
import { toIso } from '../time/duration.ts';
import type { Channel, Subscription, User } from '../records.ts';
import type { Store } from '../store/store.ts';
import { withItem } from '../records/lists.ts';
import { attemptLimit } from '../records/people.ts';
import { isSameAddress, namedOn, type Named } from './addresses.ts';

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

/**
 * The subscription with one more recorded attempt, and in the resulting state (Subscribe, 2; Unsubscribe, 3). All
 * fields are named: an object made by spreading another one takes up to a kilobyte more of the heap.
 */
export function attempted(subscription: Subscription, act: 'subscribe' | 'unsubscribe', now: number): Subscription {
  const at = toIso(now);
  const attempts =
    subscription.attempts.length === 0 ? firstAttempt(at, act) : withItem(subscription.attempts, { at, act });
  return {
    id: subscription.id,
    companyId: subscription.companyId,
    userId: subscription.userId,
    address: subscription.address,
    type: subscription.type,
    channel: subscription.channel,
    status: act === 'subscribe' ? 'subscribed' : 'unsubscribed',
    signUpUnitId: subscription.signUpUnitId,
    createdAt: subscription.createdAt,
    updatedAt: at,
    attempts: attempts.length > attemptLimit ? attempts.slice(-attemptLimit) : attempts,
  };
}

/** The list of a first attempt. All subscriptions that one request begins share it. */
function firstAttempt(at: string, act: Attempt['act']): readonly Attempt[] {
  if (latest[0].at !== at || latest[0].act !== act) latest = [{ at, act }];
  return latest;
}

type Attempt = Subscription['attempts'][number];

let latest: readonly [Attempt] = [{ at: '', act: 'subscribe' }];
