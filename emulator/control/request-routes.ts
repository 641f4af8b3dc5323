import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Exchange, Recorder } from '../http/recorder.ts';
import type { Urls } from '../deps.ts';
import type { CollectionName, Delivery, Moved, StoredRecord } from '../records.ts';
import type { Change, Collection, Store } from '../store/store.ts';
import { callsOf, tieOf, type Tie } from './chain.ts';
import { toHar } from './har.ts';
import { createMask, noMask } from './mask.ts';
import { notFound } from './problems.ts';
import type { ChainView } from './protocol.ts';
import { toKind, toSummary } from './views.ts';

export interface RequestRouteDeps {
  readonly store: Store;
  readonly recorder: Recorder;
  readonly urls: Urls;
  readonly version: string;
}

const shared = { access: 'anyone', dialect: 'control', section: 'control API', provenance: 'assumed' } as const;

/** A chain is read by a person. */
const most = { deliveries: 20, calls: 10, later: 10, moves: 12 } as const;

/** Recorded requests taken together: what one led to, and many of them as an archive. */
export function createRequestRoutes({ store, recorder, urls, version }: RequestRouteDeps): readonly Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/requests/{id}/chain',
      summary:
        'What a recorded request led to: its deliveries with what their handlers called, and how its records moved on; and the delivery it was itself an answer to',
      params: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      replies: { 200: { type: 'object' } },
      handle({ params }) {
        const exchange = recorder.get(params.id);
        if (!exchange) return notFound(`No request ${params.id} is recorded.`);
        return { status: 200, body: { ...toChain(exchange) } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/requests/har',
      summary:
        'Recorded requests as an HTTP archive (HAR 1.2), oldest first: those of `ids`, or all; secrets are masked unless `reveal`',
      body: {
        type: 'object',
        properties: {
          ids: { type: 'array', maxItems: 100_000, items: { type: 'string' } },
          reveal: { type: 'boolean' },
        },
      },
      bodyLimit: 8 * 1024 * 1024,
      replies: { 200: { type: 'object' } },
      handle({ body: { ids, reveal = false } }) {
        const wanted = ids && new Set(ids);
        const exchanges = recorder.all().filter(({ id }) => wanted?.has(id) ?? true);
        const mask = reveal ? noMask : createMask(store);
        return { status: 200, body: { ...toHar(exchanges, { version, origin: urls.auth, mask }) } };
      },
    }),
  ];

  function toChain(exchange: Exchange): ChainView {
    const exchanges = recorder.all();
    const own = new Set(exchange.changes.flatMap((change) => (isNewDelivery(change) ? [change.id] : [])));
    const ofCompany = [...store.deliveries.all()].filter(({ companyId }) => companyId === exchange.companyId);
    const caused = ofCompany.filter(({ id }) => own.has(id)).slice(0, most.deliveries);
    const tie = tieOf(exchange, ofCompany);
    // What it caused itself can be answered only after it.
    const after = exchanges.filter(({ sequence }) => sequence > exchange.sequence);
    return {
      cause: tie && { ...toTieView(tie), ...originOf(tie.delivery, exchanges) },
      deliveries: caused.map((delivery) => ({
        ...toLine(delivery),
        calls: callsOf(delivery, after, ofCompany, most.calls).map(({ exchange: call, tie: its }) => ({
          request: toSummary(call),
          attempt: its.attempt,
          afterMs: its.afterMs,
          tie: its.kind,
        })),
      })),
      later: exchange.changes.flatMap((change) => toLater(change) ?? []).slice(0, most.later),
    };
  }

  /** How a record with states moved on since the request left it. */
  function toLater({ collection, id, after }: Change): ChainView['later'][number] | null {
    const left = (after as { history?: readonly unknown[] } | null)?.history;
    if (collection === 'deliveries' || left === undefined) return null;
    const now = (store[collection as CollectionName] as unknown as Collection<StoredRecord>).get(id);
    const { history = [], state = null } = (now ?? {}) as { history?: readonly Moved<string>[]; state?: string };
    const moves = history.slice(left.length);
    if (moves.length === 0) return null;
    return {
      kind: toKind(collection),
      id,
      state,
      moves: moves.slice(0, most.moves).map(({ from, to, by, at, why }) => ({ from, to, by, at, why })),
    };
  }
}

const isNewDelivery = ({ collection, before }: Change): boolean => collection === 'deliveries' && before === null;

const toTieView = ({ delivery, attempt, afterMs, kind }: Tie) => ({
  deliveryId: delivery.id,
  type: delivery.type,
  url: delivery.url,
  attempt,
  afterMs,
  tie: kind,
});

/** The request that caused a delivery; null where it was fired by hand, or is no longer recorded. */
function originOf({ id }: Delivery, exchanges: readonly Exchange[]): Pick<NonNullable<ChainView['cause']>, 'request'> {
  const origin = exchanges.find(({ changes }) => changes.some((change) => change.id === id && isNewDelivery(change)));
  return { request: origin ? toSummary(origin) : null };
}

function toLine(delivery: Delivery): Omit<ChainView['deliveries'][number], 'calls'> {
  const { id, type, url, state, nextAttemptAt, attempts, attemptCount, createdAt } = delivery;
  return {
    id,
    type,
    url,
    state,
    createdAt,
    nextAttemptAt,
    attemptCount,
    attempts: attempts.map(({ at, wallAt, durationMs, response, error }) => ({
      at,
      wallAt,
      durationMs,
      status: response?.status ?? null,
      error,
    })),
  };
}
