import { jsonOf } from '../contract/json-of.ts';
import { nextAttemptAt } from '../delivery/schedule.ts';
import { deliverySettings } from '../delivery/settings.ts';
import { rotationAdvice, toStandardSecret } from '../delivery/signature/signature.ts';
import type { Exchange } from '../http/record/exchange.ts';
import { deliveryState } from '../records/deliveries.ts';
import type { CollectionName, Delivery, DeliveryAttempt, Webhook } from '../records.ts';
import type { Change, Store } from '../store/store.ts';
import type { LedBy } from '../world/lineage.ts';
import { inParts, type Steps } from '../time/slices.ts';
import { toIso } from '../time/duration.ts';
import type { ClockChangeView } from './contract/clock.ts';
import type { DeliveryCountsView } from './contract/deliveries.ts';
import type { CauseView } from './contract/parts.ts';
import { readEach, whileHeld } from './requests/read-each.ts';
import { toZeros } from './zeros.ts';

/** A webhook as its owner sees it in the platform's UI, including the signing key. */
export function toWebhookView(webhook: Webhook) {
  const { previousKey } = webhook;
  return {
    ...webhook,
    previousKey: previousKey && {
      ...previousKey,
      standardSecret: toStandardSecret(previousKey.key),
      advice: rotationAdvice,
    },
    standardSecret: toStandardSecret(webhook.signingKey),
    enabled: webhook.disabledAt === null,
  };
}

/** How many deliveries are not answered yet, by address. Retries that are not due do not count. Yields after each. */
export function* countWaiting(deliveries: readonly Delivery[]): Steps<ClockChangeView['waiting']> {
  const counts = new Map<string, number>();
  for (const { state, url } of deliveries) {
    if (state === 'queued' || state === 'delivering') counts.set(url, (counts.get(url) ?? 0) + 1);
    yield;
  }
  return [...counts].map(([url, count]) => ({ url, count }));
}

/** How many of the latest deliveries a webhook shows. */
const latestShown = 20;

/**
 * Webhooks as list lines, with the outcomes of their deliveries and the recorded request that created each. Works in
 * slices, between which other requests are answered.
 * @param toWebhooks reads the webhooks, after what takes long
 */
export async function toWebhookLines(toWebhooks: () => readonly Webhook[], store: Store, lineage: LedBy) {
  const causes = await causesOf(lineage, 'webhooks');
  // In one turn: the counts are those of the latest deliveries.
  const lines = toLinesWithDeliveries(toWebhooks(), store);
  const shown = [];
  for await (const part of inParts(lines, webhooksPerTurn))
    for (const { webhook, counts, latest } of part)
      shown.push({
        ...toWebhookView(webhook),
        cause: causes.get(webhook.id) ?? null,
        deliveries: { counts, latest: latest.map(({ id, state, type }) => ({ id, state, type })).toReversed() },
      });
  return shown;
}

/** How many webhooks are converted before the event loop gets a turn. */
const webhooksPerTurn = 100;

function toLinesWithDeliveries(webhooks: readonly Webhook[], store: Store): readonly LatestOf[] {
  const countOf = store.deliveries.tally('ofWebhookInState', toWebhookKey);
  const lines = webhooks.map((webhook) => {
    const counts = noCounts();
    for (const state of deliveryState.enum) counts[state] = countOf(toWebhookKey({ webhookId: webhook.id, state }));
    return { webhook, counts, latest: [] as Delivery[] };
  });
  addLatest(lines, store.deliveries.records());
  return lines;
}

function toWebhookKey({ webhookId, state }: Pick<Delivery, 'webhookId' | 'state'>): string {
  return `${webhookId} ${state}`;
}

interface LatestOf {
  readonly webhook: Webhook;
  readonly counts: DeliveryCountsView;
  readonly latest: Delivery[];
}

/** Adds the latest deliveries of each webhook, newest first. Stops as soon as no webhook misses any. */
function addLatest(lines: readonly LatestOf[], deliveries: readonly Delivery[]): void {
  const of = new Map(lines.map((line) => [line.webhook.id, line.latest]));
  let missing = 0;
  for (const { counts } of lines)
    missing += Math.min(
      latestShown,
      Object.values(counts).reduce((sum, count) => sum + count, 0),
    );
  for (let at = deliveries.length - 1; at >= 0 && missing > 0; at -= 1) {
    const delivery = deliveries[at] as Delivery;
    const latest = of.get(delivery.webhookId ?? '');
    if (!latest || latest.length === latestShown) continue;
    latest.push(delivery);
    missing -= 1;
  }
}

