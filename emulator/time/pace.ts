/** How fast the platform moves records: at once, after short delays, or only when the developer moves them by hand. */
export type Pace = 'instant' | 'realistic' | 'manual';

export const paces: readonly Pace[] = ['instant', 'realistic', 'manual'];

/**
 * The delays of pace `realistic`, in milliseconds on the virtual clock, counted from when the record enters the state.
 * `upload.save` is longer than the 10 s at which the platform's own uploader polls, because that client stops only on
 * exactly `validated` (docs/platform.md, Product catalog).
 */
export const realisticDelays = {
  'upload.validate': 2_000,
  'upload.save': 15_000,
  'offer.sync': 5_000,
  'privacy.start': 5_000,
  'privacy.finish': 10_000,
} as const;

/** Delays that apply at pace `instant`, too: the time a client has to read the state, unless it reads it sooner. */
const readingDelays: { readonly [name: string]: number } = { 'upload.save-unread': realisticDelays['upload.save'] };

/** The delay in milliseconds at a pace; null if the record moves only by hand. */
export function delayAt(pace: Pace, name: string): number | null {
  if (pace === 'manual') return null;
  const reading = readingDelays[name];
  if (reading !== undefined) return reading;
  return pace === 'instant' ? 0 : ((realisticDelays as { readonly [name: string]: number })[name] ?? 0);
}

/** Other durations, in milliseconds. */
export const spans = {
  /** Section 8: authorization code lifetime. */
  authorizationCode: 2 * 60_000,
  /** Not public (docs/platform.md, What is not known): long enough to send a file by hand, short enough to meet the expired state. */
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
