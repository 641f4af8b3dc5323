/** What a recorded request led to, and what it may have come of: deliveries, and the calls of their handlers. Pure. */
import { hopsHeader } from '../../delivery/loop-count.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Delivery } from '../../records.ts';
import type { ChainView } from '../contract/requests.ts';
import { madeBy } from '../delivery-views.ts';
import { sendHeader } from './send.ts';

/** A request that a handler sent because of a delivery. */
export interface Tie {
  readonly delivery: Delivery;
  /** Of the delivery, from 1. */
  readonly attempt: number;
  /** From the begin of the attempt to the request. */
  readonly afterMs: number;
  readonly kind: NonNullable<ChainView['cause']>['tie'];
}

/** A handler that answers first and calls then does so soon. */
const graceMs = 1_000;

/** The delivery whose handler most likely sent a request; null if there is none. */
export function tieOf(exchange: Exchange, deliveries: readonly Delivery[]): Tie | null {
  const { companyId, wallAt, requestHeaders } = exchange;
  if (companyId === null || headerOf(requestHeaders, sendHeader) !== null) return null;
  const eventId = headerOf(requestHeaders, 'webhook-id');
  const hops = headerOf(requestHeaders, hopsHeader);
  // They may be attempted in the millisecond in which the request came, and are no cause of it.
  const own = madeBy(exchange);
  const found: (Tie & { readonly open: boolean })[] = [];
  for (const delivery of deliveries) {
    if (delivery.companyId !== companyId || own.has(delivery.id)) continue;
    if (eventId !== null && delivery.eventId !== eventId) continue;
    if (hops !== null && hops !== String(delivery.hops)) continue;
    const before = delivery.attemptCount - delivery.attempts.length;
    delivery.attempts.forEach((attempt, index) => {
      const afterMs = wallAt - Date.parse(attempt.wallAt);
      if (afterMs < 0 || afterMs > attempt.durationMs + graceMs) return;
      const open = afterMs <= attempt.durationMs;
      found.push({ delivery, attempt: before + index + 1, afterMs, kind: 'time', open });
    });
  }
  // A handler that had not answered yet is likelier than one that had; among equals, the one that began last.
  const [best] = found.sort((one, other) => Number(other.open) - Number(one.open) || one.afterMs - other.afterMs);
  if (!best) return null;
  // The count of hops is the same for all deliveries of one request; the event's id is of one only.
  const isOnly = found.every(({ delivery }) => delivery.id === best.delivery.id);
  const { open: _open, ...tie } = best;
  return eventId !== null || (hops !== null && isOnly) ? { ...tie, kind: 'header' } : tie;
}

/** The calls of a delivery's handler, oldest first. */
export function callsOf(
  delivery: Delivery,
  exchanges: readonly Exchange[],
  deliveries: readonly Delivery[],
  most: number,
): readonly { readonly exchange: Exchange; readonly tie: Tie }[] {
  const windows = delivery.attempts.map(({ wallAt, durationMs }) => {
    const from = Date.parse(wallAt);
    return { from, to: from + durationMs + graceMs };
  });
  const found: { exchange: Exchange; tie: Tie }[] = [];
  for (const exchange of exchanges) {
    if (exchange.companyId !== delivery.companyId) continue;
    if (!windows.some(({ from, to }) => exchange.wallAt >= from && exchange.wallAt <= to)) continue;
    const tie = tieOf(exchange, deliveries);
    if (tie?.delivery.id === delivery.id) found.push({ exchange, tie });
    if (found.length === most) break;
  }
  return found;
}

/** Raw headers are name, value, name, value … */
function headerOf(raw: readonly string[], wanted: string): string | null {
  for (let at = 0; at < raw.length; at += 2) if (raw[at]?.toLowerCase() === wanted) return raw[at + 1] ?? null;
  return null;
}