/** The recorded request that made each record of a collection, by the record's id. */
async function causesOf(lineage: LedBy, collection: CollectionName): Promise<ReadonlyMap<string, CauseView>> {
  const causes = new Map<string, CauseView>();
  // Decoding the changes of all requests would take long.
  const makers = lineage
    .all()
    .filter(({ touched }) => touched.some((one) => one.collection === collection && one.isNew));
  await whileHeld(makers, () =>
    readEach(makers, (exchange) => {
      for (const { collection: of, id, before } of exchange.changes)
        if (of === collection && before === null) causes.set(id, toCause(exchange));
      return null;
    }),
  );
  return causes;
}

/** The recorded request that made a delivery; null if it was fired by hand, or the request is no longer recorded. */
export function makerOf(lineage: LedBy, { id }: Delivery): Exchange | null {
  const isMade = (change: Change): boolean => change.id === id && isNewDelivery(change);
  return lineage.changing(id).find(({ changes }) => changes.some(isMade)) ?? null;
}

/** A recorded request as the cause of something. */
export function toCause({ id, operation }: Exchange): CauseView {
  return { requestId: id, operation };
}

/** The ids of the deliveries that a request made. */
export function madeBy({ changes }: Pick<Exchange, 'changes'>): ReadonlySet<string> {
  return new Set(changes.filter(isNewDelivery).map(({ id }) => id));
}

function isNewDelivery({ collection, before }: Change): boolean {
  return collection === 'deliveries' && before === null;
}

/** Counts deliveries by state. */
export function countStates(deliveries: Iterable<Pick<Delivery, 'state'>>): DeliveryCountsView {
  const counts = noCounts();
  for (const { state } of deliveries) counts[state] += 1;
  return counts;
}

const noCounts = () => toZeros(deliveryState.enum);

/** A delivery in a list: every attempt in one line, without bodies and headers. */
export function toDeliveryLine(delivery: Delivery) {
  const { companyId, eventId, webhookId } = delivery;
  return { ...toDeliveryState(delivery), companyId, eventId, webhookId, about: toAbout(delivery) };
}

/** How far a delivery is, with every attempt in one line, but without its company, event and webhook. */
export function toDeliveryState(delivery: Delivery) {
  const { id, type, url, state, createdAt, attemptCount, attempts } = delivery;
  return {
    id,
    type,
    url,
    state,
    createdAt,
    nextAttemptAt: whenTriedNext(delivery),
    attemptCount,
    attempts: attempts.map(toAttemptLine),
  };
}

/**
 * When a delivery is tried again; null unless it waits for a retry. In other states the record keeps an earlier time.
 */
export function whenTriedNext({ state, nextAttemptAt: next }: Delivery): string | null {
  return state === 'retrying' ? next : null;
}

/** An attempt in one line, without bodies and headers. */
function toAttemptLine({ at, wallAt, durationMs, response, error }: DeliveryAttempt) {
  return { at, wallAt, durationMs, status: response?.status ?? null, error };
}

/** A delivery with both sides of every attempt that is kept. */
export function toDeliveryView(delivery: Delivery) {
  const { attempts } = delivery;
  return {
    ...delivery,
    about: toAbout(delivery),
    nextAttemptAt: whenTriedNext(delivery),
    plan: toPlan(delivery),
    asksReach: attempts.at(-1)?.asksReach ?? null,
    connectionFailure: attempts.at(-1)?.connectionFailure ?? null,
  };
}

/** The person that a delivery is about, by the identifier that suits the channel of its event. */
function toAbout({ type, body }: Delivery): string | null {
  const { subscriber } = Object(jsonOf(body)) as { readonly subscriber?: { readonly [name: string]: unknown } };
  const names = type.startsWith('email.') ? ['email', 'phone'] : ['phone', 'email'];
  const known = [...names, 'external_id'].map((name) => subscriber?.[name]).find((value) => value !== undefined);
  return known === undefined ? null : String(known).slice(0, 200);
}

function toPlan({ state, nextAttemptAt: next, seriesStartedAt, seriesAttempts }: Delivery): readonly string[] {
  if (state !== 'retrying' || next === null || seriesStartedAt === null) return [];
  const startedAt = Date.parse(seriesStartedAt);
  const times: number[] = [];
  for (let at: number | null = Date.parse(next), attempts = seriesAttempts + 1; at !== null && times.length < 30;) {
    times.push(at);
    at = nextAttemptAt({ attempts, startedAt, now: at, retryAfterMs: null }, deliverySettings);
    attempts += 1;
  }
  return times.map((at) => toIso(at));
}
