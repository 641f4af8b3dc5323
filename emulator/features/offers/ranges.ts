/** When codes of an upload may be given out: from `start` until just before `stop`, epoch milliseconds. */
export interface Range {
  readonly start: number;
  readonly stop: number;
}

function isSame(one: Range, other: Range): boolean {
  return one.start === other.start && one.stop === other.stop;
}

/** Whether two ranges share a moment. One may begin where the other ends: the specification leaves it open. */
function overlap(one: Range, other: Range): boolean {
  return one.start < other.stop && other.start < one.stop;
}

/** The stored range that a new one overlaps without being identical to it; undefined where it may stand. */
export function findOverlap(range: Range, stored: readonly Range[]): Range | undefined {
  if (stored.some((one) => isSame(one, range))) return undefined;
  return stored.find((one) => overlap(one, range));
}

/**
 * The nearest range that may stand: the same with its start moved to the end of what it overlaps, where time is left
 * in it then, else the stored range that it overlaps.
 */
export function toFreeRange(range: Range, stored: readonly Range[]): Range {
  let free = range;
  for (let hit = findOverlap(free, stored); hit; hit = findOverlap(free, stored)) {
    if (hit.stop >= free.stop) return findOverlap(range, stored) ?? range;
    free = { start: hit.stop, stop: free.stop };
  }
  return free;
}
