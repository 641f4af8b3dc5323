export interface Turns {
  /** Called when something is asked for; what it returns tells, once the answer is here, whether to show it. */
  take(): () => boolean;
  /** What was asked for until now is no longer shown: something newer is. */
  skip(): void;
}

/** For answers that may overtake each other: one is not shown after one that was asked for later. */
export function createTurns(): Turns {
  let [asked, shown] = [0, 0];
  return {
    take() {
      const own = (asked += 1);
      return () => {
        if (own <= shown) return false;
        shown = own;
        return true;
      };
    },
    skip() {
      shown = asked;
    },
  };
}
