export interface Turns {
  /** Called for a new request. The returned function says, once the answer is here, whether to show it. */
  take(): () => boolean;
  /** Drops the answers to all earlier requests, because something newer is shown. */
  skip(): void;
}

/** Handles answers that may overtake each other: an answer is not shown after that of a later request. */
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
