/** When codes of an upload may be distributed: from `start` until just before `stop`, epoch milliseconds. */
export interface Range {
  readonly start: number;
  readonly stop: number;
}

function isSame(one: Range, other: Range): boolean {
  return one.start === other.start && one.stop === other.stop;
}

/** Whether two ranges overlap. One may begin when the other ends: the specification does not say. */
function overlap(one: Range, other: Range): boolean {
  return one.start < other.stop && other.start < one.stop;
}

/** The stored range that a new one overlaps without being identical to it; undefined if it is allowed. */
export function findOverlap(range: Range, stored: readonly Range[]): Range | undefined {
  if (stored.some((one) => isSame(one, range))) return undefined;
  return stored.find((one) => overlap(one, range));
}

/**
 * The nearest range that is allowed: the part of it after the range that it overlaps, else the part before, else the
 * stored range that it overlaps.
 */
export function toFreeRange(range: Range, stored: readonly Range[]): Range {
  let free = range;
  for (let hit = findOverlap(free, stored); hit; hit = findOverlap(free, stored)) {
    if (hit.stop < free.stop) free = { start: hit.stop, stop: free.stop };
    else if (free.start < hit.start) free = { start: free.start, stop: hit.start };
    else return findOverlap(range, stored) ?? range;
  }
  return free;
}
