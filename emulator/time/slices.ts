import { setImmediate } from 'node:timers/promises';

/**
 * Divides long work into slices, so that requests are answered between them. Call the result for each item, and await
 * what it returns, if anything: `const turn = slice(); if (turn) await turn;`
 * @param most how much weight one slice takes: a few milliseconds of work
 */
export function createSlices(most: number): (weight?: number) => Promise<void> | null {
  let done = 0;
  return (weight = 1) => {
    done += weight;
    if (done < most) return null;
    done = 0;
    return setImmediate();
  };
}
