import { AsyncResource } from 'node:async_hooks';
import { setImmediate } from '../globals.ts';

/** Things that happen in the same turn of the event loop, and are finished together at its end. */
export interface Turns {
  /**
   * Counts something that happens in this turn. True if it need not wait for others: nothing came before it in this turn,
   * and it was alone in the turn of the one before it.
   */
  isAlone(): boolean;
  /** Whether something that was counted shares this turn. False once the turn ended. */
  readonly isShared: boolean;
}

/** @param end called at the end of each turn in which something was counted; it must not throw */
export function createTurns(end: () => void): Turns {
  let inTurn = 0;
  let wereSeveral = false;

  // Not in the context of the request that happened to be the first of its turn. It is destroyed from the start, as it
  // holds nothing open: `jest --detectOpenHandles` lists those that are not.
  const outside = new AsyncResource('Turns', { requireManualDestroy: true }).emitDestroy();
  const endTurn = outside.bind(() => {
    wereSeveral = inTurn > 1;
    inTurn = 0;
    end();
  });

  return {
    isAlone() {
      inTurn += 1;
      if (inTurn === 1) setImmediate(endTurn);
      return inTurn === 1 && !wereSeveral;
    },
    get isShared() {
      return inTurn > 1 || (inTurn === 1 && wereSeveral);
    },
  };
}
