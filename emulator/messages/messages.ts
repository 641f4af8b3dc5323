import { toIso } from '../time/clock.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { isMessageType, type EmailFacts, type MessageType, type TextFacts } from '../contract/event-schemas.ts';
import { apiCreative } from '../delivery/payloads.ts';
import type { Urls } from '../net/urls.ts';
import type { Named } from '../people/addresses.ts';
import { subscriptionsOfAddress } from '../people/subscriptions.ts';
import { toGlobalId } from '../ids.ts';
import type { Channel, Message, ShortLink, Subscription, User } from '../records.ts';
import type { Store } from '../store/store.ts';
import { none } from '../records/lists.ts';
import { createLinks, type Links } from './links.ts';
import { toAutomaticText, type AutomaticText, type Language } from './texts.ts';

/** Adds a note to the request that caused a message or an event. */
type Note = ((remark: string) => void) | undefined;

/** A message to a person. Links in it are shortened. */
export interface Draft {
  readonly user: User;
  /** The address, as it is on file. */
  readonly to: string;
  /** Other identifiers of the person in the request that caused it. */
  readonly named?: Named | undefined;
  readonly channel: Channel;
  readonly type: MessageType;
  readonly name: string;
  readonly text: string;
  readonly subject?: string | null;
  readonly html?: string | null;
  /** The cause, in words. */
  readonly cause: string;
  readonly note?: Note;
}

/**
 * The simulated phone and inbox: what the platform would have sent, stored per subscriber, and the webhook events about
 * subscriptions. Every function runs inside its caller's transaction.
 */
export interface Messages {
  send(draft: Draft, now: number): Message;
  /**
   * Call it after a subscription was created, or attempted again (section 4, Subscribe, 2). The subscription counts at
   * once, as the 202 says, even if the text asks to reply Y: the specification has no state in between.
   */
  subscribed(
    outcome: {
      readonly user: User;
      readonly subscription: Subscription;
      readonly isNew: boolean;
      readonly singleOptIn: boolean;
      readonly language: Language;
      /** The identifiers of the person in the request. */
      readonly named: Named;
      readonly note?: Note;
    },
    now: number,
  ): void;
  /**
   * Call it after subscriptions were ended, or after another attempt to end them (Unsubscribe, 3). If some are by
   * TEXT, the phone gets one text about it; with `notifyIn` null it gets none.
   */
  unsubscribed(
    outcome: {
      readonly ended: readonly { readonly subscription: Subscription; readonly isNew: boolean }[];
      readonly named: Named;
      readonly notifyIn: Language | null;
      readonly note?: Note;
    },
    now: number,
  ): void;
  /** Sends one of the platform's automatic texts. */
  sendAutomatic(
    kind: AutomaticText,
    to: { readonly user: User; readonly to: string; readonly named?: Named; readonly note?: Note },
    language: Language,
    cause: string,
    now: number,
  ): Message;
  /** A stored message in the form of payloads; null if none was sent with that id. */
  facts(id: string): TextFacts | EmailFacts | null;
  readonly links: Links;
}

/**
 * The number of messages that are kept. The oldest are removed with their links, so that the state does not grow
 * without limit.
 */
const keptMessages = 20_000;

