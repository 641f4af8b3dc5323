/** Shapes that several resources share. */
import {
  anyValue,
  described,
  integer,
  nullable,
  number,
  object,
  oneOf,
  text,
  time,
  type View,
} from '../../contract/shape.ts';
import { undoCodes } from '../../world/edits.ts';
import { undoHeaders } from '../call.ts';

/** The recorded request that changed something; `operation` is null if the request was not an operation of the API. */
export const cause = object({ requestId: text, operation: nullable(text) });
export type CauseView = View<typeof cause>;

/** One line of the list of requests. Times are ISO 8601; `at` is virtual, `wallAt` real. */
export const requestSummary = object({
  id: text,
  sequence: integer,
  at: time,
  wallAt: time,
  method: text,
  url: described('Path and query; secrets in it are masked, unless a request is read with reveal.', text),
  operation: nullable(text),
  source: described(
    'The sender: a client of the API, or this control API (POST /control/send) for the window or an agent.',
    oneOf('client', 'window'),
  ),
  replayOf: described(
    'The id of the request that the window repeated with this one; null if it is none.',
    nullable(text),
  ),
  graphql: described(
    'The name of the GraphQL operation, or of its first field if it has no name; null for other requests.',
    nullable(text),
  ),
  about: described('The person or thing that the request is about: an address, an id or a name.', nullable(text)),
  did: described(
    'The effect of the request in a few words: `subscribed to MARKETING by text`; null if nothing changed.',
    nullable(text),
  ),
  calledFrom: described(
    'The place in the developer’s program that sent the request, and the test; known for programs run with `exec --as-production`.',
    nullable(
      object({ place: described('File, line and column: `shop.ts:42:9`.', nullable(text)), test: nullable(text) }),
    ),
  ),
  companyId: nullable(text),
  credentialId: nullable(text),
  status: nullable(integer),
  durationMs: nullable(number),
  requestBytes: integer,
  rule: nullable(text),
  failure: nullable(text),
  fault: described(
    'The fault that applied to the request; `id` is `request` for a fault from the request’s own header.',
    nullable(object({ id: text, says: text })),
  ),
  early: described(
    'Set if the request was sent `ms` before the Retry-After of the request `askedBy` had passed.',
    nullable(object({ askedBy: text, ms: number })),
  ),
});
export type RequestSummary = View<typeof requestSummary>;

/** A recorded change of a record; `before` is null for a new record, and `after` for a deleted one. */
export const change = object({ kind: text, id: text, before: anyValue, after: anyValue });
export type ChangeView = View<typeof change>;

/** The answer to an edit, which can be undone. */
export const done = object({
  id: described('The id of the record that was created, changed or deleted.', text),
  says: described('The edit as a sentence, as in GET /control/undo.', text),
});
export type DoneView = View<typeof done>;

/** The headers in which the reply to a changing call names what the call did. */
export const undoHeaderShapes = {
  [undoHeaders.id]: described(
    'The id of the edit, for POST /control/undo; not sent if there is nothing to undo.',
    text,
  ),
  [undoHeaders.code]: described('The kind of the edit, for programs; sent with x-sandbox-undo.', oneOf(...undoCodes)),
};

/** A person as a link: a phone, an email, or whatever else they are known by. */
export const namedPerson = object({ id: text, name: text });
export type NamedPersonView = View<typeof namedPerson>;
