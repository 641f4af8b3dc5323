import { UserError } from '../errors.ts';
import type { Message, Subscription, User } from '../records.ts';
import { show } from '../rules.ts';
import type { Store } from '../store/store.ts';
import { subscriptionsOfAddress } from '../people/subscriptions.ts';
import type { Users } from '../people/users.ts';
import type { Language } from './texts.ts';

/** How many of its latest opens and clicks a message keeps. */
export const latest = 100;

/** The person of a message or a link. Throws UserError if they are no longer stored. */
export function personOf(store: Store, { userId }: { readonly userId: string }): User {
  const user = store.users.get(userId);
  if (!user)
    throw new UserError(`The person of this message is no longer stored: a deletion request may have removed them.`);
  return user;
}

/** The person with a phone or an email address in a company. Throws a UserError that names some known people. */
export function findPerson(
  store: Store,
  users: Users,
  companyId: string,
  by: { readonly phone?: string; readonly email?: string },
): User {
  const sent = by.phone ?? by.email;
  if (sent === undefined) throw new UserError('Name the subscriber by phone or by email; neither was sent.');
  const user = users.find(companyId, by)[0];
  if (user) return user;
  const known: string[] = [];
  for (const one of store.users.all()) {
    if (known.length >= 5) break;
    if (one.companyId === companyId) known.push(...one.addresses.map(({ value }) => value));
  }
  throw new UserError(`No person has ${show(sent)}. Known are ${known.slice(0, 5).join(', ') || 'no people yet'}.`);
}

/** What the address of a message is, or was, subscribed to. */
export function subscriptionsTo(
  store: Store,
  user: User,
  { channel, to }: Pick<Message, 'channel' | 'to'>,
  status: Subscription['status'],
): readonly Subscription[] {
  return subscriptionsOfAddress(store, user, channel, to).filter((one) => one.status === status);
}

/** The language in which the address of a message signed up for texts; English if unknown. */
export function languageOf(store: Store, user: User, message: Pick<Message, 'channel' | 'to'>): Language {
  const [first] = (['subscribed', 'unsubscribed'] as const).flatMap((status) =>
    subscriptionsTo(store, user, message, status),
  );
  return store.signUpUnits.get(first?.signUpUnitId ?? '')?.language === 'fr' ? 'fr' : 'en';
}
