import {
  anyValue,
  boolean,
  count,
  described,
  list,
  map,
  nullable,
  object,
  oneOf,
  text,
  time,
} from '../contract/shape.ts';
import type { View } from '../contract/shape.ts';
import { record } from './definition.ts';
import { owned, stateful } from './parts.ts';

export const subscriptionType = oneOf('MARKETING', 'TRANSACTIONAL', 'CHECKOUT_ABANDONED');
export const subscriptionStatus = oneOf('subscribed', 'unsubscribed');
export const channel = oneOf('TEXT', 'EMAIL');
type Channel = View<typeof channel>;
export const attributeType = oneOf('string', 'number', 'boolean', 'date');
export const privacyState = oneOf('received', 'processing', 'processed');

const origin = described(
  'The source of a value: a request (`what` is its operation), the demo data, or unknown.',
  object({ by: oneOf('request', 'demo', 'unknown'), what: text, requestId: nullable(text) }),
);

const address = object({ channel, value: text, since: time, from: origin });

/** A person, subscribed or not, for whom a phone, an email address or an identifier was sent. */
export const users = record(
  object({
    ...owned,
    externalId: count,
    addresses: described(
      'Phones (they receive texts) and email addresses in the order in which they became known; the first of a channel is the default.',
      list(address),
    ),
    clientUserIds: list(text),
    shopifyIds: list(text),
    klaviyoIds: list(text),
    customIdentifiers: list(object({ name: text, value: text })),
    merged: described(
      'The people who were merged into this person, with the names that they had.',
      list(object({ id: text, externalId: count, name: text, at: time, from: origin })),
    ),
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
    names: ({ id }, { ids }) => ids.includes(id),
    shownAt: '/subscribers/{id}',
  },
);

/**
 * The id of a subscription: there is one for each person, type, channel and address. Emails are compared without case.
 */
export function toSubscriptionId({
  userId,
  type,
  channel,
  address: value,
}: {
  readonly userId: string;
  readonly type: string;
  readonly channel: Channel;
  readonly address: string;
}): string {
  return `${userId}:${type}:${channel}:${channel === 'EMAIL' ? value.toLowerCase() : value}`;
}

/** A subscription keeps at most this many of its latest attempts, so that it does not grow without limit. */
export const attemptLimit = 100;

const attempt = object({ at: time, act: oneOf('subscribe', 'unsubscribe') });
type Attempt = View<typeof attempt>;

interface Standing {
  readonly status: View<typeof subscriptionStatus>;
  readonly updatedAt: string;
}

/** Whether one status is newer. Of two equally new ones the unsubscribe wins, so that no one gets unwanted messages. */
function isLater(one: Standing, other: Standing): boolean {
  const after = Date.parse(one.updatedAt) - Date.parse(other.updatedAt);
  return after > 0 || (after === 0 && one.status === 'unsubscribed');
}

/** A subscription to one type by one channel at one address of a person. Attempts are recorded again (section 4). */
export const subscriptions = record(
  object({
    ...owned,
    userId: text,
    address: described('The phone or email as it is on file.', text),
    type: subscriptionType,
    channel,
    status: subscriptionStatus,
    signUpUnitId: nullable(text),
    createdAt: time,
    updatedAt: time,
    attempts: list(attempt),
  }),
  {
    words: ['subscription', 'subscriptions'],
    owner: { field: 'userId', idOf: (one) => toSubscriptionId(one) },
    // All fields are named: an object made by spreading another one takes up to a kilobyte more of the heap.
    unite(kept, other) {
      const { status, signUpUnitId, updatedAt } = isLater(other, kept) ? other : kept;
      const isKnown = (one: Attempt): boolean => kept.attempts.some(({ at, act }) => at === one.at && act === one.act);
      const more = other.attempts.filter((one) => !isKnown(one));
      const inTime = (): readonly Attempt[] =>
        [...kept.attempts, ...more].toSorted((one, next) => Date.parse(one.at) - Date.parse(next.at));
      return {
        id: kept.id,
        companyId: kept.companyId,
        userId: kept.userId,
        address: kept.address,
        type: kept.type,
        channel: kept.channel,
        status,
        signUpUnitId,
        createdAt: Date.parse(other.createdAt) < Date.parse(kept.createdAt) ? other.createdAt : kept.createdAt,
        updatedAt,
        attempts: more.length === 0 ? kept.attempts : inTime().slice(-attemptLimit),
      };
    },
    shownAt: null,
  },
);

/** An API sign-up unit, which the platform's UI makes; `id` is what clients send as `signUpSourceId`. */
export const signUpUnits = record(
  object({ ...owned, name: text, language: text, country: text, type: subscriptionType }),
  {
    words: ['sign-up unit', 'sign-up units'],
    owner: 'company',
    found: ({ id, name, type }) => ({ title: `Sign-up unit ${name}`, about: `${id}, ${type}`, words: [] }),
    shownAt: '/sign-up-units/{id}',
  },
);

/** `id` is `companyId:name`. Only an attribute made in the UI has a fixed set of values. */
export const attributeDefinitions = record(
  object({
    ...owned,
    name: text,
    type: attributeType,
    values: described('The fixed set; null if any value is accepted.', nullable(list(text))),
    origin: oneOf('ui', 'api'),
    createdAt: time,
  }),
  {
    words: ['attribute', 'attributes'],
    owner: 'company',
    // Every value that people have fits a string.
    unite: (kept, other) => (kept.type === other.type ? other : { ...other, type: 'string' as const }),
    found: ({ name, type, values }) => ({
      title: `Attribute ${name}`,
      about: values === null ? `any ${type}` : `${values.length} fixed values`,
      words: [],
    }),
    shownAt: '/attributes/{id}',
  },
);

/** One person's value of an attribute. */
export const attributeValues = record(object({ ...owned, userId: text, name: text, value: text, updatedAt: time }), {
  words: ['attribute value', 'attribute values'],
  owner: { field: 'userId', idOf: ({ userId, name }) => `${userId}:${name}` },
  unite: (kept, other) =>
    Date.parse(other.updatedAt) > Date.parse(kept.updatedAt)
      ? { ...kept, value: other.value, updatedAt: other.updatedAt }
      : kept,
  shownAt: null,
});

/** An event that a client sent (sections 6 and 2.5). */
export const events = record(
  object({
    ...owned,
    userId: text,
    kind: oneOf('product-view', 'add-to-cart', 'purchase', 'custom'),
    type: text,
    externalEventId: nullable(text),
    occurredAt: time,
    receivedAt: time,
    startsJourneys: boolean,
    body: described(
      'The body that the client sent, without the user; `shortened` maps URLs among the properties to their short links.',
      map(anyValue),
    ),
  }),
  {
    words: ['event', 'events'],
    owner: { field: 'userId' },
    fixed: ['companyId', 'userId', 'kind', 'type', 'externalEventId', 'occurredAt', 'receivedAt', 'body'],
    shownAt: null,
  },
);

/**
 * A message that the platform would have sent to a person, or that they wrote back. Nothing of it leaves this machine.
 */
export const messages = record(
  object({
    ...owned,
    userId: text,
    channel,
    direction: oneOf('out', 'in'),
    type: described('The type as payloads name it: ONE_TIME, CONFIRM_OPT_IN, OPT_OUT …', text),
    name: text,
    to: described('The person’s phone or email.', text),
    text,
    subject: nullable(text),
    html: nullable(text),
    links: list(object({ id: text, url: text, shortUrl: text })),
    sentAt: time,
    opens: list(time),
    clicks: list(object({ url: text, at: time })),
    cause: described('The cause, in words.', text),
  }),
  {
    words: ['message', 'messages'],
    owner: { field: 'userId' },
    fixed: ['companyId', 'userId', 'channel', 'direction', 'type', 'to', 'text', 'sentAt'],
    progress: ({ opens, clicks }) => opens.length + clicks.length,
    shownAt: null,
    toldAs: 'message',
  },
);

/** A link in a message or an event that leads on to `url` (sections 2.5, 8); `id` is the random part of its address. */
export const shortLinks = record(
  object({
    ...owned,
    userId: text,
    url: text,
    messageId: nullable(text),
    eventId: nullable(text),
    clicks: count,
    createdAt: time,
  }),
  {
    words: ['short link', 'short links'],
    owner: { field: 'userId' },
    progress: ({ clicks }) => clicks,
    shownAt: null,
    toldAs: null,
  },
);

/** A deletion request; `id` is alphanumeric (2.4). */
export const privacyRequests = record(
  object({
    ...owned,
    subjectPhone: nullable(text),
    subjectEmail: nullable(text),
    clientUserId: nullable(text),
    requestMsg: nullable(text),
    requestedAt: time,
    processingStartedAt: nullable(time),
    processingEndedAt: nullable(time),
    deletedUserIds: list(text),
    ...stateful(privacyState),
  }),
  {
    words: ['privacy request', 'privacy requests'],
    // Kept after the person is deleted, as proof of the deletion.
    owner: 'company',
    progress: ({ history }) => history.length,
    found: ({ id, subjectPhone, subjectEmail, clientUserId, state }) => ({
      title: `Privacy request ${id}`,
      about: [subjectPhone ?? subjectEmail ?? clientUserId ?? '', state].filter(Boolean).join(', '),
      words: [subjectEmail ?? '', clientUserId ?? ''],
    }),
    names({ subjectPhone, subjectEmail, deletedUserIds }, { ids, called }) {
      return (
        [subjectPhone, subjectEmail].some((one) => one !== null && called.includes(one.toLowerCase())) ||
        deletedUserIds.some((id) => ids.includes(id))
      );
    },
    shownAt: '/privacy/{id}',
    open: ['received', 'processing'],
  },
);
