import { toSmsParts } from '../contract/sms-parts.ts';
import { findCompany } from '../features/accounts/find.ts';
import { findPerson, subscriptionsTo } from '../messages/people.ts';
import { messageRules } from '../messages/rules.ts';
import { addressMeant, addressesOf, isSameAddress, namedOn, type Named } from '../people/addresses.ts';
import type { Channel, Message, User } from '../records.ts';
import { inBody, inQuery, noSuch, refuse } from '../rules.ts';
import type { Store } from '../store/store.ts';
import type { BodyOf } from './call.ts';
import type { messageCalls, SizedMessageView } from './contract/messages.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';
import { newestOf, toChangeView } from './views.ts';

/** Handlers of the simulated phone and inbox. */
export function createMessageHandlers(deps: HandlerDeps): Handlers<typeof messageCalls> {
  const { store, taps } = deps;
  const messageOf = (id: string): Message => store.messages.get(id) ?? noSuch('message', id);

  return {
    'GET /control/messages'({ query: { userId, phone, email, channel, direction, limit = 100 } }) {
      const found = store.messages
        .records()
        .filter(
          (one) =>
            (userId === undefined || one.userId === userId) &&
            (phone === undefined || one.to === phone) &&
            (email === undefined || isSameAddress('EMAIL', one.to, email)) &&
            (channel === undefined || one.channel === channel) &&
            (direction === undefined || one.direction === direction),
        );
      // Messages to a deleted person may still be listed, so the person's id is accepted.
      if (
        userId !== undefined &&
        !store.users.get(userId) &&
        !store.messages.records().some((one) => one.userId === userId)
      )
        noSuch('person', userId, inQuery('userId'));
      return { total: found.length, messages: newestOf(found, limit).map(toSized) };
    },
    'GET /control/messages/{id}': ({ params: { id } }) => toSized(messageOf(id)),
    'POST /control/messages': ({ body, now }) => toSized(store.transact(() => compose(deps, body, now)).result),
    'POST /control/messages/{id}/acts'({ params: { id }, body, now }) {
      const message = messageOf(id);
      const { result, changes } = store.transact(() => taps.perform(message, body, now));
      return { ...result, changes: changes.map((change) => toChangeView(change, false)) };
    },
  };
}

const toSized = (message: Message): SizedMessageView => ({
  ...message,
  sms: message.channel === 'TEXT' ? toSmsParts(message.text) : null,
});

function compose(
  { store, users, messages }: HandlerDeps,
  body: BodyOf<(typeof messageCalls)['POST /control/messages']>,
  now: number,
): Message {
  const { channel, name = 'Composed by hand', text, subject, html, force = false } = body;
  const companyId =
    body.companyId ??
    store.companies.records()[0]?.id ??
    refuse(messageRules.noCompany, inBody('/companyId'), undefined, undefined);
  findCompany(store, companyId, inBody('/companyId'));
  const user = findPerson(store, users, companyId, body.subscriber);
  const to = addressOf(store, user, channel, body.subscriber);
  const subscribed = subscriptionsTo(store, user, { channel, to }, 'subscribed').length > 0;
  if (!subscribed && !force) refuse(messageRules.notSubscribed, inBody('/subscriber'), to, { to, channel });
  if (channel === 'EMAIL' && (subject === undefined || subject === ''))
    refuse(messageRules.subject, inBody('/subject'), subject, undefined);
  const astray = channel === 'TEXT' ? (['subject', 'html'] as const).find((field) => body[field]) : undefined;
  if (astray !== undefined) refuse(messageRules.textOnly, inBody(`/${astray}`), body[astray], { field: astray });
  if (subject !== undefined && /[\r\n]/.test(subject))
    refuse(messageRules.subjectLine, inBody('/subject'), subject, {
      oneLine: subject.replaceAll(/\s*[\r\n]\s*/g, ' ').trim() || 'Hello',
    });
  const draft = {
    user,
    to,
    channel,
    type: 'ONE_TIME',
    name,
    text,
    subject: subject ?? null,
    html: html ?? null,
    cause: 'Composed by hand.',
  } as const;
  return messages.send(draft, now);
}

/**
 * The address that the request names on the channel, else one of the person's subscribed addresses, else their first.
 */
function addressOf(store: Store, user: User, channel: Channel, named: Named): string {
  const subscribed = addressesOf(user, channel).find(
    (to) => subscriptionsTo(store, user, { channel, to }, 'subscribed').length > 0,
  );
  const meant = namedOn(channel, named) === null ? (subscribed ?? null) : null;
  return (
    meant ??
    addressMeant(user, channel, named) ??
    refuse(messageRules.noAddress, inBody('/channel'), channel, { channel })
  );
}
