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

const about = described('The person it is about, by phone or email.', nullable(text));

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
  counts: described('Of all states, whichever was asked for.', deliveryCounts),
  deliveries: list(deliveryLine),
});
export type DeliveriesView = View<typeof deliveries>;

/** One delivery, with both sides of the newest thirty attempts; `attemptCount` counts all. */
export const deliveryWhole = object({
  ...stored.schema.properties,
  about,
  plan: described('When its next attempts are if each of them fails, the earliest first.', list(time)),
  asksReach: described(
    'How far its webhook would have to reach for it; null if nothing was refused for that.',
    nullable(reach),
  ),
  connectionFailure: described(
    'How the newest attempt ended without a whole answer: nothing listened, or the connection was closed; null for anything else.',
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
    summary: 'Deliveries, newest last: every event is delivered, waiting with its next time, or failed',
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
      'Send everything that failed once more, of one webhook, company or event type, or of all; of webhooks that are enabled',
    changes: true,
    body: object({}, { webhookId: text, companyId: text, type: { type: 'string', enum: eventTypes } }),
    bodyRequired: false,
    status: 202,
    reply: object({ count: integer, deliveries: list(deliveryLine) }),
  },
} as const satisfies CallTable;
