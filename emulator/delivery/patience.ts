/**
 * How long an advance of the clock waits for receivers. For a receiver that answers it waits, so that what follows from
 * its answers happens at the right virtual time. For receivers that do not answer, one advance waits for a limited real
 * time: for each of them at most `perReceiverMs`, and `perAnswerMs` more for each tick in which it answered; for all of them
 * together `inAllMs`, and once that is used up for one tick each, in which a receiver on this machine answers.
 */

/**
 * A tick is this many short timers, one after the other, in real ms. On a busy machine, where this process runs only now and
 * then, each of them takes long: so a tick gives a receiver in this process several turns, and does not count it as slow.
 */
export const patienceTick = { steps: 5, stepMs: 5 };
/** Real ms between two checks of the receivers, on a quiet machine. What is answered within a tick costs nothing. */
const patienceTickMs = patienceTick.steps * patienceTick.stepMs;
/** A receiver that gives this many answers in a tick is working: sending to it is our own work, and not waiting. */
const answersAtWork = 3;

export interface Patience {
  /** An advance begins: nothing was waited yet. */
  begin(): void;
  /** An attempt to this receiver ended. */
  answered(receiver: string): void;
  /** The advance waited one tick for these receivers together. */
  tick(receivers: Iterable<string>): void;
  /** Whether this advance no longer waits for it. */
  isOver(receiver: string): boolean;
}

/**
 * @param limits.perReceiverMs how long one advance waits for one receiver that gives no answer
 * @param limits.perAnswerMs how much longer it waits for each tick in which it answered
 * @param limits.inAllMs how long one advance waits for receivers that do not answer, before it gives a tick to each
 */
export function createPatience({
  perReceiverMs,
  perAnswerMs,
  inAllMs,
}: {
  readonly perReceiverMs: number;
  readonly perAnswerMs: number;
  readonly inAllMs: number;
}): Patience {
  const waitedMs = new Map<string, number>();
  /** Since the last tick. */
  const answers = new Map<string, number>();
  /** What its answers added to the time of a receiver. */
  const earnedMs = new Map<string, number>();
  let waitedInAllMs = 0;
  const isOver = (receiver: string): boolean =>
    (waitedMs.get(receiver) ?? 0) >=
    (waitedInAllMs < inAllMs ? perReceiverMs + (earnedMs.get(receiver) ?? 0) : Math.min(perReceiverMs, patienceTickMs));
  return {
    begin() {
      waitedMs.clear();
      answers.clear();
      earnedMs.clear();
      waitedInAllMs = 0;
    },
    answered(receiver) {
      answers.set(receiver, (answers.get(receiver) ?? 0) + 1);
    },
    tick(receivers) {
      for (const receiver of answers.keys()) earnedMs.set(receiver, (earnedMs.get(receiver) ?? 0) + perAnswerMs);
      const slow = [...receivers].filter((one) => !isOver(one) && (answers.get(one) ?? 0) < answersAtWork);
      for (const receiver of slow) waitedMs.set(receiver, (waitedMs.get(receiver) ?? 0) + patienceTickMs);
      // However many they are, they are waited for together.
      if (slow.length > 0) waitedInAllMs += patienceTickMs;
      answers.clear();
    },
    isOver,
  };
}
