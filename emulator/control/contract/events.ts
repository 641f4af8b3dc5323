import {
  boolean,
  described,
  free,
  list,
  map,
  nullable,
  anyValue,
  object,
  oneOf,
  text,
  type View,
} from '../../contract/shape.ts';
import { eventTypes as names } from '../../contract/event-schemas.ts';
import {
  eventDraft,
  eventInput,
  gymInput,
  gymResult,
  misfit,
  receivedSignature,
  signatureCheck,
  signed,
} from '../../delivery/shapes.ts';
import { channel } from '../../records/people.ts';
import type { CallTable } from '../call.ts';
import { deliveryWhole } from './deliveries.ts';
import { provenance } from './refusals.ts';

/** An event type: when it is sent, the schema of its payload with provenance, and an example. */
const eventType = object({
  type: oneOf(...names),
  says: text,
  provenance,
  channel: described('The channel of the sent message that it is about; null if it is about none.', nullable(channel)),
  schema: free('A JSON Schema.'),
  example: map(anyValue),
});
export type EventTypeView = View<typeof eventType>;

const eventTypes = object({
  testSigningKey: text,
  testStandardSecret: text,
  types: list(eventType),
});

/** An event as it would be sent. */
const preview = object({
  ...eventDraft.properties,
  type: text,
  misfit,
});
export type EventPreviewView = View<typeof preview>;

/** The event that was sent, and how each receiver answered. */
const fired = object({
  ...eventDraft.properties,
  deliveries: described(
    'The deliveries after their first attempt; still `delivering` if the receiver takes longer than a second; empty for a dry run.',
    list(deliveryWhole),
  ),
});
export type FiredView = View<typeof fired>;

export type SignatureCheckView = View<typeof signatureCheck>;
export type GymView = View<typeof gymResult>;

const { type, ...eventFields } = eventInput.properties;
const { signature } = receivedSignature.properties;
const { body: signedBody, ...signedRest } = signed;

export const eventCalls = {
  'GET /control/event-types': {
    summary: 'The event types, each with the schema of its payload and an example',
    asOf: 'now',
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
      'An event as it would be sent: the exact bytes and headers, its targets, and the place where it does not fit its schema',
    asOf: 'now',
    body: eventInput,
    reply: preview,
  },
  'POST /control/gym': {
    summary: 'Send the same events duplicated, reordered, delayed, at once and cut off half-way, from a seed',
    changes: true,
    body: gymInput,
    reply: gymResult,
  },
  'POST /control/signature/check': {
    summary:
      'Find the step of a signature that differs: compares a receiver’s computation with a delivery or with given input',
    asOf: 'now',
    body: object(
      { signature },
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
