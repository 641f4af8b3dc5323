import { toIso } from '../time/clock.ts';
import { UserError } from '../errors.ts';
import type { Channel, Subscription, User } from '../records.ts';
import { show } from '../rules.ts';
import type { Store } from '../store/store.ts';
import type { Users } from '../people/users.ts';
import type { Language } from './texts.ts';

/** So many of its latest attempts a subscription keeps, and so many opens and clicks a message. */
export const latest = 100;

/** The person of a message or a link. Throws UserError where they are no longer stored. */
export function personOf(store: Store, { userId }: { readonly userId: string }): User {
  const user = store.users.get(userId);
  if (!user)
    throw new UserError(`The person of this message is no longer stored: a deletion request may have removed them.`);
  return user;
}

/** The person of a phone or an email address in a company. Throws UserError, which names some who are known. */
export function findPerson(
  store: Store,
  users: Users,
  companyId: string,
  by: { readonly phone?: string; readonly email?: string },
): User {
  const sent = by.phone ?? by.email;
  if (sent === undefined) throw new UserError('The subscriber is named by phone or by email; neither was sent.');
  const user = users.find(companyId, by)[0];
  if (user) return user;
  const known: string[] = [];
  for (const one of store.users.all()) {
    if (known.length >= 5) break;
    if (one.companyId === companyId) known.push(...one.phones, ...one.emails);
  }
  throw new UserError(`Nobody has ${show(sent)}. Known are ${known.slice(0, 5).join(', ') || 'no people yet'}.`);
}

/** What a person is, or was, subscribed to on a channel. */
export function subscriptionsBy(
  store: Store,
  { id }: User,
  channel: Channel,
  status: Subscription['status'],
): readonly Subscription[] {
  return store.subscriptions
    .index('byUser', ({ userId }) => [userId])
    .get(id)
    .filter((one) => one.channel === channel && one.status === status);
}

/** Ends a subscription, or takes it up again, by the person's own hand. Inside a transaction; `now` in epoch ms. */
export function turn(store: Store, one: Subscription, status: Subscription['status'], now: number): Subscription {
  const at = toIso(now);
  const act = status === 'subscribed' ? 'subscribe' : 'unsubscribe';
  const attempts = [...one.attempts, { at, act } as const].slice(-latest);
  return store.subscriptions.put({ ...one, status, updatedAt: at, attempts });
}

/** The language in which a person signed up for texts; English where that is not known. */
export function languageOf(store: Store, user: User): Language {
  const [first] = [
    ...subscriptionsBy(store, user, 'TEXT', 'subscribed'),
    ...subscriptionsBy(store, user, 'TEXT', 'unsubscribed'),
  ];
  return store.signUpUnits.get(first?.signUpUnitId ?? '')?.language === 'fr' ? 'fr' : 'en';
}
