import { toIso } from '../clock.ts';
import type { Deliveries } from '../delivery/deliveries.ts';
import { apiCreative, type EmailFacts, type TextFacts } from '../delivery/payloads.ts';
import type { Urls } from '../deps.ts';
import { UserError } from '../errors.ts';
import { toGlobalId } from '../ids.ts';
import type { Channel, InboundEvent, Message, Subscription, User } from '../records.ts';
import { show } from '../rules.ts';
import type { Store } from '../store/store.ts';
import { createLinks, shortenable, type Links } from './links.ts';
import { toAutomaticText, type AutomaticText, type Language } from './texts.ts';

/** A message to a person. Links in it are shortened. */
export interface Draft {
  readonly user: User;
  readonly to: string;
  readonly channel: Channel;
  readonly type: string;
  readonly name: string;
  readonly text: string;
  readonly subject?: string | null;
  readonly html?: string | null;
  /** What it came of, in words. */
  readonly cause: string;
}

/**
 * The simulated phone and inbox: what the platform would have sent, kept per subscriber, and what webhooks are told of
 * subscriptions. Every function runs inside its caller's transaction.
 */
export interface Messages {
  send(draft: Draft, now: number): Message;
  /** After a subscription was made, or attempted again (section 4, Subscribe, 2). */
  subscribed(
    outcome: {
      readonly user: User;
      readonly subscription: Subscription;
      readonly isNew: boolean;
      readonly singleOptIn: boolean;
      readonly to: string;
      readonly language: Language;
    },
    now: number,
  ): void;
  /** After a subscription was ended, or that was attempted again (Unsubscribe, 3). `notifyIn` null sends no text. */
  unsubscribed(
    outcome: {
      readonly user: User;
      readonly subscription: Subscription;
      readonly isNew: boolean;
      readonly notifyIn: Language | null;
    },
    now: number,
  ): void;
  /** Shortens the URLs among the values of a custom event (section 2.5); answers those that are too long. */
  shortenEvent(event: InboundEvent, now: number): readonly string[];
  /** A text of the platform's own. */
  sendAutomatic(kind: AutomaticText, user: User, to: string, language: Language, cause: string, now: number): Message;
  /** A kept message as payloads name it; null where there is none of that id. */
  facts(id: string): TextFacts | EmailFacts | null;
  readonly links: Links;
}

/** Creates the phone and inbox over a store. */
export function createMessages({
  store,
  deliveries,
  urls,
}: {
  store: Store;
  deliveries: Deliveries;
  urls: Urls;
}): Messages {
  const links = createLinks({ store, urls });

  const companyName = (companyId: string): string => {
    const company = store.companies.get(companyId);
    if (!company) throw new Error(`The company ${companyId} of a message is not stored.`);
    return company.name;
  };

  const send: Messages['send'] = (draft, now) => {
    const { user, channel } = draft;
    const id = toGlobalId('Message', store.nextNumber());
    const at = toIso(now);
    const owner = { companyId: user.companyId, userId: user.id, messageId: id, eventId: null };
    const text = links.shortenAll(draft.text, owner, at);
    const html = draft.html ? links.shortenAll(draft.html, owner, at) : null;
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
      links: [...text.links, ...(html?.links ?? [])].map((link) => ({
        id: link.id,
        url: link.url,
        shortUrl: links.toUrl(link),
      })),
      sentAt: at,
      opens: [],
      clicks: [],
      cause: draft.cause,
    });
    if (channel === 'TEXT') deliveries.publish({ type: 'sms.sent', user, details: { message: toTextFacts(message) } });
    else deliveries.publish({ type: 'email.sent', user, details: { message: toEmailFacts(message) } });
    return message;
  };

  const sendAutomatic: Messages['sendAutomatic'] = (kind, user, to, language, cause, now) =>
    send({ user, to, channel: 'TEXT', cause, ...toAutomaticText(kind, companyName(user.companyId), language) }, now);

  return {
    send,
    sendAutomatic,
    links,
    subscribed({ user, subscription: { type, channel }, isNew, singleOptIn, to, language }, now) {
      const text = channel === 'TEXT';
      if (isNew) {
        const details = { creative: apiCreative('API opt-in'), subscription: { type } };
        deliveries.publish({ type: text ? 'sms.subscribed' : 'email.subscribed', user, details });
      }
      if (!text) return;
      if (!isNew) sendAutomatic('already', user, to, language, 'Subscribe, 2: the subscription already existed.', now);
      else sendAutomatic(singleOptIn ? 'welcome' : 'confirm', user, to, language, 'A new subscription.', now);
    },
    unsubscribed({ user, subscription: { type, channel }, isNew, notifyIn }, now) {
      const text = channel === 'TEXT';
      if (isNew)
        deliveries.publish({
          type: text ? 'sms.unsubscribed' : 'email.unsubscribed',
          user,
          details: { subscription: { type } },
        });
      const [to] = user.phones;
      if (text && notifyIn !== null && to !== undefined)
        sendAutomatic('stopped', user, to, notifyIn, 'Unsubscribe, 3: the person is unsubscribed.', now);
    },
    shortenEvent(event, now) {
      const tooLong: string[] = [];
      const owner = { companyId: event.companyId, userId: event.userId, messageId: null, eventId: event.id };
      for (const url of urlsAmong(event.body)) {
        if ([...url].length > shortenable) tooLong.push(url);
        else links.shorten(url, owner, toIso(now));
      }
      return tooLong;
    },
    facts(id) {
      const message = store.messages.get(id);
      if (!message) return null;
      return message.channel === 'TEXT' ? toTextFacts(message) : toEmailFacts(message);
    },
  };
}

/** A text message as payloads name it (shapes.md section 3). */
export function toTextFacts({ id, type, name, text }: Message): TextFacts {
  return { id, type, name, text, channel: 'TEXT' };
}

/** An email as payloads name it. */
export function toEmailFacts({ id, type, name, subject }: Message): EmailFacts {
  return { id, type, name, subject: subject ?? '', channel: 'EMAIL' };
}

/** The values that are http(s) URLs as a whole, at any depth; "URL values are automatically shortened" (section 2.5). */
function urlsAmong(value: unknown): readonly string[] {
  if (typeof value === 'string') return /^https?:\/\/\S+$/i.test(value) ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.values(value).flatMap(urlsAmong);
}

/** The person of a phone or an email address; told apart where nobody has it. */
export function findPerson(
  store: Store,
  users: { find(companyId: string, by: { phone?: string; email?: string }): readonly User[] },
  companyId: string,
  by: { readonly phone?: string; readonly email?: string },
): User {
  const user = users.find(companyId, by)[0];
  if (user) return user;
  const known = [...store.users.all()]
    .filter((one) => one.companyId === companyId)
    .flatMap(({ phones, emails }) => [...phones, ...emails]);
  throw new UserError(
    `Nobody has ${show(by.phone ?? by.email)}. Known are ${known.slice(0, 5).join(', ') || 'no people yet'}.`,
  );
}
