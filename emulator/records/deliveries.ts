import { record, stored } from './definition.ts';
import { count, fields, list, oneOf, orNull, stateful, text, textMap, texts, time } from './fields.ts';

/** How far deliveries may go: this machine, also private networks, or anywhere. */
const reaches = ['loopback', 'private', 'public'] as const;

/** A webhook registered by an app that a company installed (section 6). */
export const webhooks = record(
  stored({
    companyId: text,
    appId: text,
    url: text,
    events: texts,
    signingKey: text,
    /** The key before the last rotation; it signs too until its time is over. */
    previousKey: orNull(fields({ key: text, until: time })),
    createdAt: time,
    disabledAt: orNull(time),
    /** Why the platform disabled it; null where somebody did, or where it is enabled. */
    disabledReason: orNull(text),
    /** Since when nothing was accepted; null once something was. */
    failingSince: orNull(time),
    reach: oneOf(reaches),
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
    shownAt: 'webhooks',
  },
);

const attempt = fields({
  at: time,
  /** Real time, where `at` is the virtual one. */
  wallAt: time,
  durationMs: { type: 'number' },
  request: fields({ url: text, headers: textMap }),
  /** `body`: the first 16 KB. */
  response: orNull(fields({ status: count, headers: textMap, body: text })),
  /** Why the attempt failed, in a sentence; null where it was accepted. */
  error: orNull(text),
});

/** One try to deliver: what was sent (the body is the delivery's), what came back, or why nothing did. */
export const deliveryAttempt = {
  ...attempt,
  properties: {
    ...attempt.properties,
    /** How far the webhook would have to reach for it, where the attempt was refused for that. */
    asksReach: oneOf(reaches),
  },
} as const;

/** One event on its way to one webhook, or to an address given by hand (then `webhookId` is null). */
export const deliveries = record(
  stored({
    companyId: text,
    eventId: text,
    type: text,
    webhookId: orNull(text),
    url: text,
    reach: oneOf(reaches),
    /** The exact text that is sent and signed. */
    body: text,
    createdAt: time,
    /** When the present series of attempts began; null before its first one. */
    seriesStartedAt: orNull(time),
    seriesAttempts: count,
    /** Only while retrying. */
    nextAttemptAt: orNull(time),
    /** How many deliveries led to this one, see delivery/hops.ts. */
    hops: count,
    attemptCount: count,
    /** The newest thirty. */
    attempts: list(deliveryAttempt),
    ...stateful(['queued', 'delivering', 'delivered', 'retrying', 'failed', 'paused']),
  }),
  {
    words: ['delivery', 'deliveries'],
    // The log of what was sent out: it outlives the person whom it names.
    owner: 'company',
    found: ({ type, state, eventId }) => ({ title: `Delivery of ${type}`, about: state, words: [eventId] }),
    shownAt: 'deliveries',
  },
);
