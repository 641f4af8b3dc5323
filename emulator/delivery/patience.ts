/**
 * For how long an advance of the clock waits for receivers. A receiver that answers fast keeps time at the moment of its
 * attempts, so that what follows from its answers falls into the right time; one that does not answer keeps nothing: the
 * advance waits for it for a short real time in all. Counted in ticks, so that a machine that is busy counts as one tick
 * and not as a receiver that is slow.
 */

/** Real ms between two looks at the receivers. What is answered within a tick costs nothing. */
export const patienceTickMs = 25;
/** A receiver with so many answers in a tick is at work: sending to it is our own work, and not waiting. */
const answersAtWork = 3;

export interface Patience {
  /** An advance begins: each receiver has its time anew. */
  begin(): void;
  /** An attempt to this receiver came to an end. */
  answered(receiver: string): void;
  /** A tick of waiting for these receivers is over. */
  tick(receivers: Iterable<string>): void;
  /** Whether this advance waits for it no more. */
  isOver(receiver: string): boolean;
}

/** @param graceMs how long one advance waits for one receiver */
export function createPatience(graceMs: number): Patience {
  const waitedMs = new Map<string, number>();
  const answers = new Map<string, number>();
  const isOver = (receiver: string): boolean => (waitedMs.get(receiver) ?? 0) >= graceMs;
  return {
    begin() {
      waitedMs.clear();
      answers.clear();
    },
    answered(receiver) {
      answers.set(receiver, (answers.get(receiver) ?? 0) + 1);
    },
    tick(receivers) {
      for (const receiver of receivers)
        if (!isOver(receiver) && (answers.get(receiver) ?? 0) < answersAtWork)
          waitedMs.set(receiver, (waitedMs.get(receiver) ?? 0) + patienceTickMs);
      answers.clear();
    },
    isOver,
  };
}
