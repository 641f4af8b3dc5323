/**
 * Decides which delivery is sent next. Each webhook has a lane; the lanes take turns, with limits for each lane and for
 * all together. Holds ids only.
 */
import type { DeliverySettings } from './settings.ts';

export interface Queue {
  /** Adds a delivery to its lane (a webhook, or an address given by hand), unless it is already there. */
  add(id: string, lane: string): void;
  remove(id: string, lane: string): void;
  /** Takes deliveries that may start now, at most this many, from the lanes in turns. End each of them with `done`. */
  take(most: number): readonly { readonly id: string; readonly lane: string }[];
  done(lane: string): void;
  clear(): void;
  /** Whether anything may start now. */
  canTake(): boolean;
  /** The lanes in which something waits or is being sent. */
  lanes(): Iterable<string>;
  readonly waiting: number;
  readonly underWay: number;
}

interface Lane {
  readonly ids: Set<string>;
  underWay: number;
}

/** Creates an empty queue. */
export function createQueue(
  settings: Pick<DeliverySettings, 'concurrency' | 'concurrencyPerWebhook' | 'concurrencyLimit'>,
): Queue {
  const lanes = new Map<string, Lane>();
  let waiting = 0;
  let underWay = 0;

  const hasRoom = (lane: Lane): boolean => {
    if (lane.underWay === 0) return underWay < settings.concurrencyLimit;
    return lane.underWay < settings.concurrencyPerWebhook && underWay < settings.concurrency;
  };

  const dropIfEmpty = (name: string, lane: Lane): void => {
    if (lane.ids.size === 0 && lane.underWay === 0) lanes.delete(name);
  };

  return {
    add(id, name) {
      let lane = lanes.get(name);
      if (!lane) lanes.set(name, (lane = { ids: new Set(), underWay: 0 }));
      if (lane.ids.has(id)) return;
      lane.ids.add(id);
      waiting += 1;
    },
    remove(id, name) {
      const lane = lanes.get(name);
      if (!lane?.ids.delete(id)) return;
      waiting -= 1;
      dropIfEmpty(name, lane);
    },
    take(most) {
      const taken: { id: string; lane: string }[] = [];
      // Iteration over a Map includes what the loop adds: a served lane moves to the end, and comes again.
      for (const [name, lane] of lanes) {
        if (taken.length === most) break;
        const [id] = lane.ids;
        if (id === undefined || !hasRoom(lane)) continue;
        lane.ids.delete(id);
        lane.underWay += 1;
        waiting -= 1;
        underWay += 1;
        taken.push({ id, lane: name });
        lanes.delete(name);
        lanes.set(name, lane);
      }
      return taken;
    },
    done(name) {
      const lane = lanes.get(name);
      if (!lane) return;
      lane.underWay -= 1;
      underWay -= 1;
      dropIfEmpty(name, lane);
    },
    clear() {
      lanes.clear();
      waiting = 0;
      underWay = 0;
    },
    canTake() {
      for (const lane of lanes.values()) if (lane.ids.size > 0 && hasRoom(lane)) return true;
      return false;
    },
    lanes: () => lanes.keys(),
    get waiting() {
      return waiting;
    },
    get underWay() {
      return underWay;
    },
  };
}
