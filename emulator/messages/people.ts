import type { Message, Subscription, User } from '../records.ts';
import { inBody, inPath, refuse } from '../rules.ts';
import type { Store } from '../store/store.ts';
import { subscriptionsOfAddress } from '../people/subscriptions.ts';
import { knownPhoneMeant, type Users } from '../people/users.ts';
import { messageRules } from './rules.ts';
import type { Language } from './texts.ts';

/** A message keeps at most this many of its latest opens and clicks. */
export const latest = 100;

/** The person of a message or a link. Refused if they are no longer stored. */
export function personOf(store: Store, { userId }: { readonly userId: string }): User {
  return store.users.get(userId) ?? refuse(messageRules.personGone, inPath('id'), undefined, { userId });
}

/** The person with a phone or an email address in a company. The refusal names some known people. */
export function findPerson(
  store: Store,
  users: Users,
  companyId: string,
  by: { readonly phone?: string; readonly email?: string },
): User {
  const sent = by.phone ?? by.email;
  if (sent === undefined) return refuse(messageRules.unnamed, inBody('/subscriber'), by, undefined);
  const user = users.find(companyId, by)[0];
  if (user) return user;
  const known: string[] = [];
  for (const one of store.users.all()) {
    if (known.length >= 5) break;
    if (one.companyId === companyId) known.push(...one.addresses.map(({ value }) => value));
  }
  const place = inBody(by.phone === undefined ? '/subscriber/email' : '/subscriber/phone');
  return refuse(messageRules.unknownPerson, place, sent, {
    sent,
    meant: knownPhoneMeant(users, companyId, by),
    known: known.slice(0, 5),
  });
}

/** The subscriptions, in this status, of the address of a message. */
export function subscriptionsTo(
  store: Store,
  user: User,
  { channel, to }: Pick<Message, 'channel' | 'to'>,
  status: Subscription['status'],
): readonly Subscription[] {
  return subscriptionsOfAddress(store, user, channel, to).filter((one) => one.status === status);
}

/** The language of the sign-up unit through which the address of a message subscribed; English if unknown. */
export function languageOf(store: Store, user: User, message: Pick<Message, 'channel' | 'to'>): Language {
  const [first] = (['subscribed', 'unsubscribed'] as const).flatMap((status) =>
    subscriptionsTo(store, user, message, status),
  );
  return store.signUpUnits.get(first?.signUpUnitId ?? '')?.language === 'fr' ? 'fr' : 'en';
}
