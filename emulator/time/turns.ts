import { AsyncResource } from 'node:async_hooks';
import { setImmediate } from '../globals.ts';

/** Counts the events in a turn of the event loop, which are finished together at its end. */
export interface Turns {
  /**
   * Counts an event in this turn. True if it need not wait for others: it is the first event of this turn, and the
   * event before it was alone in its own turn.
   */
  isAlone(): boolean;
  /** Whether a counted event waits for the end of this turn. False once the turn has ended. */
  readonly isShared: boolean;
}

/** @param end called at the end of each turn in which an event was counted; it must not throw */
export function createTurns(end: () => void): Turns {
  let inTurn = 0;
  let wereSeveral = false;

  // Keeps `end` out of the async context of the request that happens to be first in its turn. The resource is destroyed
  // from the start, because it holds nothing open: `jest --detectOpenHandles` lists resources that are not destroyed.
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
