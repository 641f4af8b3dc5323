import { described, integer, list, nullable, object, either, oneOf, text, type View } from '../../contract/shape.ts';
import { jump } from './clock.ts';
import { requestSummary } from './parts.ts';

/** The messages of the stream, one SSE message for each batch. The id of a message is the `upTo` of the record. */
export const streamMessage = either(
  object({ type: { const: 'requests' }, requests: list(requestSummary) }),
  object({
    type: described('Records changed, or others: faults, limits, snapshots, the receiver.', { const: 'changes' }),
    changes: list(object({ kind: text, id: text })),
  }),
  object({
    type: { const: 'progress' },
    kind: text,
    id: text,
    work: described('The work on the file.', oneOf('check', 'xray')),
    done: described('The bytes of the file that were read so far.', integer),
    of: integer,
    lines: integer,
    errors: integer,
  }),
  object({ type: { const: 'gap' }, skipped: described('The number of requests that were left out.', integer) }),
  object({
    type: { const: 'jump' },
    jump: described('The progress of a move of the clock, ten times a second; null at its end.', nullable(jump)),
  }),
  object({ type: described('All records, or the list of requests, were replaced.', { const: 'reset' }) }),
  object({ type: described('The last message: the server is stopped normally.', { const: 'end' }) }),
  object({ type: { const: 'notice' }, level: text, text }),
);
export type StreamMessage = View<typeof streamMessage>;
