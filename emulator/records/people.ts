import { record, stored } from './definition.ts';
import { count, fields, flag, list, object, oneOf, orNull, stateful, text, texts, time } from './fields.ts';

const subscriptionTypes = ['MARKETING', 'TRANSACTIONAL', 'CHECKOUT_ABANDONED'] as const;
const channels = ['TEXT', 'EMAIL'] as const;

/** Where something is known from. `what`: the operation, or words; `requestId`: of the recorded request, if there is one. */
const origin = fields({ by: oneOf(['request', 'demo', 'unknown']), what: text, requestId: orNull(text) });

/** A phone (it takes texts) or an email address, and since when and where from it is known. */
const address = fields({ channel: oneOf(channels), value: text, since: time, from: origin });

/** A person, subscribed or not: whoever a phone, an email address or an identifier was sent for. */
export const users = record(
  stored({
    companyId: text,
    externalId: count,
    /** In the order in which they became known; the first of a channel is meant where nothing says which. */
    addresses: list(address),
    clientUserIds: texts,
    shopifyIds: texts,
    klaviyoIds: texts,
    customIdentifiers: list(fields({ name: text, value: text })),
    /** Who became one with this person. */
    merged: list(fields({ id: text, externalId: count, name: text, at: time, from: origin })),
    createdAt: time,
  }),
  {
    words: ['person', 'people'],
    owner: 'company',
    found(user, { ofPerson }) {
      const keys = [
        ...user.addresses.map(({ value }) => value),
        ...user.clientUserIds,
        ...user.shopifyIds,
        ...user.klaviyoIds,
      ];
      const [title = user.id, ...others] = keys;
      const isSubscribed = (one: object): boolean => (one as { readonly status?: string }).status === 'subscribed';
      const subscribed = ofPerson('subscriptions', user.id).filter(isSubscribed).length;
      return {
        title: `Subscriber ${title}`,
        about: subscribed === 0 ? 'not subscribed' : `${subscribed} subscription${subscribed === 1 ? '' : 's'}`,
        words: [...others, ...user.customIdentifiers.map(({ value }) => value), String(user.externalId)],
      };
    },
    shownAt: 'subscribers',
  },
);

/** Of a person, a type, a channel and an address there is one subscription. Emails are compared without case. */
export function toSubscriptionId({
  userId,
  type,
  channel,
  address: value,
}: {
  readonly userId: string;
  readonly type: string;
  readonly channel: (typeof channels)[number];
  readonly address: string;
}): string {
  return `${userId}:${type}:${channel}:${channel === 'EMAIL' ? value.toLowerCase() : value}`;
}

/** One type by one channel at one address of a person. Attempts are recorded again (section 4). */
export const subscriptions = record(
  stored({
    companyId: text,
    userId: text,
    /** The phone or email as it is on file. */
    address: text,
    type: oneOf(subscriptionTypes),
    channel: oneOf(channels),
    status: oneOf(['subscribed', 'unsubscribed']),
    signUpUnitId: orNull(text),
    createdAt: time,
    updatedAt: time,
    attempts: list(fields({ at: time, act: oneOf(['subscribe', 'unsubscribe']) })),
  }),
  {
    words: ['subscription', 'subscriptions'],
    owner: {
      field: 'userId',
      idOf: (one) => toSubscriptionId(one),
      unite: (kept, other) =>
        kept.status !== 'subscribed' && other.status === 'subscribed'
          ? { ...kept, status: 'subscribed' as const, updatedAt: other.updatedAt }
          : kept,
    },
    shownAt: null,
  },
);

/** An API sign-up unit, which the platform's UI makes; `id` is what clients send as `signUpSourceId`. */
export const signUpUnits = record(
  stored({ companyId: text, name: text, language: text, country: text, type: oneOf(subscriptionTypes) }),
  {
    words: ['sign-up unit', 'sign-up units'],
    owner: 'company',
    found: ({ id, name, type }) => ({ title: `Sign-up unit ${name}`, about: `${id}, ${type}`, words: [] }),
    shownAt: 'units',
  },
);

