import {
  boolean,
  counts,
  described,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  time,
  type View,
} from '../../contract/shape.ts';
import { deliveryState } from '../../records/deliveries.ts';
import { tapResult } from '../../messages/tap.ts';
import { channel, messages, privacyState, subscriptionStatus, users } from '../../records/people.ts';
import type { CallTable } from '../call.ts';
import { limit, offset } from './paging.ts';
import { cause } from './parts.ts';

/** One line of the list of people. */
const personLine = object({
  id: text,
  names: described(
    'At most two identifiers, such as a phone and an email; the one that names the person best is first.',
    list(text),
  ),
  found: described(
    'The identifier that matched the search, if the line does not show it.',
    nullable(object({ by: text, value: text })),
  ),
  subscribed: described('The channels on which at least one subscription is active.', list(channel)),
});
export type PersonLineView = View<typeof personLine>;

const people = object({
  total: described('The number of people that match.', integer),
  at: described(
    'The position of the query’s `person` among the people that match, from 0; null if there is none.',
    nullable(integer),
  ),
  people: list(personLine),
});
export type PeopleView = View<typeof people>;

const personSubscription = object({
  id: text,
  address: described('The phone or email that is subscribed.', text),
  type: text,
  channel,
  status: subscriptionStatus,
  updatedAt: time,
  unit: described(
    'The sign-up unit; null if there was none, or if it was deleted.',
    nullable(object({ id: text, name: text })),
  ),
  cause: described('The request that made the newest attempt; null if no recorded request made it.', nullable(cause)),
  by: described(
    'The cause if there is no request: a reply that the person wrote, or the unsubscribe link of an email; null if unknown.',
    nullable(text),
  ),
  attempts: integer,
});
export type PersonSubscriptionView = View<typeof personSubscription>;

const personAttribute = object({
  id: text,
  name: text,
  value: text,
  type: text,
  values: described('The fixed set of values; null if any is accepted.', nullable(list(text))),
  updatedAt: time,
  cause: nullable(cause),
});
export type PersonAttributeView = View<typeof personAttribute>;

/** A delivery about a person. */
const personDelivery = object({
  id: text,
  type: text,
  state: deliveryState,
  url: text,
  createdAt: time,
  nextAttemptAt: nullable(time),
  messageId: described('The message that the delivery is about; null if it is not about one.', nullable(text)),
});
export type PersonDeliveryView = View<typeof personDelivery>;

/** The effects of a reply or an unsubscribe of a person. */
const personTap = object({
  at: time,
  messageId: described('The message that the person wrote, or the one whose link they followed.', text),
  did: tapResult.properties.did,
  published: list(text),
  impliedBy: tapResult.properties.impliedBy,
  says: tapResult.properties.says,
  deliveries: described('The deliveries that it began.', list(personDelivery)),
});
export type PersonTapView = View<typeof personTap>;

/** Everything known about a person except their history, which is long. */
const person = object({
  person: users.schema,
  cause: nullable(cause),
  subscriptions: list(personSubscription),
  attributes: list(personAttribute),
  messages: described('The newest five hundred messages, oldest first.', list(messages.schema)),
  messageCount: integer,
  deliveries: described('The newest five hundred deliveries, oldest first.', list(personDelivery)),
  deliveryCount: integer,
  taps: described(
    'The effects of replies and unsubscribes, oldest first, as far as they are among the newest two thousand things done by hand.',
    list(personTap),
  ),
  privacyRequests: list(object({ id: text, state: privacyState, requestedAt: time })),
});
export type PersonView = View<typeof person>;

export const historyGroup = oneOf('events', 'messages', 'deliveries', 'changes');
export type HistoryGroup = View<typeof historyGroup>;

/** Something that happened to a person, or that they did. */
const historyEntry = object({
  at: time,
  group: historyGroup,
  what: described(
    'The kind of the entry, which decides its icon.',
    oneOf(
      'known',
      'identified',
      'subscribed',
      'unsubscribed',
      'attribute',
      'event',
      'sent',
      'replied',
      'opened',
      'clicked',
      'delivery',
      'privacy',
    ),
  ),
  byPerson: described('Whether the person did it.', boolean),
  channel: nullable(channel),
  says: text,
  detail: described('Further words, shown muted: the state of a delivery, the target of a link.', nullable(text)),
  kind: described('The kind of the record with the details; `id` is its id.', text),
  id: text,
  cause: nullable(cause),
});
export type HistoryEntryView = View<typeof historyEntry>;

/** A page of what happened to a person, newest first. */
const history = object({
  total: integer,
  counts: counts(historyGroup.enum),
  entries: list(historyEntry),
});
export type PersonHistoryView = View<typeof history>;

const page = {
  offset,
  limit: { ...limit, maximum: 9_999 },
} as const;

export const peopleCalls = {
  'GET /control/people': {
    summary: 'The people of a company, newest first, or those with an identifier that contains the search text',
    asOf: 'moment',
    query: object({ companyId: text }, { search: { type: 'string', maxLength: 500 }, person: text, ...page }),
    reply: people,
  },
  'GET /control/people/{id}': {
    summary:
      'One person: identities, subscriptions and attributes with the requests that caused them, messages, deliveries',
    asOf: 'moment',
    reply: person,
  },
  'GET /control/people/{id}/history': {
    summary:
      'The history of a person, newest first: events, messages, deliveries and changes, with the requests that caused them',
    asOf: 'moment',
    query: object({}, { group: historyGroup, ...page }),
    reply: history,
  },
} as const satisfies CallTable;
