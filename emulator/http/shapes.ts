/** What the rate limits take and tell, and what is kept of the record. The control API has these shapes as they are. */
import { described, integer, number, object, text, time, type View } from '../contract/shape.ts';

/** `off`: only the headers show the limit, no request is refused. */
export const rateLimitModes = ['real', 'off'] as const;
export type RateLimitMode = (typeof rateLimitModes)[number];

/** A request that was sent before the `Retry-After` of an earlier one had passed. */
export const earlyReturn = object({
  requestId: text,
  operation: text,
  askedBy: described('The request whose reply asked to wait.', text),
  ms: described('By how much it was early.', integer),
  at: described('On the virtual clock.', time),
});
export type EarlyReturn = View<typeof earlyReturn>;

/**
 * How much of the record is kept, in memory and on disk: at the first limit reached, the oldest requests are removed.
 * Days are days of real time.
 */
export const recordLimits = described(
  'Recorded requests that are kept: how many, of how many bytes, for how many days.',
  object({ exchanges: integer, bytes: integer, days: number }),
);
export type RecordLimits = View<typeof recordLimits>;
