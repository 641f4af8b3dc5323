/** Finds the effects and the cause of a recorded request: deliveries, and the calls of their handlers. Pure. */
import { hopsHeader } from '../../delivery/loop-count.ts';
import type { Exchange } from '../../http/record/exchange.ts';
import type { RecordedExchange } from '../../http/record/recorded-exchange.ts';
import { headerOf } from '../../http/raw-headers.ts';
import type { Delivery, DeliveryAttempt } from '../../records.ts';
import { inParts } from '../../time/slices.ts';
import type { ChainView } from '../contract/requests.ts';
import { madeBy } from '../delivery-views.ts';
import { decodingWeight, readEach } from './read-each.ts';
import { sendHeader } from './send.ts';

/** A request that a handler sent because of a delivery. */
export interface Tie {
  readonly delivery: Delivery;
  /** The number of the attempt of the delivery, from 1. */
  readonly attempt: number;
  /** From the start of the attempt to the request, in real milliseconds. */
  readonly afterMs: number;
  readonly kind: NonNullable<ChainView['cause']>['tie'];
}

/** How long after its answer a handler may still call: a handler that answers first calls soon after. */
const graceMs = 1_000;

/** An attempt of a delivery, with real times in epoch ms. */
interface Attempted {
  readonly delivery: Delivery;
  readonly attempt: number;
  readonly from: number;
  readonly durationMs: number;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

/** How many deliveries are examined before the event loop gets a turn: a few milliseconds. */
const perTurn = 5_000;

/** The delivery whose handler most likely sent a request; null if there is none. */
export async function tieOf(exchange: Exchange, deliveries: readonly Delivery[]): Promise<Tie | null> {
  const { wallAt } = exchange;
  return toTie(exchange, await attemptsAt([{ from: wallAt, to: wallAt }], deliveries));
}

/**
 * The calls that the handlers of some deliveries made, by the id of the delivery, oldest first.
 * @param exchanges requests that are held, see read-each.ts
 * @param most the most calls of each delivery
 */
export async function callsOf(
  wanted: readonly Delivery[],
  exchanges: readonly RecordedExchange[],
  deliveries: readonly Delivery[],
  most: number,
): Promise<ReadonlyMap<string, readonly { readonly exchange: RecordedExchange; readonly tie: Tie }[]>> {
  const calls = new Map(wanted.map(({ id }) => [id, [] as { exchange: RecordedExchange; tie: Tie }[]]));
  const companies = new Set(wanted.map(({ companyId }) => companyId));
  const spans = wanted.flatMap(({ attempts }) => attempts.map(toSpan));
  const near = exchanges.filter(
    ({ companyId, wallAt }) =>
      companyId !== null && companies.has(companyId) && spans.some(({ from, to }) => wallAt >= from && wallAt <= to),
  );
  const attempts = await attemptsAt(spans, deliveries);
  const isWhole = (): boolean => [...calls.values()].every(({ length }) => length >= most);
  await readEach(
    near,
    (exchange) => {
      const tie = isWhole() ? null : toTie(exchange, attempts);
      const own = tie && calls.get(tie.delivery.id);
      if (own && own.length < most) own.push({ exchange, tie });
      return null;
    },
    () => decodingWeight + attempts.length,
  );
  return calls;
}

/** The attempts whose handlers may have called within one of these spans, the one that began last first. */
async function attemptsAt(spans: readonly Span[], deliveries: readonly Delivery[]): Promise<readonly Attempted[]> {
  const found: Attempted[] = [];
  const earliest = spans.reduce((least, { from }) => Math.min(least, from), Infinity);
  const latest = spans.reduce((most, { to }) => Math.max(most, to), -Infinity);
  if (spans.length === 0) return found;
  for await (const part of inParts(deliveries, perTurn))
    for (const delivery of part) {
      let attempt = delivery.attemptCount - delivery.attempts.length;
      for (const { wallAt, durationMs } of delivery.attempts) {
        attempt += 1;
        const from = Date.parse(wallAt);
        const to = from + durationMs + graceMs;
        // Nearly all attempts are far from every span, and this one test skips them.
        if (from > latest || to < earliest) continue;
        if (!spans.some((span) => from <= span.to && to >= span.from)) continue;
        found.push({ delivery, attempt, from, durationMs });
      }
    }
  return found.sort((one, other) => other.from - one.from);
}

/** The span in which the handler of an attempt may have called. */
function toSpan({ wallAt, durationMs }: DeliveryAttempt): Span {
  const from = Date.parse(wallAt);
  return { from, to: from + durationMs + graceMs };
}

function toTie(exchange: Exchange, attempts: readonly Attempted[]): Tie | null {
  const { companyId, wallAt, requestHeaders } = exchange;
  if (companyId === null || headerOf(requestHeaders, sendHeader) !== null) return null;
  const eventId = headerOf(requestHeaders, 'webhook-id');
  const hops = headerOf(requestHeaders, hopsHeader);
  // The request's own deliveries may be attempted in the millisecond in which it came, but did not cause it.
  const own = madeBy(exchange);
  let best: (Attempted & { readonly afterMs: number; readonly open: boolean }) | null = null;
  let isOnly = true;
  for (const one of attempts) {
    // Attempts that began earlier are less likely. They only matter for whether the hop count belongs to one delivery.
    if (best?.open && (eventId !== null || hops === null || !isOnly)) break;
    const { delivery, from, durationMs } = one;
    const afterMs = wallAt - from;
    if (afterMs < 0 || afterMs > durationMs + graceMs) continue;
    if (delivery.companyId !== companyId || own.has(delivery.id)) continue;
    if (eventId !== null && delivery.eventId !== eventId) continue;
    if (hops !== null && hops !== String(delivery.hops)) continue;
    isOnly &&= best === null || best.delivery.id === delivery.id;
    const open = afterMs <= durationMs;
    // A handler that had not answered yet is likelier than one that had. Among equals, the attempt that began last
    // wins.
    if (best === null || (open && !best.open)) best = { ...one, afterMs, open };
  }
  if (best === null) return null;
  const { delivery, attempt, afterMs } = best;
  // All deliveries of one request have the same hop count, but an event id belongs to one delivery only.
  const isProven = eventId !== null || (hops !== null && isOnly);
  return { delivery, attempt, afterMs, kind: isProven ? 'header' : 'time' };
}
