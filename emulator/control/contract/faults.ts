import {
  boolean,
  checkedLater,
  described,
  integer,
  list,
  nullable,
  object,
  oneOf,
  text,
  time,
  type View,
} from '../../contract/shape.ts';
import { ofEachEffect } from '../../http/faults/effects.ts';
import { tooEarly, faultFields, rateLimitModes } from '../../http/shapes.ts';
import type { CallTable } from '../call.ts';
import { provenance } from './refusals.ts';

/** A fault, waiting or used up. */
const fault = object({
  id: text,
  operation: described('An operation’s name such as `GET /me`, or `*`.', text),
  ...ofEachEffect('shown'),
  times: nullable(integer),
  every: nullable(integer),
  says: text,
  active: described('False once the fault is used up.', boolean),
  seen: described('The number of matching requests so far.', integer),
  hits: described('The number of matching requests to which the fault applied.', integer),
  remaining: described('The number of hits left; null if there is no limit.', nullable(integer)),
  lastRequest: nullable(text),
  createdAt: time,
});
export type FaultView = View<typeof fault>;

const faults = object({
  faults: list(fault),
  operations: described('The operations that a fault may name, in addition to `*`.', list(text)),
});
export type FaultsView = View<typeof faults>;

const mode = described('`off`: only the headers show the limit, no request is refused.', oneOf(...rateLimitModes));

/** The rate limits, and the early returns that the referee of Retry-After saw. */
const limits = object({
  mode,
  rule: described(
    'The rule that refuses requests over a limit, and the source of its numbers.',
    object({ id: text, section: text, provenance, says: text }),
  ),
  limits: described(
    'The requests allowed per second of the virtual clock, for each token; `*` is every other operation.',
    list(object({ operation: text, limit: integer })),
  ),
  frozen: described('Whether the clock is frozen, so that the current second does not end.', boolean),
  refused: integer,
  early: integer,
  earlyReturns: described('The newest early returns, newest last.', list(tooEarly)),
});
export type LimitsView = View<typeof limits>;

export const faultCalls = {
  'GET /control/faults': {
    summary: 'The waiting faults, in the order in which they are tried, then the used-up ones',
    asOf: 'now',
    reply: faults,
  },
  'POST /control/faults': {
    summary: 'Add a fault for the next requests of an operation: a status, a delay, a cut body or a reset connection',
    changes: true,
    // One made from the required fields would be a fault that does nothing.
    body: {
      ...checkedLater(faultFields),
      examples: [{ operation: 'POST /subscriptions', status: 503, retryAfter: 2 }],
    },
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
