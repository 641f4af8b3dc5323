import { nextTurn } from '../globals.ts';

/**
 * Divides long work into slices, so that requests are answered between them. Call the result for each item, and await
 * what it returns, if anything: `const turn = slice(); if (turn) await turn;`
 * @param most the weight of one slice: a few milliseconds of work
 */
export function createSlices(most: number): (weight?: number) => Promise<void> | null {
  let done = 0;
  return (weight = 1) => {
    done += weight;
    if (done < most) return null;
    done = 0;
    return nextTurn();
  };
}

/**
 * Yields the items in parts of `most`, a few milliseconds of work each, with a turn of the event loop between two
 * parts.
 */
export async function* inParts<T>(items: readonly T[], most: number): AsyncGenerator<readonly T[], void, void> {
  for (let at = 0; at < items.length; at += most) {
    if (at > 0) await nextTurn();
    yield items.slice(at, at + most);
  }
}

/** Work in small steps: it yields after each, and can be done at once or in slices. */
export type Steps<R> = Generator<void, R, void>;

/** Does all steps in this turn of the event loop. */
export function atOnce<R>(work: Steps<R>): R {
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** The number of steps before the event loop gets a turn: about a millisecond if a step takes a microsecond. */
const stepsPerSlice = 1_000;

/** Does the steps in slices, between which requests are answered. */
export async function inSlices<R>(work: Steps<R>): Promise<R> {
  const slice = createSlices(stepsPerSlice);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
    const turn = slice();
    if (turn) await turn;
  }
}
