import { boolean, described, list, nullable, object, oneOf, text, time, type View } from '../../contract/shape.ts';
import { eventTypes } from '../../contract/event-schemas.ts';
import { deliveryState, reach, webhooks } from '../../records/deliveries.ts';
import type { CallTable } from '../call.ts';
import { deliveryCounts } from './deliveries.ts';
import { cause } from './parts.ts';

export type ReachView = View<typeof reach>;

const standardSecret = described('The same key in the form that libraries for Standard Webhooks accept.', text);

/** A webhook with its keys, unmasked. */
const webhook = object({
  ...webhooks.schema.properties,
  standardSecret,
  previousKey: described(
    'The key before the last rotation; it also signs until its time is over.',
    nullable(
      object({
        key: text,
        standardSecret,
        until: time,
        advice: described('The steps for the receiver until then, and the reason.', text),
      }),
    ),
  ),
  enabled: boolean,
});
export type WebhookView = View<typeof webhook>;

/** A webhook in a list. */
const webhookLine = object({
  ...webhook.properties,
  cause: described(
    'The recorded request that created it; null if there is none, or if it was dropped.',
    nullable(cause),
  ),
  deliveries: object({
    counts: deliveryCounts,
    latest: described('The latest twenty, newest last.', list(object({ id: text, state: deliveryState, type: text }))),
  }),
});
export type WebhookLineView = View<typeof webhookLine>;

const types = { type: 'array', minItems: 1, items: { type: 'string', enum: eventTypes } } as const;

const url = {
  type: 'string',
  format: 'http-url',
  maxLength: 2048,
  examples: ['http://localhost:3000/webhooks'],
} as const;
const further = {
  reach,
  signingKey: { type: 'string', minLength: 8, maxLength: 200, examples: ['my-signing-key'] },
} as const;

export const webhookTime = oneOf('wall', 'virtual');

export const webhookCalls = {
  'GET /control/webhooks': {
    summary: 'The webhooks of all apps, with their signing keys',
    asOf: 'moment',
    query: object({}, { companyId: text }),
    reply: object({ webhooks: list(webhookLine) }),
  },
  'POST /control/webhooks': {
    summary: 'Create a webhook, as in the settings of an app',
    changes: true,
    body: object({ url, events: types }, { ...further, companyId: text, appId: text }),
    status: 201,
    reply: webhook,
  },
  'POST /control/webhooks/{id}': {
    summary: 'Change a webhook: only the fields that are sent; its reach is set here, and nowhere in the platform API',
    changes: true,
    body: object({}, { url, events: types, ...further, disabled: boolean }),
    reply: webhook,
  },
  'DELETE /control/webhooks/{id}': {
    summary: 'Delete a webhook; deliveries that wait for it are abandoned',
    changes: true,
    reply: null,
  },
  'POST /control/webhooks/{id}/rotate': {
    summary: 'Create a new signing key; the old one also signs while the overlap lasts',
    changes: true,
    body: object({}, { overlap: { type: 'string', examples: ['24h'] } }),
    bodyRequired: false,
    reply: webhook,
  },
  'POST /control/webhook-time': {
    summary:
      'Choose the clock that payloads and signatures show: real time, or virtual time, which receivers may consider stale',
    changes: true,
    body: object({ time: webhookTime }),
    reply: object({ time: webhookTime }),
  },
} as const satisfies CallTable;
