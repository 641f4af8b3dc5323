import {
  boolean,
  count,
  described,
  free,
  integer,
  list,
  map,
  nullable,
  number,
  object,
  oneOf,
  pair,
  text,
  time,
  type View,
} from '../../contract/shape.ts';
import { deliveryState } from '../../records/deliveries.ts';
import type { CallTable } from '../call.ts';
import { attemptLine } from './deliveries.ts';
import { limit } from './paging.ts';
import { change, requestSummary } from './parts.ts';
import { ofKind } from './records.ts';
import { refusal } from './refusals.ts';

/** Bytes: as text if they are UTF-8, else in base64. `bytes` counts all received bytes, including those not kept. */
const bytes = object({
  encoding: oneOf('utf8', 'base64'),
  data: text,
  bytes: integer,
  truncated: described('Whether the end is missing: it was not kept, or never arrived.', boolean),
});
export type BytesView = View<typeof bytes>;

/** One complete recorded request. Credentials in headers are masked unless the call has `?reveal=true`. */
export const request = object({
  ...requestSummary.properties,
  httpVersion: text,
  remoteAddress: text,
  refusal: nullable(refusal),
  notes: list(text),
  changes: list(change),
  request: object({
    headers: described('The headers as pairs of name and value.', list(pair(text))),
    body: nullable(bytes),
  }),
  response: object({ headers: map(text), body: nullable(bytes) }),
});
export type RequestView = View<typeof request>;

const sequence = { ...count, examples: [0] } as const;
const after = described('The `upTo` of an earlier reply: only requests that ended after it.', sequence);
const upTo = described('The value that a later call sends as `after` to continue from here.', integer);

const requests = object({
  total: described('The number of requests that match.', integer),
  dropped: described('The number of older requests that are no longer kept.', integer),
  upTo,
  requests: list(requestSummary),
});

const tie = described(
  'The evidence that a handler sent the request: a header of the delivery that it passed on, or a time during the attempt or shortly after it.',
  oneOf('header', 'time'),
);

/** The effects of a request, and the delivery that it answered. */
const chain = object({
  cause: described(
    'The delivery that a handler was processing when it sent this request.',
    nullable(
      object({
        deliveryId: text,
        type: text,
        url: text,
        attempt: integer,
        afterMs: number,
        tie,
        request: described(
          'The request that caused the delivery; null if it was fired by hand or is no longer recorded.',
          nullable(requestSummary),
        ),
      }),
    ),
  ),
  isTakenBack: described(
    'Whether what it changed was taken back: time went back, or another state was restored. Then nothing that is there now followed from it.',
    boolean,
  ),
  deliveries: list(
    object({
      id: text,
      type: text,
      url: text,
      state: deliveryState,
      createdAt: time,
      nextAttemptAt: nullable(time),
      attemptCount: integer,
      attempts: described('The newest thirty attempts.', list(attemptLine)),
      calls: list(
        object({
          request: requestSummary,
          attempt: described('The number of the attempt, from 1.', integer),
          afterMs: described('Milliseconds from the start of the attempt to the call.', number),
          tie,
        }),
      ),
    }),
  ),
  later: described(
    'The records that the request changed and that moved on later, for other reasons.',
    list(
      object({
        kind: text,
        id: text,
        state: nullable(text),
        moves: list(object({ from: nullable(text), to: text, by: text, at: time, why: text })),
      }),
    ),
  ),
});
export type ChainView = View<typeof chain>;

/** The record of a request that was sent; `status` is null if there was no reply. */
const sent = object({ requestId: nullable(text), status: nullable(integer) });
export type SentView = View<typeof sent>;

