import { counts, described, integer, list, nullable, object, text, time, type View } from '../../contract/shape.ts';
import { eventTypes } from '../../contract/event-schemas.ts';
import {
  connectionFailure,
  deliveries as stored,
  deliveryAttempt,
  deliveryState,
  reach,
} from '../../records/deliveries.ts';
import type { CallTable } from '../call.ts';
import { limit } from './paging.ts';
import { cause } from './parts.ts';
import { moves } from './records.ts';

export type DeliveryStateView = View<typeof deliveryState>;

export const deliveryCounts = counts(deliveryState.enum);
export type DeliveryCountsView = View<typeof deliveryCounts>;

const { at, wallAt, durationMs, error } = deliveryAttempt.properties;
export const attemptLine = object({ at, wallAt, durationMs, status: nullable(integer), error });

const about = described(
  'The person that the delivery is about, by phone or email, else by `external_id`; null if there is none.',
  nullable(text),
);

const { id, companyId, eventId, type, webhookId, url, state, createdAt, nextAttemptAt, attemptCount } =
  stored.schema.properties;
/** A delivery in a list. */
const deliveryLine = object({
  id,
  companyId,
  eventId,
  type,
  webhookId,
  url,
  state,
  about,
  createdAt,
  nextAttemptAt,
  attemptCount,
  attempts: list(attemptLine),
});
export type DeliveryLineView = View<typeof deliveryLine>;

const deliveries = object({
  total: integer,
  counts: described('The number of deliveries in each state, whichever state was asked for.', deliveryCounts),
  deliveries: list(deliveryLine),
});
export type DeliveriesView = View<typeof deliveries>;

/** One delivery, with both sides of the newest thirty attempts; `attemptCount` counts all. */
export const deliveryWhole = object({
  ...stored.schema.properties,
  about,
  plan: described('The times of the next attempts if each of them fails, earliest first.', list(time)),
  asksReach: described(
    'The reach that the delivery needs, if the newest attempt was refused for its reach; else null.',
    nullable(reach),
  ),
  connectionFailure: described(
    'The reason why the newest attempt got no whole answer: nothing listened, or the connection was closed; null for anything else.',
    nullable(connectionFailure),
  ),
});
export type DeliveryView = View<typeof deliveryWhole>;
export type DeliveryAttemptView = DeliveryView['attempts'][number];

const deliveryDetail = object({
  ...deliveryWhole.properties,
  cause: described('The recorded request that caused it; null if there is none.', nullable(cause)),
  moves,
});
export type DeliveryDetailView = View<typeof deliveryDetail>;

export const deliveryCalls = {
  'GET /control/deliveries': {
    summary: 'Deliveries, newest last: each is delivered, waiting with the time of its next attempt, or failed',
    asOf: 'moment',
    query: object(
      {},
      {
        state: deliveryState,
        webhookId: text,
        eventId: text,
        companyId: text,
        type: { type: 'string', enum: eventTypes },
        limit,
      },
    ),
    reply: deliveries,
  },
  'GET /control/deliveries/{id}': {
    summary: 'One delivery, with both sides of every attempt and the moves that are open',
    asOf: 'moment',
    reply: deliveryDetail,
  },
  'POST /control/deliveries/{id}/redeliver': {
    summary: 'Send a delivery once more, with the same event id',
    changes: true,
    status: 202,
    reply: deliveryLine,
  },
  'POST /control/deliveries/redeliver-failed': {
    summary:
      'Send all failed deliveries of enabled webhooks once more, or only those of one webhook, company or event type',
    changes: true,
    body: object({}, { webhookId: text, companyId: text, type: { type: 'string', enum: eventTypes } }),
    bodyRequired: false,
    status: 202,
    reply: object({
      count: integer,
      deliveries: list(deliveryLine),
      notSent: described(
        'The failed deliveries that were left, by webhook: it is disabled or deleted.',
        list(object({ webhookId: text, deliveryIds: list(text), why: text })),
      ),
    }),
  },
} as const satisfies CallTable;
