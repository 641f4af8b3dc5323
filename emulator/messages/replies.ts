import { toIso } from '../time/clock.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { companyPhone } from '../contract/event-schemas.ts';
import { toGlobalId } from '../ids.ts';
import type { Message, User } from '../records.ts';
import { inBody, refuse } from '../rules.ts';
import type { Store } from '../store/store.ts';
import type { TapResult } from './tap.ts';
import type { Messages } from './messages.ts';
import { attempted } from '../people/subscriptions.ts';
import { languageOf, personOf, subscriptionsTo } from './people.ts';
import { messageRules } from './rules.ts';
import { readReply } from './texts.ts';

type Answer = Omit<TapResult, 'message'>;

/**
 * Creates the handling of a person's reply to a text. The specification does not describe replies; the keywords are
 * those of carriers, their effect is observed or assumed, and each result says which.
 */
export function createReplies({
  store,
  deliveries,
  messages,
}: {
  store: Store;
  deliveries: Deliveries;
  messages: Messages;
}): (message: Message, text: string, now: number) => TapResult {
  const stop = (user: User, message: Message, now: number): Answer => {
    const { to } = message;
    const language = languageOf(store, user, message);
    const ended = subscriptionsTo(store, user, message, 'subscribed').map((one) => ({
      subscription: store.subscriptions.put(attempted(one, 'unsubscribe', now)),
      isNew: true,
    }));
    messages.unsubscribed({ ended, named: { phone: to }, notifyIn: null }, now);
    messages.sendAutomatic('stopped', { user, to }, language, 'The person replied STOP.', now);
    const did = ended.map(({ subscription: { type } }) => `Ended the ${type} subscription by TEXT at ${to}.`);
    return {
      did: [...(did.length === 0 ? [`${to} was no longer subscribed.`] : did), 'Sent the text that confirms it.'],
      published: [...ended.map(() => 'sms.unsubscribed' as const), 'sms.sent'],
      impliedBy: 'observed',
      says: `${ended.length === 0 ? '' : 'sms.unsubscribed is not in the specification: it is sent only to webhooks that list it. '}Section 6 names sms.sent.`,
    };
  };

  const help = (user: User, message: Message, now: number): Answer => {
    const { to } = message;
    messages.sendAutomatic('help', { user, to }, languageOf(store, user, message), 'The person replied HELP.', now);
    return {
      did: ['Sent the help text.'],
      published: ['sms.sent'],
      impliedBy: 'assumed',
      says: 'Carriers require a reply to HELP; the specification does not mention it. Section 6 names sms.sent.',
    };
  };

  const confirm = (user: User, message: Message, now: number): Answer => {
    const { to } = message;
    const rests = {
      impliedBy: 'assumed',
      says: 'The specification does not mention a reply Y, and reports the subscription as created before it.',
    } as const;
    if (subscriptionsTo(store, user, message, 'subscribed').length === 0)
      return { did: [`${to} has no subscription to confirm; nothing changed.`], published: [], ...rests };
    messages.sendAutomatic('welcome', { user, to }, languageOf(store, user, message), 'The person confirmed.', now);
    return {
      did: ['Confirmed, and sent the welcome text. The address was already subscribed, as the API replied.'],
      published: ['sms.sent'],
      ...rests,
    };
  };

  const start = (user: User, message: Message, now: number): Answer => {
    const { to } = message;
    const language = languageOf(store, user, message);
    const ended = subscriptionsTo(store, user, message, 'unsubscribed');
    for (const one of ended) {
      const subscription = store.subscriptions.put(attempted(one, 'subscribe', now));
      messages.subscribed({ user, subscription, isNew: true, singleOptIn: true, language, named: { phone: to } }, now);
    }
    return {
      did:
        ended.length === 0
          ? [`${to} is already subscribed, or never was; nothing changed.`]
          : ended.map(({ type }) => `Renewed the ${type} subscription by TEXT at ${to}.`),
      published: ended.flatMap(() => ['sms.subscribed', 'sms.sent'] as const),
      impliedBy: 'assumed',
      says: 'Carriers support START; the specification does not mention it. Section 6 names sms.subscribed and sms.sent.',
    };
  };

  const keep = (user: User, from: string, text: string): Answer => {
    const message = { type: 'TYPE_CONVERSATION', text, to_phone: companyPhone } as const;
    deliveries.publish({ type: 'sms.inbound_message', user, about: { phone: from }, details: { message } });
    return {
      did: ['Stored the reply.'],
      published: ['sms.inbound_message'],
      impliedBy: 'observed',
      says: 'sms.inbound_message is not in the specification: it is sent only to webhooks that list it.',
    };
  };

  const answer = (user: User, message: Message, text: string, now: number): Answer => {
    switch (readReply(text)) {
      case 'stop':
        return stop(user, message, now);
      case 'help':
        return help(user, message, now);
      case 'yes':
        return confirm(user, message, now);
      case 'start':
        return start(user, message, now);
      case null:
        return keep(user, message.to, text);
    }
  };

  return (message, text, now) => {
    if (message.channel !== 'TEXT') return refuse(messageRules.channel, inBody('/act'), 'reply', { act: 'reply' });
    if (text.trim() === '') return refuse(messageRules.emptyReply, inBody('/text'), text, undefined);
    const user = personOf(store, message);
    const received = store.messages.put({
      ...message,
      id: toGlobalId('Message', store.nextNumber()),
      direction: 'in',
      type: 'TYPE_CONVERSATION',
      name: 'Reply',
      text,
      subject: null,
      html: null,
      links: [],
      sentAt: toIso(now),
      opens: [],
      clicks: [],
      cause: `A reply to ${message.id}.`,
    });
    return { message: received, ...answer(user, message, text, now) };
  };
}