/** Creates the phone and inbox over a store. `kept`: at least this many messages stay when older ones are removed. */
export function createMessages({
  store,
  deliveries,
  urls,
  kept = keptMessages,
}: {
  store: Store;
  deliveries: Deliveries;
  urls: Urls;
  kept?: number;
}): Messages {
  const links = createLinks({ store, urls });

  const companyName = (companyId: string): string => {
    const company = store.companies.get(companyId);
    if (!company) throw new Error(`The company ${companyId} of a message is not stored.`);
    return company.name;
  };

  const personOf = ({ id, userId }: Subscription): User => {
    const user = store.users.get(userId);
    if (!user) throw new Error(`The person ${userId} of the subscription ${id} is not stored.`);
    return user;
  };

  /**
   * Waits until half a percent too many are stored: each run has to skip the map's entries that were removed before.
   */
  const trim = (): void => {
    if (store.messages.size < kept * 1.005) return;
    let tooMany = store.messages.size - kept;
    for (const message of store.messages.all()) {
      if (tooMany <= 0) return;
      for (const { id } of message.links) store.shortLinks.delete(id);
      store.messages.delete(message.id);
      tooMany -= 1;
    }
  };

  const toSentLinks = (shortened: readonly ShortLink[]): Message['links'] =>
    shortened.length === 0
      ? none
      : shortened.map((link) => ({ id: link.id, url: link.url, shortUrl: links.toUrl(link) }));

  const send: Messages['send'] = (draft, now) => {
    trim();
    const { user, channel } = draft;
    const id = toGlobalId('Message', store.nextNumber());
    const at = toIso(now);
    const owner = { companyId: user.companyId, userId: user.id, messageId: id, eventId: null };
    const text = links.shortenText(draft.text, owner, at);
    const html = draft.html ? links.shortenHtml(draft.html, owner, at) : null;
    const message = store.messages.put({
      id,
      companyId: user.companyId,
      userId: user.id,
      channel,
      direction: 'out',
      type: draft.type,
      name: draft.name,
      to: draft.to,
      text: text.text,
      subject: draft.subject ?? null,
      html: html?.text ?? null,
      links: toSentLinks(html ? text.links.concat(html.links) : text.links),
      sentAt: at,
      opens: none,
      clicks: none,
      cause: draft.cause,
    });
    const about = toAbout(draft.named, channel, draft.to);
    if (channel === 'TEXT')
      deliveries.publish({ type: 'sms.sent', user, about, details: { message: toTextFacts(message) } }, draft.note);
    else
      deliveries.publish({ type: 'email.sent', user, about, details: { message: toEmailFacts(message) } }, draft.note);
    return message;
  };

  const sendAutomatic: Messages['sendAutomatic'] = (kind, to, language, cause, now) => {
    const { user, to: address, named, note } = to;
    const { type, name, text } = toAutomaticText(kind, companyName(user.companyId), language);
    return send({ user, to: address, named, note, channel: 'TEXT', type, name, text, cause }, now);
  };

  return {
    send,
    sendAutomatic,
    links,
    subscribed({ user, subscription: { type, channel, address }, isNew, singleOptIn, language, named, note }, now) {
      const text = channel === 'TEXT';
      const to = { user, to: address, named, note };
      if (isNew) {
        const details = { creative: apiCreative('API opt-in'), subscription: { type } };
        const about = toAbout(named, channel, address);
        deliveries.publish({ type: text ? 'sms.subscribed' : 'email.subscribed', user, about, details }, note);
      }
      if (!text) return;
      if (!isNew) sendAutomatic('already', to, language, 'Subscribe, 2: the subscription already existed.', now);
      else sendAutomatic(singleOptIn ? 'welcome' : 'confirm', to, language, 'A new subscription.', now);
    },
    unsubscribed({ ended, named, notifyIn, note }, now) {
      for (const { subscription, isNew } of ended) {
        if (!isNew) continue;
        const event = {
          type: subscription.channel === 'TEXT' ? 'sms.unsubscribed' : 'email.unsubscribed',
          user: personOf(subscription),
          about: toAbout(named, subscription.channel, subscription.address),
          details: { subscription: { type: subscription.type } },
        } as const;
        deliveries.publish(event, note);
      }
      const byText = ended.find(({ subscription }) => subscription.channel === 'TEXT')?.subscription;
      if (!byText || notifyIn === null) return;
      const cause = 'Unsubscribe, 3: the person is unsubscribed.';
      const user = personOf(byText);
      const others = subscriptionsOfAddress(store, user, 'TEXT', byText.address);
      const kind = others.some(({ status }) => status === 'subscribed') ? 'stopped in part' : 'stopped';
      sendAutomatic(kind, { user, to: byText.address, named, note }, notifyIn, cause, now);
    },
    facts(id) {
      const message = store.messages.get(id);
      if (!message || !isMessageType(message.type)) return null;
      return message.channel === 'TEXT' ? toTextFacts(message) : toEmailFacts(message);
    },
  };
}

/** The addresses that a request named, with `address` as the one for this channel. */
function toAbout(named: Named | undefined, channel: Channel, address: string): Named {
  const { phone, email } = named ?? {};
  return channel === 'TEXT' ? { phone: address, email } : { phone, email: address };
}

/** A text message in the form of payloads (docs/platform.md, Webhook deliveries). */
export function toTextFacts(message: Message): TextFacts {
  const { id, name, text } = message;
  return { id, type: typeOf(message), name, text, channel: 'TEXT' };
}

/** An email in the form of payloads. */
export function toEmailFacts(message: Message): EmailFacts {
  const { id, name, subject } = message;
  return { id, type: typeOf(message), name, subject: subject ?? '', channel: 'EMAIL' };
}

function typeOf({ id, type }: Message): MessageType {
  if (!isMessageType(type)) throw new Error(`No payload has a message of the type ${type}, which ${id} has.`);
  return type;
}
