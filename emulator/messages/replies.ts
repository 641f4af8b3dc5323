import { toIso } from '../time/clock.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { UserError } from '../errors.ts';
import { toGlobalId } from '../ids.ts';
import type { Message, User } from '../records.ts';
import type { Store } from '../store/store.ts';
import type { ActResult } from './acts.ts';
import type { Messages } from './messages.ts';
import { languageOf, personOf, subscriptionsBy, turn } from './people.ts';
import { readReply } from './texts.ts';

type Answer = Omit<ActResult, 'message'>;

/**
 * Creates what a person's reply to a text leads to. The specification says nothing of replies; the keywords are the
 * carriers', what follows from them is observed or assumed, and each answer says which.
 */
export function createReplies({
  store,
  deliveries,
  messages,
}: {
  store: Store;
  deliveries: Deliveries;
  messages: Messages;
}): (message: Message, text: string, now: number) => ActResult {
  const stop = (user: User, to: string, now: number): Answer => {
    const language = languageOf(store, user);
    const ended = subscriptionsBy(store, user, 'TEXT', 'subscribed').map((one) => ({
      subscription: turn(store, one, 'unsubscribed', now),
      isNew: true,
    }));
    messages.unsubscribed({ ended, to: null, notifyIn: null }, now);
    messages.sendAutomatic('stopped', user, to, language, 'The person replied STOP.', now);
    const did = ended.map(({ subscription: { type } }) => `Ended the ${type} subscription by TEXT.`);
    return {
      did: [
        ...(did.length === 0 ? ['The person was no longer subscribed by text.'] : did),
        'Sent the text that confirms it.',
      ],
      published: [...ended.map(() => 'sms.unsubscribed' as const), 'sms.sent'],
      impliedBy: 'observed',
      says: 'sms.unsubscribed is not in the specification: it goes only to webhooks that list it. Section 6 names sms.sent.',
    };
  };

  const help = (user: User, to: string, now: number): Answer => {
    messages.sendAutomatic('help', user, to, languageOf(store, user), 'The person replied HELP.', now);
    return {
      did: ['Sent the help text.'],
      published: ['sms.sent'],
      impliedBy: 'assumed',
      says: 'Carriers ask for an answer to HELP; the specification says nothing of it. Section 6 names sms.sent.',
    };
  };

  const confirm = (user: User, to: string, now: number): Answer => {
    const rests = {
      impliedBy: 'assumed',
      says: 'The specification says nothing of a reply Y, and answers a subscription as created before it.',
    } as const;
    if (subscriptionsBy(store, user, 'TEXT', 'subscribed').length === 0)
      return { did: ['There is no subscription by text to confirm; nothing changed.'], published: [], ...rests };
    messages.sendAutomatic('welcome', user, to, languageOf(store, user), 'The person confirmed.', now);
    return {
      did: ['Confirmed, and sent the welcome text. The subscription stood already: the API answered so.'],
      published: ['sms.sent'],
      ...rests,
    };
  };

  const start = (user: User, to: string, now: number): Answer => {
    const language = languageOf(store, user);
    const ended = subscriptionsBy(store, user, 'TEXT', 'unsubscribed');
    for (const one of ended) {
      const subscription = turn(store, one, 'subscribed', now);
      messages.subscribed({ user, subscription, isNew: true, singleOptIn: true, to, language }, now);
    }
    return {
      did:
        ended.length === 0
          ? ['The person is subscribed by text already, or never was; nothing changed.']
          : ended.map(({ type }) => `Took up the ${type} subscription by TEXT again.`),
      published: ended.flatMap(() => ['sms.subscribed', 'sms.sent'] as const),
      impliedBy: 'assumed',
      says: 'Carriers know START; the specification says nothing of it. Section 6 names sms.subscribed and sms.sent.',
    };
  };

  const keep = (user: User, to: string, text: string): Answer => {
    const message = { type: 'TYPE_CONVERSATION', text, to_phone: to } as const;
    deliveries.publish({ type: 'sms.inbound_message', user, details: { message } });
    return {
      did: ['Kept the reply.'],
      published: ['sms.inbound_message'],
      impliedBy: 'observed',
      says: 'sms.inbound_message is not in the specification: it goes only to webhooks that list it.',
    };
  };

  const answer = (user: User, to: string, text: string, now: number): Answer => {
    switch (readReply(text)) {
      case 'stop':
        return stop(user, to, now);
      case 'help':
        return help(user, to, now);
      case 'yes':
        return confirm(user, to, now);
      case 'start':
        return start(user, to, now);
      case null:
        return keep(user, to, text);
    }
  };

  return (message, text, now) => {
    if (message.channel !== 'TEXT')
      throw new UserError('Only a text can be replied to here: the platform reads no replies to emails.');
    if (text.trim() === '') throw new UserError('A reply needs a text, such as STOP.');
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
    return { message: received, ...answer(user, message.to, text, now) };
  };
}
