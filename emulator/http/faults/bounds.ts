/**
 * The least and the greatest value of each number of a fault. The emulator refuses others, and the window says so
 * before.
 */
export const faultBounds = {
  status: [400, 599],
  /** Seconds. */
  retryAfter: [0, 86_400],
  /** Real milliseconds; clients time out before the longest. */
  delayMs: [0, 3_600_000],
  /** Bytes. */
  cut: [0, 1_000_000_000],
  times: [1, 1_000_000],
  every: [1, 1_000_000],
} as const;
