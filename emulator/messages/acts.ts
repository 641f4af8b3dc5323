import { toIso } from '../clock.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { UserError } from '../errors.ts';
import { toGlobalId } from '../ids.ts';
import type { Channel, Message, ShortLink, Subscription, User } from '../records.ts';
import type { Store } from '../store/store.ts';
import { toEmailFacts, toTextFacts, type Messages } from './messages.ts';
import { readReply } from './texts.ts';

/** What a person does with a message. `link` counts from 0. */
export type Act =
  | { readonly act: 'open' }
  | { readonly act: 'click'; readonly link?: number }
  | { readonly act: 'unsubscribe' }
  | { readonly act: 'reply'; readonly text: string };

/** What an act did: sentences, the events it published, and what in the specification it rests on. */
export interface ActResult {
  readonly message: Message;
  readonly did: readonly string[];
  readonly published: readonly string[];
  readonly basis: { readonly provenance: 'documented' | 'observed' | 'assumed'; readonly says: string };
}

export interface Acts {
  /** Inside a transaction. Throws UserError for an act that makes no sense for the message. */
  perform(message: Message, act: Act, now: number): ActResult;
  /** A short link was followed: counts, and as a click on its message. Inside a transaction. */
  follow(link: ShortLink, now: number): void;
}

const kept = 100;

