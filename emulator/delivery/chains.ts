/** Detects, by time, loops of receivers that do not pass on the hop count (docs/security.md, Outgoing webhooks). */
import type { Clock } from '../time/clock.ts';
import type { Delivery } from '../records.ts';
import type { DeliverySettings } from './settings.ts';

export interface Chains {
  /**
   * Counts an event about a person for a webhook. Returns the length of the chain that ends with it: each event of a
   * chain may have been caused by the delivery of the event before. 1: it was caused by something else.
   */
  next(webhookId: string, type: string, userId: string): number;
  /** Notes which person the event of a new delivery is about. */
  note(delivery: Delivery, userId: string): void;
  /** Call it at every move of a delivery. */
  onChange(id: string, before: Delivery | null, after: Delivery | null): void;
  /**
   * Forgets everything: after the records were replaced, other deliveries may have the same ids. And what happens after
   * a move of the clock was caused by the developer who moved it, not by a delivery.
   */
  clear(): void;
}

interface Chain {
  length: number;
  underWay: number;
  /** Whether an attempt began since the last event: only then can that event's delivery have caused another one. */
  wasSent: boolean;
  /** When the last event came, or an attempt began or ended; monotonic ms. */
  movedAt: number;
}

/**
 * Creates the counter. A delivery may have caused an event of its type about its person if it is being sent, or moved
 * less than `chainGapMs` ago. People are counted separately, so that events about many people are not a chain.
 */
export function createChains(
  clock: Pick<Clock, 'monotonic'>,
  { chainGapMs }: Pick<DeliverySettings, 'chainGapMs'>,
): Chains {
  const chains = new Map<string, Chain>();
  const chainOf = new Map<string, Chain>();
  let sweepAt = 10_000;

  const isOver = ({ underWay, movedAt }: Chain): boolean => underWay === 0 && clock.monotonic() - movedAt > chainGapMs;

  const sweep = (): void => {
    if (chains.size < sweepAt) return;
    for (const [key, chain] of chains) if (isOver(chain)) chains.delete(key);
    sweepAt = Math.max(10_000, chains.size * 2);
  };

  return {
    next(webhookId, type, userId) {
      const key = `${webhookId} ${type} ${userId}`;
      const movedAt = clock.monotonic();
      const chain = chains.get(key);
      if (!chain || isOver(chain)) {
        sweep();
        chains.set(key, { length: 1, underWay: 0, wasSent: false, movedAt });
        return 1;
      }
      if (chain.wasSent) chain.length += 1;
      chain.wasSent = false;
      chain.movedAt = movedAt;
      return chain.length;
    },
    note({ id, webhookId, type }, userId) {
      const chain = chains.get(`${webhookId} ${type} ${userId}`);
      if (chain) chainOf.set(id, chain);
    },
    onChange(id, before, after) {
      const chain = chainOf.get(id);
      if (!chain) return;
      const [was, is] = [before?.state === 'delivering', after?.state === 'delivering'];
      if (is && !was) {
        chain.underWay += 1;
        chain.wasSent = true;
        chain.movedAt = clock.monotonic();
      } else if (was && !is) {
        chain.underWay -= 1;
        chain.movedAt = clock.monotonic();
        // A later attempt comes seconds after the event at the earliest, which is not a tight loop.
        chainOf.delete(id);
      }
      if (after === null) chainOf.delete(id);
    },
    clear() {
      chains.clear();
      chainOf.clear();
    },
  };
}
