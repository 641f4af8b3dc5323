/** Timers in due order. A sorted array: at 10,000 timers an insert moves some 40 KB, a few microseconds. Pure. */

export interface Queued {
  readonly key: string;
  /** When it falls due, in ms. */
  readonly at: number;
  /** The order of timers due at the same time: the lower goes first. */
  readonly order: number;
}

export interface DueQueue<T extends Queued> {
  /** Inserts `entry` and removes an earlier one with the same key. */
  add(entry: T): void;
  remove(key: string): void;
  first(): T | undefined;
  list(): readonly T[];
  /** The number of entries due at or before a moment. */
  countUntil(at: number): number;
  clear(): void;
}

/** An empty queue. */
export function createDueQueue<T extends Queued>(): DueQueue<T> {
  const sorted: T[] = [];
  const byKey = new Map<string, T>();

  function placeOf(entry: Pick<Queued, 'at' | 'order'>): number {
    let low = 0;
    let high = sorted.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = sorted[middle];
      if (other && (other.at < entry.at || (other.at === entry.at && other.order < entry.order))) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  function remove(key: string): void {
    const entry = byKey.get(key);
    if (!entry) return;
    byKey.delete(key);
    const place = placeOf(entry);
    // `shift` only skips the first entry, which is cheap; `splice` moves all the others.
    if (place === 0) sorted.shift();
    else sorted.splice(place, 1);
  }

  return {
    add(entry) {
      remove(entry.key);
      byKey.set(entry.key, entry);
      sorted.splice(placeOf(entry), 0, entry);
    },
    remove,
    first: () => sorted[0],
    list: () => [...sorted],
    countUntil: (at) => placeOf({ at, order: Infinity }),
    clear() {
      sorted.length = 0;
      byKey.clear();
    },
  };
}
