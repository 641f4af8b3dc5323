/**
 * How long an advance of the clock waits for receivers. It waits for a receiver that answers, so that the effects of
 * the answers happen at the right virtual time. For receivers that do not answer, one advance waits for a limited real
 * time: at most `perReceiverMs` for each of them, plus `perAnswerMs` for each tick in which it answered; and `inAllMs`
 * for all of them together. Once `inAllMs` is used up, each gets one tick, in which a receiver on this machine answers.
 */

/**
 * A tick is this many short timers, one after the other, in real ms. On a busy machine, where this process runs only
 * now and then, each timer takes long. So a tick gives a receiver in this process several turns before it counts as
 * slow.
 */
export const patienceTick = { steps: 5, stepMs: 5 };
/** Real ms between two checks of the receivers, on a quiet machine. Answers within a tick cost no patience. */
const patienceTickMs = patienceTick.steps * patienceTick.stepMs;
/** A receiver that gives this many answers in a tick is working: the time goes into sending to it, not into waiting. */
const answersAtWork = 3;

export interface Patience {
  /** Call it when an advance begins: nothing was waited yet. */
  begin(): void;
  /** Call it when an attempt to this receiver ended. */
  answered(receiver: string): void;
  /** Call it when the advance has waited one tick for these receivers together. */
  tick(receivers: Iterable<string>): void;
  /** Whether this advance no longer waits for this receiver. */
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
  /** The answers of each receiver since the last tick. */
  const answers = new Map<string, number>();
  /** The time that each receiver gained by its answers. */
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
      // The advance waits for all of them together, however many they are.
      if (slow.length > 0) waitedInAllMs += patienceTickMs;
      answers.clear();
    },
    isOver,
  };
}
