import type { RequestSummary } from '../control/protocol.ts';
import { toPrintable } from '../printable.ts';

/** `[202] POST /v1/subscriptions (4 ms)`, and what refused it. Control characters are written out. */
export function toRequestLine(
  { status, method, url, durationMs, rule, failure }: RequestSummary,
  message?: string,
): string {
  const outcome = rule ? `  ${rule}${message ? `: ${message}` : ''}` : failure ? `  ${failure.split('\n')[0]}` : '';
  return toPrintable(`[${status ?? '---'}] ${method} ${url} (${Math.round(durationMs ?? 0)} ms)${outcome}`);
}

/** What the lines of a delivery need. */
export interface DeliveryLine {
  readonly id: string;
  readonly eventId: string;
  readonly type: string;
  readonly url: string;
  readonly state: string;
  readonly nextAttemptAt: string | null;
  readonly attempts: readonly {
    readonly durationMs: number;
    readonly response: { readonly status: number } | null;
    readonly error: string | null;
  }[];
}

/** `→ sms.subscribed delivered [200] http://localhost:3000/hooks (12 ms)`. */
export function toDeliveryLine({ type, url, state, nextAttemptAt, attempts }: DeliveryLine): string {
  const last = attempts.at(-1);
  const answer = last ? ` [${last.response?.status ?? '---'}]` : '';
  const took = last ? ` (${Math.round(last.durationMs)} ms)` : '';
  const next = nextAttemptAt ? `  next attempt ${nextAttemptAt}` : '';
  const why = last?.error ? `  ${last.error}` : '';
  return toPrintable(`→ ${type} ${state}${answer} ${url}${took}${why}${next}`);
}
