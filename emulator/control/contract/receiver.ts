import {
  boolean,
  described,
  integer,
  list,
  map,
  nullable,
  object,
  oneOf,
  text,
  time,
  type View,
} from '../../contract/shape.ts';
import { connectionFailure } from '../../records/deliveries.ts';
import type { CallTable } from '../call.ts';

const connection = oneOf('answered', ...connectionFailure.enum);

/** The built-in receiver. */
const receiver = object({
  running: boolean,
  url: nullable(text),
  behaviour: object({
    connection: described(
      '`reset`: it closes each connection without an answer. `refused`: nothing listens at its address.',
      connection,
    ),
    status: integer,
    delayMs: described('Real milliseconds before the answer.', integer),
    echo: described('Whether the answer repeats the body that came.', boolean),
  }),
  received: described(
    'The newest 200, oldest first.',
    list(
      object({
        at: time,
        wallAt: time,
        method: text,
        path: text,
        headers: map(text),
        body: described('The first 256 KB.', text),
        status: described('What it was answered with; null: not at all.', nullable(integer)),
      }),
    ),
  ),
});
export type ReceiverView = View<typeof receiver>;

export const receiverCalls = {
  'GET /control/receiver': {
    summary: 'The built-in receiver: its address, its replies, and what it received',
    reply: receiver,
  },
  'POST /control/receiver': {
    summary: 'Start the built-in receiver, and choose how it answers, or that it does not',
    changes: true,
    body: object(
      {},
      {
        connection,
        status: { type: 'integer', minimum: 200, maximum: 599 },
        delayMs: { type: 'integer', minimum: 0, maximum: 60_000 },
        echo: boolean,
        forget: boolean,
      },
    ),
    bodyRequired: false,
    reply: receiver,
  },
  'DELETE /control/receiver': {
    summary: 'Stop the built-in receiver and forget what it received',
    changes: true,
    reply: null,
  },
} as const satisfies CallTable;
