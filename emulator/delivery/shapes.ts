/**
 * The inputs and results of the built-in receiver, the gym, drafted events and the check of a signature. The control
 * API has these shapes as they are, and the types follow from them.
 */
import { eventTypes } from '../contract/event-schemas.ts';
import {
  anyValue,
  boolean,
  described,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  text,
  time,
  type View,
} from '../contract/shape.ts';
import { connectionFailure, reach } from '../records/deliveries.ts';

const headers = map(text);

const behaviour = object({
  connection: described(
    '`reset`: it closes each connection without an answer. `refused`: nothing listens at its address.',
    oneOf('answered', ...connectionFailure.enum),
  ),
  status: integer,
  delayMs: described('Real milliseconds before the answer.', integer),
  echo: described('Whether the answer repeats the body of the request.', boolean),
});
export type ReceiverBehaviour = View<typeof behaviour>;

/** The built-in receiver. */
export const receiver = object({
  running: boolean,
  url: nullable(text),
  behaviour,
  received: described(
    'The newest 200 requests, oldest first.',
    list(
      object({
        number: described('The number of the request, counted from 1 since the start of Sandpiper.', integer),
        at: time,
        wallAt: time,
        method: text,
        path: text,
        headers,
        body: described('The first 256 KB of the body.', text),
        status: described('The status of the answer; null if there was none.', nullable(integer)),
      }),
    ),
  ),
});
export type ReceiverView = View<typeof receiver>;

const payload = map(anyValue);
const signedBy = described('The key that signs, and where to read it.', text);

/** An event to draft. */
export const eventInput = object(
  { type: { ...oneOf(...eventTypes), examples: ['sms.subscribed'] } },
  {
    subscriber: described(
      'The person that the event is about, who must be known; by default the person of the example.',
      object({}, { phone: text, email: text }),
    ),
    messageId: described(
      'The id of a message on the simulated phone or in the inbox; for events about messages.',
      text,
    ),
    payload: described(
      'Changes to the payload: objects are merged member by member, lists and values are replaced.',
      payload,
    ),
    whole: described('Whether the payload is used as it is, without fields of the example.', boolean),
    eventId: { type: 'string', pattern: '^[A-Za-z0-9_-]{4,64}$', examples: ['evt_0123456789abcdef01234567'] },
    to: {
      type: 'string',
      maxLength: 2048,
      description: 'A URL or a webhook’s id; by default all enabled webhooks that list the type.',
    },
    companyId: text,
    reach,
  },
);
export type EventInput = View<typeof eventInput>;

/** An event as it would be sent, without its type. */
export const eventDraft = object({
  eventId: text,
  payload,
  body: described('The exact text that is sent.', text),
  headers: described('The headers for the first target; without a target, those signed with the test key.', headers),
  targets: list(object({ webhookId: nullable(text), url: text, reach, headers })),
  signedBy,
  note: described(
    'Possible surprises: no webhook listens, the webhook does not list the type, a receiver is slow.',
    nullable(text),
  ),
});

export const misfit = described(
  'The place at which the payload does not fit its schema, so that firing it is refused; null if it fits.',
  nullable(object({ pointer: text, says: text })),
);

const disturbance = oneOf('duplicate', 'reorder', 'delay', 'concurrent', 'cut');

export const gymInput = object(
  { to: { type: 'string', maxLength: 2048 } },
  {
    seed: { type: 'integer', minimum: 0, maximum: 4_294_967_295 },
    acts: described('Each is done at least once. Default: all that are possible with `count`.', list(disturbance)),
    count: { type: 'integer', minimum: 1, maximum: 200 },
    types: { type: 'array', minItems: 1, items: { type: 'string', enum: eventTypes } },
    reach,
  },
);
export type GymInput = View<typeof gymInput>;

const gymStep = {
  event: described('The position of the event in `events`, from 0.', integer),
  delayMs: number,
  cutAt: described(
    'The share of the body after which the connection was closed; null if all of it was sent.',
    nullable(number),
  ),
  batch: described('The number of the batch; steps of one batch were sent at the same time.', integer),
} as const;

export const gymResult = object({
  seed: integer,
  acts: described('What was done, each at least once.', list(disturbance)),
  signedBy,
  events: list(
    object({
      eventId: text,
      type: text,
      timestamp: described('The timestamp of the payload, in milliseconds since 1970.', integer),
      accepted: described('How often the receiver accepted the event.', integer),
      sent: integer,
    }),
  ),
  steps: list(
    object({
      ...gymStep,
      eventId: text,
      status: nullable(integer),
      error: nullable(text),
      durationMs: number,
    }),
  ),
});
export type GymResult = View<typeof gymResult>;
export type GymAct = GymResult['acts'][number];
export const gymActs = disturbance.enum;

/** The signed values. Their length is limited, because every mistake that is tried hashes them again. */
export const signed = {
  body: { type: 'string', maxLength: 65_536 },
  key: { type: 'string', maxLength: 1_000 },
  eventId: { type: 'string', maxLength: 200, examples: ['evt_0123456789abcdef01234567'] },
  timestamp: { type: 'string', maxLength: 40, examples: ['1796047343'] },
} as const;

/** The values that the receiver has; only the signature that it computed is required. */
export const receivedSignature = object({ signature: { type: 'string', minLength: 1, maxLength: 2_000 } }, signed);
export type ReceivedSignature = View<typeof receivedSignature>;

/** Which step of a receiver's signature differs from the signature that was sent. */
export const signatureCheck = object({
  scheme: oneOf('x-attentive-hmac-sha256', 'webhook-signature'),
  matches: boolean,
  says: text,
  expected: described('The header as it was sent.', text),
  steps: list(
    object({
      step: oneOf('Algorithm', 'Key', 'Headers', 'Body', 'Signed text', 'Encoding', 'Age'),
      state: described(
        'The result of the step; `unknown` if there is no information.',
        oneOf('same', 'differs', 'unknown'),
      ),
      says: text,
      fix: nullable(text),
    }),
  ),
});
export type SignatureCheck = View<typeof signatureCheck>;
