import { boolean, object, type View } from '../../contract/shape.ts';
import { receiver } from '../../delivery/shapes.ts';
import type { CallTable } from '../call.ts';

/** How long the built-in receiver waits at most. */
export const longestWaitMs = 60_000;

export type ReceiverView = View<typeof receiver>;

export const receiverCalls = {
  'GET /control/receiver': {
    summary: 'The built-in receiver: its address, its replies, and the requests that it received',
    asOf: 'now',
    reply: receiver,
  },
  'POST /control/receiver': {
    summary: 'Start the built-in receiver, and choose whether and how it answers',
    changes: true,
    body: object(
      {},
      {
        connection: receiver.properties.behaviour.properties.connection,
        status: { type: 'integer', minimum: 200, maximum: 599 },
        delayMs: { type: 'integer', minimum: 0, maximum: longestWaitMs },
        echo: boolean,
        forget: boolean,
      },
    ),
    bodyRequired: false,
    reply: receiver,
  },
  'DELETE /control/receiver': {
    summary: 'Stop the built-in receiver and forget the requests that it received',
    changes: true,
    reply: null,
  },
} as const satisfies CallTable;