/** `id` is `companyId:name`. `values` is the fixed set of an attribute made in the UI, null where any value is taken. */
export const attributeDefinitions = record(
  stored({
    companyId: text,
    name: text,
    type: oneOf(['string', 'number', 'boolean', 'date']),
    values: orNull(texts),
    origin: oneOf(['ui', 'api']),
    createdAt: time,
  }),
  {
    words: ['attribute', 'attributes'],
    owner: 'company',
    found: ({ name, type, values }) => ({
      title: `Attribute ${name}`,
      about: values === null ? `any ${type}` : `${values.length} fixed values`,
      words: [],
    }),
    shownAt: 'attributes',
  },
);

/** One person's value of an attribute. */
export const attributeValues = record(
  stored({ companyId: text, userId: text, name: text, value: text, updatedAt: time }),
  {
    words: ['attribute value', 'attribute values'],
    owner: { field: 'userId', idOf: ({ userId, name }) => `${userId}:${name}` },
    shownAt: null,
  },
);

/**
 * An event a client sent (section 6, inbound). `body` is what it sent, without the user; `shortened` in it maps the URLs
 * among the properties to their short links (section 2.5).
 */
export const events = record(
  stored({
    companyId: text,
    userId: text,
    kind: oneOf(['product-view', 'add-to-cart', 'purchase', 'custom']),
    type: text,
    externalEventId: orNull(text),
    occurredAt: time,
    receivedAt: time,
    startsJourneys: flag,
    body: object,
  }),
  { words: ['event', 'events'], owner: { field: 'userId' }, shownAt: null },
);

/** What the platform would have sent to a person, or what they wrote back. Nothing of it leaves this machine. */
export const messages = record(
  stored({
    companyId: text,
    userId: text,
    channel: oneOf(channels),
    direction: oneOf(['out', 'in']),
    /** As payloads name it: ONE_TIME, CONFIRM_OPT_IN, OPT_OUT … */
    type: text,
    name: text,
    /** The person's phone or email. */
    to: text,
    text,
    subject: orNull(text),
    html: orNull(text),
    links: list(fields({ id: text, url: text, shortUrl: text })),
    sentAt: time,
    opens: list(time),
    clicks: list(fields({ url: text, at: time })),
    /** What it came of, in words. */
    cause: text,
  }),
  { words: ['message', 'messages'], owner: { field: 'userId' }, shownAt: null },
);

/** A link in a message or an event that leads on to `url` (sections 2.5, 8); `id` is the random part of its address. */
export const shortLinks = record(
  stored({
    companyId: text,
    userId: text,
    url: text,
    messageId: orNull(text),
    eventId: orNull(text),
    clicks: count,
    createdAt: time,
  }),
  { words: ['short link', 'short links'], owner: { field: 'userId' }, shownAt: null },
);

/** A deletion request; `id` is alphanumeric (2.4). */
export const privacyRequests = record(
  stored({
    companyId: text,
    subjectPhone: orNull(text),
    subjectEmail: orNull(text),
    clientUserId: orNull(text),
    requestMsg: orNull(text),
    requestedAt: time,
    processingStartedAt: orNull(time),
    processingEndedAt: orNull(time),
    deletedUserIds: texts,
    ...stateful(['received', 'processing', 'processed']),
  }),
  {
    words: ['privacy request', 'privacy requests'],
    // It outlives the person: it is the proof that they were deleted.
    owner: 'company',
    found: ({ id, subjectPhone, subjectEmail, clientUserId, state }) => ({
      title: `Privacy request ${id}`,
      about: [subjectPhone ?? subjectEmail ?? clientUserId ?? '', state].filter(Boolean).join(', '),
      words: [subjectEmail ?? '', clientUserId ?? ''],
    }),
    shownAt: 'privacy',
  },
);
