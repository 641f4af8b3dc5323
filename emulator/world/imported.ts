/**
 * Restricts imported records: they may not send anything by themselves, nor choose how far they reach or by which names
 * the servers are reached. Pure.
 */
import type { Delivery, Setting, Webhook } from '../records.ts';
import { allowedHostsSetting } from '../records/accounts.ts';
import type { RecordLists } from '../store/store.ts';
import type { Steps } from '../time/slices.ts';

/** The ids of the deliveries that were paused, and of the webhooks whose reach was reduced. */
export interface HeldBackIds {
  readonly deliveries: readonly string[];
  readonly webhooks: readonly string[];
}

/**
 * The collections of a file with every waiting delivery paused, with the reach of webhooks and deliveries set to this
 * machine, and without allowed Host names.
 * @param at ISO 8601 on the virtual clock, for the history of the paused deliveries
 */
export function* holdBack(
  collections: RecordLists,
  at: string,
): Steps<{ readonly collections: RecordLists; readonly heldBack: HeldBackIds }> {
  const { deliveries, webhooks, settings } = collections as {
    readonly deliveries?: readonly Delivery[];
    readonly webhooks?: readonly Webhook[];
    readonly settings?: readonly Setting[];
  };
  const held = yield* changed(deliveries, (one) => paused(one, at));
  const reaching = yield* changed(webhooks, near);
  const { list: nearby } = yield* changed(held.list, near);
  return {
    collections: {
      ...collections,
      ...(deliveries && { deliveries: nearby }),
      ...(webhooks && { webhooks: reaching.list }),
      ...(settings && { settings: settings.filter(({ id }) => id !== allowedHostsSetting) }),
    },
    heldBack: { deliveries: held.ids, webhooks: reaching.ids },
  };
}

/** Applies a change to each record. Returns all records, and the ids of those that it changed. */
function* changed<T extends Delivery | Webhook>(
  records: readonly T[] = [],
  change: (record: T) => T,
): Steps<{ readonly list: readonly T[]; readonly ids: readonly string[] }> {
  const list: T[] = [];
  const ids: string[] = [];
  for (const record of records) {
    const other = change(record);
    if (other !== record) ids.push(record.id);
    list.push(other);
    yield;
  }
  return { list, ids };
}

/** Pauses a delivery as if by hand: a delivery paused by work would be sent as soon as its webhook is enabled. */
function paused(delivery: Delivery, at: string): Delivery {
  const { state, history } = delivery;
  if (state === 'delivered' || state === 'failed') return delivery;
  if (state === 'paused' && history.at(-1)?.by === 'hand') return delivery;
  const why = 'It came with an imported file, and nothing of one is sent by itself.';
  return {
    ...delivery,
    state: 'paused',
    enteredAt: at,
    nextAttemptAt: null,
    history: [...history, { from: state, event: 'pause', to: 'paused', by: 'hand', at, why }],
  };
}

function near<T extends Delivery | Webhook>(record: T): T {
  return record.reach === 'loopback' ? record : { ...record, reach: 'loopback' };
}
