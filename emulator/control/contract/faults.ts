import {
  boolean,
  checkedLater,
  described,
  either,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  time,
  type View,
} from '../../contract/shape.ts';
import { earlyReturn, faultFields, rateLimitModes } from '../../http/shapes.ts';
import type { CallTable } from '../call.ts';
import { provenance } from './refusals.ts';

/** A fault, waiting or used up. An effect is null if the fault does not have it. */
const fault = object({
  id: text,
  operation: described('An operation’s name such as `GET /me`, or `*`.', text),
  status: nullable(integer),
  retryAfter: described('Seconds.', nullable(integer)),
  delay: described('Milliseconds of real time.', nullable(integer)),
  cut: described(
    'True: after half of the body; a number: after that many bytes.',
    either({ const: true }, nullable(integer)),
  ),
  reset: boolean,
  after: described('True: the request is handled and its changes stay; then the fault applies.', boolean),
  times: nullable(integer),
  every: nullable(integer),
  says: text,
  active: described('False once it is used up.', boolean),
  seen: described('How many matching requests it has seen.', integer),
  hits: described('To how many matching requests it applied.', integer),
  remaining: described('Hits left; null if there is no limit.', nullable(integer)),
  lastRequest: nullable(text),
  createdAt: time,
});
export type FaultView = View<typeof fault>;

const faults = object({
  faults: list(fault),
  operations: described('The operations that a fault may have, in addition to `*`.', list(text)),
});
export type FaultsView = View<typeof faults>;

const mode = described('`off`: only the headers show the limit, no request is refused.', oneOf(...rateLimitModes));

/** The rate limits, and the early returns that the referee of Retry-After saw. */
const limits = object({
  mode,
  rule: described(
    'The rule that refuses, and the source of its numbers.',
    object({ id: text, section: text, provenance, says: text }),
  ),
  limits: described(
    'Requests a second on the virtual clock, per token; `*` is every other operation.',
    list(object({ operation: text, limit: integer })),
  ),
  frozen: described('While the clock is frozen the current second does not end.', boolean),
  refused: integer,
  early: integer,
  earlyReturns: described('The newest ones, newest last.', list(earlyReturn)),
});
export type LimitsView = View<typeof limits>;

export const faultCalls = {
  'GET /control/faults': {
    summary: 'The faults that wait, in the order in which they are tried, then those that are used up',
    asOf: 'now',
    reply: faults,
  },
  'POST /control/faults': {
    summary:
      'Ask for a fault: a status, a delay, a cut body or a reset connection, for the next requests of an operation',
    changes: true,
    body: checkedLater(faultFields),
    status: 201,
    reply: fault,
  },
  'DELETE /control/faults/{id}': { summary: 'Remove a fault', changes: true, reply: null },
  'DELETE /control/faults': { summary: 'Remove all faults', changes: true, reply: null },
  'GET /control/limits': {
    summary: 'The rate limits, whether they are enforced, and clients that retried too early',
    asOf: 'now',
    reply: limits,
  },
  'POST /control/limits': {
    summary: 'Enforce the rate limits, or only show them in headers',
    changes: true,
    body: object({ mode }),
    reply: limits,
  },
} as const satisfies CallTable;