/** Creates what a person can do with the simulated phone and inbox. */
export function createActs({
  store,
  deliveries,
  messages,
}: {
  store: Store;
  deliveries: Deliveries;
  messages: Messages;
}): Acts {
  const userOf = ({ userId }: { userId: string }): User => {
    const user = store.users.get(userId);
    if (!user)
      throw new UserError(`The person of this message is no longer stored: a deletion request may have removed them.`);
    return user;
  };

  const open = (message: Message, now: number): ActResult => {
    if (message.channel !== 'EMAIL')
      throw new UserError('Only an email can be opened: the platform does not learn whether a text was read.');
    const opened = store.messages.put({ ...message, opens: [...message.opens, toIso(now)].slice(-kept) });
    deliveries.publish({ type: 'email.opened', user: userOf(message), details: { message: toEmailFacts(message) } });
    return {
      message: opened,
      did: [`Opened "${message.subject ?? message.name}".`],
      published: ['email.opened'],
      basis: { provenance: 'documented', says: 'Section 6 names email.opened.' },
    };
  };

  const click = (message: Message, at: number, now: number): ActResult => {
    const link = message.links[at];
    if (!link) {
      throw new UserError(
        message.links.length === 0
          ? 'This message has no link.'
          : `This message has ${message.links.length} links, counted from 0; there is no link ${at}.`,
      );
    }
    const stored = store.shortLinks.get(link.id);
    if (stored) store.shortLinks.put({ ...stored, clicks: stored.clicks + 1 });
    const clicked = store.messages.put({
      ...message,
      clicks: [...message.clicks, { url: link.url, at: toIso(now) }].slice(-kept),
    });
    const user = userOf(message);
    const details = { link: { url: link.url } };
    const type = message.channel === 'TEXT' ? 'sms.message_link_click' : 'email.message_link_click';
    if (message.channel === 'TEXT')
      deliveries.publish({
        type: 'sms.message_link_click',
        user,
        details: { ...details, message: toTextFacts(message) },
      });
    else
      deliveries.publish({
        type: 'email.message_link_click',
        user,
        details: { ...details, message: toEmailFacts(message) },
      });
    return {
      message: clicked,
      did: [`Followed the link to ${link.url}.`],
      published: [type],
      basis: { provenance: 'documented', says: `Section 6 names ${type}.` },
    };
  };

  /** Ends what the person is subscribed to on a channel, as Unsubscribe, 1 does for a request that names nothing. */
  const end = (
    user: User,
    channel: Channel,
    now: number,
    answerIn: 'en' | null,
  ): { readonly ended: readonly Subscription[] } => {
    const active = store.subscriptions
      .index('byUser', ({ userId }) => [userId])
      .get(user.id)
      .filter((one) => one.channel === channel && one.status === 'subscribed');
    const at = toIso(now);
    const ended = active.map((one) =>
      store.subscriptions.put({
        ...one,
        status: 'unsubscribed',
        updatedAt: at,
        attempts: [...one.attempts, { at, act: 'unsubscribe' as const }].slice(-kept),
      }),
    );
    for (const subscription of ended) messages.unsubscribed({ user, subscription, isNew: true, notifyIn: null }, now);
    const [to] = user.phones;
    if (answerIn !== null && to !== undefined)
      messages.sendAutomatic('stopped', user, to, answerIn, 'The person replied STOP.', now);
    return { ended };
  };

  const unsubscribe = (message: Message, now: number): ActResult => {
    if (message.channel !== 'EMAIL') throw new UserError('A text has no unsubscribe link; reply STOP to it.');
    const { ended } = end(userOf(message), 'EMAIL', now, null);
    const did =
      ended.length === 0
        ? ['The person was no longer subscribed by email; nothing changed.']
        : ended.map(({ type }) => `Ended the ${type} subscription by EMAIL.`);
    return {
      message,
      did,
      published: ended.map(() => 'email.unsubscribed'),
      basis: { provenance: 'documented', says: 'Section 6 names email.unsubscribed.' },
    };
  };

  const reply = (message: Message, text: string, now: number): ActResult => {
    if (message.channel !== 'TEXT')
      throw new UserError('Only a text can be replied to here: the platform reads no replies to emails.');
    if (text.trim() === '') throw new UserError('A reply needs a text, such as STOP.');
    const user = userOf(message);
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
    switch (readReply(text)) {
      case 'stop': {
        const { ended } = end(user, 'TEXT', now, 'en');
        const did =
          ended.length === 0
            ? ['The person was no longer subscribed by text.']
            : ended.map(({ type }) => `Ended the ${type} subscription by TEXT.`);
        return {
          message: received,
          did: [...did, 'Sent the text that confirms it.'],
          published: [...ended.map(() => 'sms.unsubscribed'), 'sms.sent'],
          basis: {
            provenance: 'observed',
            says: 'sms.unsubscribed is not in the specification: it goes only to webhooks that list it. Section 6 names sms.sent.',
          },
        };
      }
      case 'help':
        messages.sendAutomatic('help', user, message.to, 'en', 'The person replied HELP.', now);
        return {
          message: received,
          did: ['Sent the help text.'],
          published: ['sms.sent'],
          basis: {
            provenance: 'assumed',
            says: 'Carriers ask for an answer to HELP; the specification says nothing of it.',
          },
        };
      case 'yes':
        messages.sendAutomatic('welcome', user, message.to, 'en', 'The person confirmed.', now);
        return {
          message: received,
          did: ['Confirmed, and sent the welcome text. The subscription stood already: the API answered so.'],
          published: ['sms.sent'],
          basis: { provenance: 'assumed', says: 'The specification says nothing of a reply Y.' },
        };
      case 'start': {
        const ended = store.subscriptions
          .index('byUser', ({ userId }) => [userId])
          .get(user.id)
          .filter((one) => one.channel === 'TEXT' && one.status === 'unsubscribed');
        const at = toIso(now);
        for (const one of ended) {
          const subscription = store.subscriptions.put({
            ...one,
            status: 'subscribed',
            updatedAt: at,
            attempts: [...one.attempts, { at, act: 'subscribe' as const }].slice(-kept),
          });
          messages.subscribed(
            { user, subscription, isNew: true, singleOptIn: true, to: message.to, language: 'en' },
            now,
          );
        }
        return {
          message: received,
          did:
            ended.length === 0
              ? ['The person is subscribed by text already, or never was; nothing changed.']
              : ended.map(({ type }) => `Took up the ${type} subscription by TEXT again.`),
          published: ended.flatMap(() => ['sms.subscribed', 'sms.sent']),
          basis: { provenance: 'assumed', says: 'Carriers know START; the specification says nothing of it.' },
        };
      }
      case null:
        deliveries.publish({
          type: 'sms.inbound_message',
          user,
          details: { message: { type: 'TYPE_CONVERSATION', text, to_phone: message.to } },
        });
        return {
          message: received,
          did: ['Kept the reply.'],
          published: ['sms.inbound_message'],
          basis: {
            provenance: 'observed',
            says: 'sms.inbound_message is not in the specification: it goes only to webhooks that list it.',
          },
        };
    }
  };

  return {
    perform(message, act, now) {
      if (message.direction === 'in')
        throw new UserError('This is what the person wrote; act on a message that was sent to them.');
      switch (act.act) {
        case 'open':
          return open(message, now);
        case 'click':
          return click(message, act.link ?? 0, now);
        case 'unsubscribe':
          return unsubscribe(message, now);
        case 'reply':
          return reply(message, act.text, now);
      }
    },
    follow(link, now) {
      const message = link.messageId === null ? undefined : store.messages.get(link.messageId);
      const at = message?.links.findIndex(({ id }) => id === link.id) ?? -1;
      if (message && at !== -1) click(message, at, now);
      else store.shortLinks.put({ ...link, clicks: link.clicks + 1 });
    },
  };
}