export const requestCalls = {
  'GET /control/requests': {
    summary: 'Recorded requests, newest last',
    asOf: 'now',
    query: object(
      {},
      {
        after,
        before: described('Only requests with a lower `sequence`.', sequence),
        limit,
        operation: { type: 'string', examples: ['POST /subscriptions'] },
        status: { type: 'string', pattern: '^[1-5](?:xx|[0-9]{2})$', examples: ['4xx'] },
        rule: { type: 'string', examples: ['auth.scope'] },
        method: described('In upper or lower case.', { type: 'string', examples: ['POST'] }),
        path: described('A part of the path and query, in upper or lower case.', {
          type: 'string',
          examples: ['/subscriptions'],
        }),
        body: described('A part of the body of the request or of the reply, in upper or lower case.', text),
        companyId: described('Only requests with a key or token of this company.', text),
        at: described('A part of the place in the developer’s program.', { type: 'string', examples: ['shop.ts:42'] }),
        test: described('A part of the name of the test.', text),
        since: described('Only requests that came at this time or later, on the virtual clock.', time),
        until: described('Only requests that came before this time, on the virtual clock.', time),
      },
    ),
    reply: requests,
  },
  'DELETE /control/requests': { summary: 'Forget the recorded requests', changes: true, reply: null },
  'POST /control/requests/delete': {
    summary: 'Forget the recorded requests with these ids',
    changes: true,
    body: object({ ids: { type: 'array', minItems: 1, maxItems: 100_000, items: text } }),
    bodyLimit: 8 * 1024 * 1024,
    reply: object({ deleted: integer }),
  },
  'GET /control/requests/{id}': {
    summary: 'One recorded request in full',
    asOf: 'now',
    query: object({}, { reveal: oneOf('true', 'false') }),
    reply: request,
  },
  'POST /control/requests/{id}/editor': {
    summary:
      'Open the line of the program that sent a request in the user’s editor; only for files below the folder in which Sandpiper was started',
    asOf: 'now',
    reply: object({ editor: text, file: text, line: integer }),
  },
  'GET /control/requests/{id}/chain': {
    summary:
      'The effects of a recorded request: its deliveries, the calls of their handlers, and the later moves of its records; and the delivery whose handler sent it',
    asOf: 'now',
    reply: chain,
  },
  'POST /control/requests/har': {
    summary:
      'Recorded requests as an HTTP archive (HAR 1.2), oldest first: those of `ids`, or all; secrets are masked unless `reveal`',
    asOf: 'now',
    body: object({}, { ids: { type: 'array', maxItems: 100_000, items: text }, reveal: boolean }),
    bodyLimit: 8 * 1024 * 1024,
    reply: object({ log: free('An HTTP archive is a format of its own, HAR 1.2.') }),
  },
  'GET /control/records/{kind}/{id}/requests': {
    summary: 'The recorded requests that changed a record, newest last',
    asOf: 'now',
    params: ofKind,
    reply: object({ total: integer, requests: described('The newest hundred requests.', list(requestSummary)) }),
  },
  'POST /control/send': {
    summary: 'Send a request to the emulated API through its own port, like any client; for replays and first steps',
    changes: true,
    body: object(
      {
        method: { type: 'string', pattern: '^[A-Za-z]{1,20}$', examples: ['GET'] },
        path: { type: 'string', pattern: '^/[\\x21-\\xff]*$', maxLength: 16_000, examples: ['/v1/me'] },
      },
      {
        headers: {
          type: 'array',
          maxItems: 200,
          items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string' } },
          examples: [[['authorization', 'Bearer sandpiper-demo-key']]],
        },
        body: object({ encoding: oneOf('utf8', 'base64'), data: text }),
        replayOf: described('The id of the recorded request that this one repeats, changed or not.', {
          type: 'string',
          pattern: '^req_[\\w-]{1,100}$',
          examples: ['req_1'],
        }),
      },
    ),
    // Twice the size up to which a body is kept, because base64 adds a third.
    bodyLimit: 32 * 1024 * 1024,
    reply: sent,
  },
  'GET /control/body-search': {
    summary:
      'The ids of recorded requests whose request or response body contains a text, in any case; `in=headers` looks into the headers instead, written as `name: value`',
    asOf: 'now',
    query: object(
      { text: { type: 'string', minLength: 1, maxLength: 500, examples: ['+1555'] } },
      {
        after,
        from: described('Only requests with this `sequence` or a higher one.', sequence),
        in: oneOf('bodies', 'headers'),
      },
    ),
    reply: object({ ids: list(text), upTo }),
  },
} as const satisfies CallTable;
