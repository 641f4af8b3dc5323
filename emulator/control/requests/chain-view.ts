import type { RecordedExchange } from '../../http/record/recorded-exchange.ts';
import type { Recorder } from '../../http/record/recorder.ts';
import type { Moved } from '../../records.ts';
import type { Change, Store } from '../../store/store.ts';
import type { LedBy } from '../../world/lineage.ts';
import { toKind } from '../../records/kind.ts';
import { callsOf, tieOf, type Tie } from './chain.ts';
import type { ChainView } from '../contract/requests.ts';
import { madeBy, makerOf, toDeliveryState } from '../delivery-views.ts';
import { toSummary } from '../views.ts';
import { whileHeld } from './read-each.ts';

/** The limits of the lists in a chain, because a person reads it. */
const most = { deliveries: 20, calls: 10, later: 10, moves: 12 } as const;

/** The chain of a recorded request: what it led to, and the delivery that it answered. */
export async function toChainView(
  exchange: RecordedExchange,
  { store, recorder, lineage }: { readonly store: Store; readonly recorder: Recorder; readonly lineage: LedBy },
): Promise<ChainView> {
  const deliveries = store.deliveries.records();
  const isTakenBack = exchange.touched.length > 0 && !lineage.has(exchange);
  // The ids of what was taken back may be those of other records.
  const changes = isTakenBack ? [] : exchange.changes;
  const made = [...madeBy({ changes })];
  const caused = made.flatMap((id) => store.deliveries.get(id) ?? []).slice(0, most.deliveries);
  // Only later requests can answer what this one caused.
  const after = caused.length === 0 ? [] : recorder.all().filter(({ sequence }) => sequence > exchange.sequence);
  return whileHeld([exchange, ...after], async () => {
    const tie = await tieOf(exchange, deliveries);
    const maker = tie && makerOf(lineage, tie.delivery);
    const calls = await callsOf(caused, after, deliveries, most.calls);
    return {
      cause: tie && { ...toTieView(tie), request: maker && toSummary(maker) },
      deliveries: caused.map((delivery) => ({
        ...toDeliveryState(delivery),
        calls: (calls.get(delivery.id) ?? []).map(({ exchange: call, tie: its }) => ({
          request: toSummary(call),
          attempt: its.attempt,
          afterMs: its.afterMs,
          tie: its.kind,
        })),
      })),
      isTakenBack,
      later: changes.flatMap((change) => toLater(change, store) ?? []).slice(0, most.later),
    };
  });
}

/** How a record with states moved on after the request changed it; null if it did not. */
function toLater({ collection, id, after }: Change, store: Store): ChainView['later'][number] | null {
  const left = (after as { history?: readonly unknown[] } | null)?.history;
  // Records that the timeline tells as themselves, deliveries, are listed with their attempts.
  if (store.definitions[collection]?.toldAs !== 'change' || left === undefined) return null;
  const now = store.collection(collection).get(id);
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

const toTieView = ({ delivery, attempt, afterMs, kind }: Tie) => ({
  deliveryId: delivery.id,
  type: delivery.type,
  url: delivery.url,
  attempt,
  afterMs,
  tie: kind,
});
