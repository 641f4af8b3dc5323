import {
  anyValue,
  boolean,
  described,
  free,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  text,
  type View,
} from '../../contract/shape.ts';
import { eventTypes as names } from '../../contract/event-schemas.ts';
import { reach } from '../../records/deliveries.ts';
import type { CallTable } from '../call.ts';
import { deliveryWhole } from './deliveries.ts';
import { provenance } from './refusals.ts';
import { types } from './webhooks.ts';

/** An event type: when it is sent, the schema of its payload with provenance, an example. */
const eventType = object({
  type: oneOf(...names),
  says: text,
  provenance,
  schema: free('A JSON Schema.'),
  example: map(anyValue),
});
export type EventTypeView = View<typeof eventType>;

const eventTypes = object({
  testSigningKey: text,
  testStandardSecret: text,
  types: list(eventType),
});

const headers = map(text);
const payload = map(anyValue);

const signedBy = described('The key that signs, and where to read it.', text);

const draft = {
  eventId: text,
  payload,
  body: described('The exact text that is sent.', text),
  headers: described('Those for the first target; without any, as signed with the test key.', headers),
  targets: list(object({ webhookId: nullable(text), url: text, reach, headers })),
  signedBy,
  note: described(
    'Possible surprises: no webhook listens, the webhook does not list the type, a receiver is slow.',
    nullable(text),
  ),
} as const;

/** An event as it would be sent. */
const preview = object({
  ...draft,
  type: text,
  misfit: described(
    'Where the payload does not fit its schema; then it is refused when it is fired.',
    nullable(object({ pointer: text, says: text })),
  ),
});
export type EventPreviewView = View<typeof preview>;

/** What was sent, and how each receiver answered. */
const fired = object({
  ...draft,
  deliveries: described(
    'After their first attempt; still `delivering` if the receiver takes longer than a second; none for a dry run.',
    list(deliveryWhole),
  ),
});
export type FiredView = View<typeof fired>;

const eventFields = {
  subscriber: described(
    'Who it is about, a known person; the one of the example if not given.',
    object({}, { phone: text, email: text }),
  ),
  messageId: described('A message of the simulated phone and inbox; for events about messages.', text),
  payload: described('Laid over the payload: objects member by member, lists and values replace.', payload),
  whole: described('The payload is used as it is, without fields of the example.', boolean),
  eventId: { type: 'string', pattern: '^[A-Za-z0-9_-]{4,64}$', examples: ['evt_0123456789abcdef01234567'] },
  to: {
    type: 'string',
    maxLength: 2048,
    description: 'A URL or a webhook’s id; all enabled webhooks that list the type if not given.',
  },
  companyId: text,
  reach,
} as const;
const type = { ...oneOf(...names), examples: ['sms.subscribed'] } as const;

const acts = ['duplicate', 'reorder', 'delay', 'concurrent', 'cut'] as const;

const gym = object({
  seed: integer,
  acts: list(oneOf(...acts)),
  signedBy,
  events: list(
    object({
      eventId: text,
      type: text,
      timestamp: described('Of its payload, in milliseconds since 1970.', integer),
      accepted: described('How often it was sent whole.', integer),
      sent: integer,
    }),
  ),
  steps: list(
    object({
      event: described('From 0.', integer),
      delayMs: number,
      cutAt: described(
        'The share of the body after which the connection was closed; null if all of it was sent.',
        nullable(number),
      ),
      batch: described('Steps of one batch went at the same time.', integer),
      eventId: text,
      status: nullable(integer),
      error: nullable(text),
      durationMs: number,
    }),
  ),
});
export type GymView = View<typeof gym>;

/** Every mistake that is tried hashes it again. */
const signed = {
  body: { type: 'string', maxLength: 65_536 },
  key: { type: 'string', maxLength: 1_000 },
  eventId: { type: 'string', maxLength: 200, examples: ['evt_0123456789abcdef01234567'] },
  timestamp: { type: 'string', maxLength: 40, examples: ['1796047343'] },
} as const;
const { body: signedBody, ...signedRest } = signed;

/** Which step of a signature that a receiver computed differs from what was sent. */
const signatureCheck = object({
  scheme: oneOf('x-attentive-hmac-sha256', 'webhook-signature'),
  matches: boolean,
  says: text,
  expected: described('The header as it was sent.', text),
  steps: list(
    object({
      step: oneOf('Algorithm', 'Key', 'Headers', 'Body', 'Signed text', 'Encoding', 'Age'),
      state: described('`unknown`: there is no information.', oneOf('same', 'differs', 'unknown')),
      says: text,
      fix: nullable(text),
    }),
  ),
});
export type SignatureCheckView = View<typeof signatureCheck>;

export const eventCalls = {
  'GET /control/event-types': {
    summary: 'The event types, each with the schema of its payload and an example',
    reply: eventTypes,
  },
  'POST /control/trigger': {
    summary: 'Fire an event by hand; the answer waits for the receiver, for a second at most',
    changes: true,
    body: object({ type }, { ...eventFields, dryRun: boolean }),
    reply: fired,
  },
  'POST /control/trigger/preview': {
    summary:
      'An event as it would be sent: the exact bytes and headers, its targets, and where it does not fit its schema',
    body: object({ type }, eventFields),
    reply: preview,
  },
  'POST /control/gym': {
    summary: 'The same events duplicated, reordered, delayed, at once and cut off half-way, from a seed',
    changes: true,
    body: object(
      { to: { type: 'string', maxLength: 2048 } },
      {
        seed: { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
        acts: list(oneOf(...acts)),
        count: { type: 'integer', minimum: 1, maximum: 200 },
        types,
        reach,
      },
    ),
    reply: gym,
  },
  'POST /control/signature/check': {
    summary: 'Which step of a signature differs: compares a receiver’s computation with a delivery or with given input',
    body: object(
      { signature: { type: 'string', minLength: 1, maxLength: 2_000 } },
      {
        deliveryId: text,
        attempt: { type: 'integer', minimum: 0, maximum: 29 },
        webhookId: text,
        sent: object({ body: signedBody }, signedRest),
        ...signed,
      },
    ),
    reply: signatureCheck,
  },
} as const satisfies CallTable;
