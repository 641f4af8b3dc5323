import { nextTurn } from '../globals.ts';

/** The number of items sorted or merged before the event loop gets a turn: a few milliseconds. */
const perTurn = 8_000;

/** Sorts a long list in slices, so that requests are answered in between. Stable; the list itself stays as it is. */
export async function sortInSlices<T>(
  list: readonly T[],
  compare: (one: T, other: T) => number,
): Promise<readonly T[]> {
  let runs: (readonly T[])[] = [];
  for (let at = 0; at < list.length; at += perTurn) {
    runs.push(list.slice(at, at + perTurn).sort(compare));
    await nextTurn();
  }
  while (runs.length > 1) {
    const merged: (readonly T[])[] = [];
    for (let at = 0; at < runs.length; at += 2) {
      const [one, other] = [runs[at] ?? [], runs[at + 1]];
      merged.push(other ? await merge(one, other, compare) : one);
    }
    runs = merged;
  }
  return runs[0] ?? [];
}

async function merge<T>(one: readonly T[], other: readonly T[], compare: (one: T, other: T) => number): Promise<T[]> {
  const merged: T[] = [];
  let [left, right] = [0, 0];
  while (left < one.length || right < other.length) {
    const takesLeft = right >= other.length || (left < one.length && compare(one[left] as T, other[right] as T) <= 0);
    merged.push((takesLeft ? one[left++] : other[right++]) as T);
    if (merged.length % perTurn === 0) await nextTurn();
  }
  return merged;
}
