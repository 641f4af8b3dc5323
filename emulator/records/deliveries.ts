import { count, described, list, map, nullable, number, object, oneOf, text, time } from '../contract/shape.ts';
import { record } from './definition.ts';
import { owned, stateful } from './parts.ts';

export const reach = described(
  'How far deliveries may go: this machine, also private networks, or anywhere.',
  oneOf('loopback', 'private', 'public'),
);

/** A webhook registered by an app that a company installed (section 6). */
export const webhooks = record(
  object({
    ...owned,
    appId: text,
    url: text,
    events: list(text),
    signingKey: text,
    previousKey: described(
      'The key before the last rotation; it also signs until its time is over.',
      nullable(object({ key: text, until: time })),
    ),
    createdAt: time,
    disabledAt: nullable(time),
    disabledReason: described('Why the platform disabled it; null if a user did, or if it is enabled.', nullable(text)),
    failingSince: described(
      'The time since which the address has accepted nothing; null once it accepts something, or for a new address.',
      nullable(time),
    ),
    reach,
  }),
  {
    words: ['webhook', 'webhooks'],
    owner: 'company',
    secret: ['signingKey', 'previousKey.key'],
    found: ({ url, disabledAt, events }) => ({
      title: `Webhook ${url}`,
      about: disabledAt === null ? `${events.length} event${events.length === 1 ? '' : 's'}` : 'disabled',
      words: events,
    }),
    shownAt: '/webhooks/{id}',
  },
);

const headers = map(text);

export const connectionFailure = oneOf('refused', 'reset');

/** One attempt to deliver: what was sent (the body is the delivery's), the answer, or why there was none. */
export const deliveryAttempt = object(
  {
    at: time,
    wallAt: described('The real time; `at` is virtual.', time),
    durationMs: number,
    request: object({ url: text, headers }),
    response: nullable(
      object(
        {
          status: count,
          headers,
          body: described(
            'The first 16 KB, or the first 2,000 characters once another attempt follows; if the body is not text, its first bytes in hex.',
            text,
          ),
        },
        { binaryBytes: described('The number of bytes that arrived, if the body is not text.', count) },
      ),
    ),
    error: described('Why the attempt failed, and what follows from that; null if it was accepted.', nullable(text)),
  },
  {
    asksReach: described('The reach that the delivery needs, if the attempt was refused for its reach.', reach),
    connectionFailure: described(
      'Set if nothing listened, or if the connection was closed without a whole answer.',
      connectionFailure,
    ),
  },
);

export const deliveryState = oneOf('queued', 'delivering', 'delivered', 'retrying', 'failed', 'paused');

/** The number of the person whom a payload is about; null if it is about no one. */
export function subscriberOf(body: string): number | null {
  const number = /"external_id":(\d+)/.exec(body)?.[1];
  return number === undefined ? null : Number(number);
}

/** One event on its way to one webhook or address. */
export const deliveries = record(
  object({
    ...owned,
    eventId: text,
    type: text,
    webhookId: described('The webhook; null if the delivery is sent to an address given by hand.', nullable(text)),
    url: text,
    reach,
    body: described('The exact text that is sent and signed.', text),
    createdAt: time,
    seriesStartedAt: described(
      'The time at which the current series of attempts began; null before its first attempt.',
      nullable(time),
    ),
    seriesAttempts: count,
    nextAttemptAt: described(
      'The time of the next attempt; it counts only while the delivery is `retrying`.',
      nullable(time),
    ),
    hops: described('The number of deliveries that led to this one.', count),
    attemptCount: count,
    attempts: described('The newest thirty attempts.', list(deliveryAttempt)),
    ...stateful(deliveryState),
  }),
  {
    words: ['delivery', 'deliveries'],
    // The log of sent events: it is kept after the person is deleted.
    owner: 'company',
    fixed: ['companyId', 'type', 'eventId', 'webhookId', 'body', 'createdAt'],
    // Moves do not count as progress: an import adds one when it pauses a delivery.
    progress: ({ attemptCount }) => attemptCount,
    found: ({ type, state, eventId }) => ({ title: `Delivery of ${type}`, about: state, words: [eventId] }),
    names({ body }, { numbers }) {
      const number = subscriberOf(body);
      return number !== null && numbers.includes(number);
    },
    shownAt: '/webhooks?delivery={id}',
    open: ['queued', 'delivering', 'retrying', 'paused'],
    wrong: ['failed'],
    toldAs: 'delivery',
  },
);
