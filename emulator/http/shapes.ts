/** What the rate limits take and tell. The control API has these shapes as they are. */
import { described, integer, object, text, time, type View } from '../contract/shape.ts';

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
