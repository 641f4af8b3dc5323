/** When a delivery is tried again. Pure; times in epoch ms, lengths in ms. */
import type { DeliverySettings } from './settings.ts';

export interface Failure {
  /** Attempts of this series, the failed one included. */
  readonly attempts: number;
  /** When the first attempt of the series began. */
  readonly startedAt: number;
  readonly now: number;
  /** The pause that the receiver asked for. */
  readonly retryAfterMs: number | null;
}

/**
 * The time of the next attempt: exponential backoff for up to three days from the first one (docs/platform.md, Webhook
 * deliveries; the steps are our choice), never before the receiver's `Retry-After`. In whole seconds, so that
 * deliveries that failed together are sent together. Null if the three days end before it.
 */
export function nextAttemptAt(
  { attempts, startedAt, now, retryAfterMs }: Failure,
  settings: Pick<DeliverySettings, 'retryDelaysMs' | 'retryForMs'>,
): number | null {
  const { retryDelaysMs, retryForMs } = settings;
  const step = retryDelaysMs[Math.min(attempts, retryDelaysMs.length) - 1] ?? retryDelaysMs[0];
  const next = Math.ceil((now + Math.max(step, retryAfterMs ?? 0)) / 1000) * 1000;
  return next > startedAt + retryForMs ? null : next;
}

/**
 * `Retry-After` in ms from now: whole seconds, or an HTTP date by the real clock, also in one of the two older forms
 * (RFC 9110 section 5.6.7). Null if it is absent or neither.
 */
export function toRetryAfter(header: string | undefined, wallMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  // The form of C's asctime ends with the year and has no zone; it is in UTC, too.
  const date = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text.replace(/ \d{4}$/, '$& GMT')) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - wallMs);
}
