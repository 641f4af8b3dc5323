import { toIso } from '../time/clock.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import type { EventType } from '../contract/event-schemas.ts';
import type { Message, ShortLink } from '../records.ts';
import { inBody, inPath, refuse } from '../rules.ts';
import type { Store } from '../store/store.ts';
import { toEmailFacts, toTextFacts, type Messages } from './messages.ts';
import { kindOf, type Named } from '../people/addresses.ts';
import { attempted } from '../people/subscriptions.ts';
import { latest, personOf, subscriptionsTo } from './people.ts';
import { createReplies } from './replies.ts';
import { messageRules } from './rules.ts';
import type { Tap, TapResult } from './tap.ts';

export interface Taps {
  /** Performs a tap; refuses one that makes no sense for the message. Inside a transaction. */
  perform(message: Message, tap: Tap, now: number): TapResult;
  /** Counts that a short link was followed, also as a click on its message. Inside a transaction. */
  follow(link: ShortLink, now: number): void;
}

/** Creates the actions of a person on the simulated phone and inbox. `now` is in epoch milliseconds. */
export function createTaps({
  store,
  deliveries,
  messages,
}: {
  store: Store;
  deliveries: Deliveries;
  messages: Messages;
}): Taps {
  const reply = createReplies({ store, deliveries, messages });

  const open = (message: Message, now: number): TapResult => {
    if (message.channel !== 'EMAIL') return refuse(messageRules.channel, inBody('/act'), 'open', { act: 'open' });
    const user = personOf(store, message);
    deliveries.publish({
      type: 'email.opened',
      user,
      about: aboutOf(message),
      details: { message: toEmailFacts(message) },
    });
    return {
      message: store.messages.put({ ...message, opens: [...message.opens, toIso(now)].slice(-latest) }),
      did: [`Opened “${message.subject ?? message.name}”.`],
      published: ['email.opened'],
      ...named('email.opened'),
    };
  };

  const count = (link: ShortLink): void => {
    store.shortLinks.put({ ...link, clicks: link.clicks + 1 });
  };

  const click = (message: Message, at: number, now: number): TapResult => {
    const link = message.links[at];
    if (!link) return refuse(messageRules.link, inBody('/link'), at, { link: at, links: message.links.length });
    const user = personOf(store, message);
    const { url } = link;
    const about = aboutOf(message);
    const type = message.channel === 'TEXT' ? 'sms.message_link_click' : 'email.message_link_click';
    if (type === 'sms.message_link_click')
      deliveries.publish({ type, user, about, details: { message: toTextFacts(message), link: { url } } });
    else deliveries.publish({ type, user, about, details: { message: toEmailFacts(message), link: { url } } });
    const stored = store.shortLinks.get(link.id);
    if (stored) count(stored);
    const clicks = [...message.clicks, { url, at: toIso(now) }].slice(-latest);
    return {
      message: store.messages.put({ ...message, clicks }),
      did: [`Followed the link to ${url}.`],
      published: [type],
      ...named(type),
    };
  };

  const unsubscribe = (message: Message, now: number): TapResult => {
    if (message.channel !== 'EMAIL')
      return refuse(messageRules.channel, inBody('/act'), 'unsubscribe', { act: 'unsubscribe' });
    const user = personOf(store, message);
    const ended = subscriptionsTo(store, user, message, 'subscribed').map((one) => ({
      subscription: store.subscriptions.put(attempted(one, 'unsubscribe', now)),
      isNew: true,
    }));
    messages.unsubscribed({ ended, named: aboutOf(message), notifyIn: null }, now);
    const did = ended.map(({ subscription: { type } }) => `Ended the ${type} subscription by EMAIL at ${message.to}.`);
    return {
      message,
      did: did.length === 0 ? [`${message.to} was no longer subscribed; nothing changed.`] : did,
      published: ended.map(() => 'email.unsubscribed' as const),
      ...named('email.unsubscribed'),
    };
  };

  return {
    perform(message, tap, now) {
      if (message.direction === 'in') return refuse(messageRules.inbound, inPath('id'), message.id, undefined);
      switch (tap.act) {
        case 'open':
          return open(message, now);
        case 'click':
          return click(message, tap.link ?? 0, now);
        case 'unsubscribe':
          return unsubscribe(message, now);
        case 'reply':
          return reply(message, tap.text ?? '', now);
      }
    },
    follow(link, now) {
      const message = link.messageId === null ? undefined : store.messages.get(link.messageId);
      const at = message?.links.findIndex(({ id }) => id === link.id) ?? -1;
      // In a state that was merged or written by hand, a link may outlive its message or its person.
      if (message && at !== -1 && store.users.get(message.userId)) click(message, at, now);
      else count(link);
    },
  };
}

/** Events about a message name the address that it was sent to. */
function aboutOf({ channel, to }: Message): Named {
  return { [kindOf[channel]]: to };
}

function named(type: EventType): Pick<TapResult, 'impliedBy' | 'says'> {
  return { impliedBy: 'specification', says: `Section 6 names ${type}.` };
}
