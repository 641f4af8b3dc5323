import type { Delay } from '../machine/table.ts';

/** How fast the platform moves records: at once, after short delays, or only when the developer moves them by hand. */
export const paces = ['instant', 'realistic', 'manual'] as const;
export type Pace = (typeof paces)[number];

/** A delay of a table of states at a pace, in milliseconds; null if the record moves only by hand. */
export function delayAt(pace: Pace, { realistic, instant = 0 }: Delay): number | null {
  return { instant, realistic, manual: null }[pace];
}

/** Other durations, in milliseconds. */
export const spans = {
  /** Section 8: authorization code lifetime. */
  authorizationCode: 2 * 60_000,
  /**
   * Not public (docs/platform.md, What is not known): long enough to send a file by hand, short enough to see it
   * expire.
   */
  uploadLink: 60 * 60_000,
  /** Section 2.5: older events trigger no journeys. */
  journeys: 12 * 60 * 60_000,
} as const;

/** Requests per second, per token and operation (docs/platform.md, Rate limits). */
export const requestLimits = {
  others: 150,
  operations: {
    'POST /identity-resolution/user-identifiers': 10,
    'POST /subscriptions': 10,
    'POST /subscriptions/unsubscribe': 5,
    'POST /product-catalog/uploads': 1,
  },
} as const;

/** The request limits as a part of a sentence. */
export function sayRequestLimits(): string {
  const { others, operations } = requestLimits;
  const named = Object.entries(operations).map(([operation, limit]) => `${operation} ${limit}`);
  return `${named.join(', ')}, and each other operation ${others}`;
}
