/** The shapes of choices, rate limits, faults and the limits of the record. The control API uses these shapes unchanged. */
import { described, integer, number, object, text, time, type View } from '../contract/shape.ts';
import { ofEachChoice, type choices } from './choices.ts';
import { ofEachEffect } from './faults/effects.ts';

/** `off`: only the headers show the limit, no request is refused. */
export const rateLimitModes = ['real', 'off'] as const;
export type RateLimitMode = (typeof rateLimitModes)[number];

/** One value for each choice of the start. */
export const choiceFields = object(
  ofEachChoice<{ readonly [Name in keyof typeof choices]: Words<(typeof choices)[Name]> }>((_name, words) => ({
    type: 'string',
    enum: words,
  })),
);
interface Words<Values> {
  readonly type: 'string';
  readonly enum: Values;
}

/** A new fault. The bounds and the possible combinations are checked with messages of their own: see faults/spec.ts. */
export const faultFields = object(
  {
    operation: {
      type: 'string',
      description: 'An operation such as "GET /me", or "*" for any.',
      examples: ['GET /me'],
    },
  },
  {
    ...ofEachEffect('sent'),
    times: described('How often the fault applies; once if neither `times` nor `every` is given.', integer),
    every: described('The fault applies to every n-th matching request, without end unless `times` is given.', integer),
  },
);

/** A request that was sent before the `Retry-After` of an earlier one had passed. */
export const tooEarly = object({
  requestId: text,
  operation: text,
  askedBy: described('The request whose reply asked to wait.', text),
  ms: described('How many milliseconds too early the request was.', integer),
  at: described('The time on the virtual clock.', time),
});
export type TooEarly = View<typeof tooEarly>;

/**
 * How much of the record is kept, in memory and on disk: at the first limit reached, the oldest requests are removed.
 * Days are days of real time.
 */
export const recordLimits = described(
  'The limits of the recorded requests that are kept: their number, their bytes, and the days for which they are kept.',
  object({ exchanges: integer, bytes: integer, days: number }),
);
export type RecordLimits = View<typeof recordLimits>;
