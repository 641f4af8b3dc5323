import { described, integer, list, nullable, object, either, oneOf, text, type View } from '../../contract/shape.ts';
import { jump } from './clock.ts';
import { requestSummary } from './parts.ts';

/** The messages of the stream, one SSE message for each batch. The id of a message is the `upTo` of the record. */
export const streamMessage = either(
  object({ type: { const: 'requests' }, requests: list(requestSummary) }),
  object({ type: { const: 'records' }, changes: list(object({ kind: text, id: text })) }),
  object({
    type: { const: 'progress' },
    kind: text,
    id: text,
    work: described('What is done with the file.', oneOf('check', 'xray')),
    done: described('Bytes of the file that are read.', integer),
    of: integer,
    lines: integer,
    errors: integer,
  }),
  object({ type: { const: 'gap' }, skipped: described('Requests that were left out.', integer) }),
  object({
    type: { const: 'jump' },
    jump: described('How far an advance of the clock is, ten times a second; null at its end.', nullable(jump)),
  }),
  object({ type: described('All records, or the list of requests, were replaced.', { const: 'reset' }) }),
  object({ type: described('The last message: the server is stopped normally.', { const: 'end' }) }),
  object({ type: { const: 'notice' }, level: text, text }),
);
export type StreamMessage = View<typeof streamMessage>;
