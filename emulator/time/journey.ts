/** A jump of the clock while it is under way, and what is known of it. */

/** A timer; `at` in virtual epoch ms. */
export interface Due {
  readonly key: string;
  readonly at: number;
  readonly label: string;
}

/** What a jump (an advance, a set, or back to real time) did. */
export interface Jump {
  /** What fired on the way, in due order. */
  readonly fired: readonly Due[];
  /** The errors of those that failed. */
  readonly failures: readonly unknown[];
  /** Why the time to which it came could not be stored, which is tried again; null if it was. */
  readonly unkept: unknown;
  /** It was stopped on the way: time is where it came to. */
  readonly stopped: boolean;
}

/** How far a jump is; moments in virtual epoch ms. */
export interface JumpProgress {
  readonly from: number;
  readonly to: number;
  readonly now: number;
  /** How many timers it has fired. */
  readonly fired: number;
  /** How many of the armed timers it has yet to fire; each may arm others. */
  readonly left: number;
}

/** Work without a timer, such as requests to receivers, that belongs to the moment in which it began. */
export interface WorkBetween {
  /** A jump begins. */
  begin(): void;
  /** Resolves when a jump may leave its present moment; null if nothing keeps it. */
  wait(): Promise<void> | null;
}

export interface Journey {
  from: number;
  to: number;
  readonly fired: Due[];
  readonly failures: unknown[];
  unkept: unknown;
  /** Resolves when it is to end where it is. */
  readonly ended: Promise<void>;
  readonly isEnded: boolean;
  end(): void;
}

/** A jump that begins at `from`, virtual epoch ms; where to is set once that is known. */
export function createJourney(from: number): Journey {
  let isEnded = false;
  let resolve = (): void => {};
  const ended = new Promise<void>((end) => (resolve = end));
  return {
    from,
    to: from,
    fired: [],
    failures: [],
    unkept: null,
    ended,
    get isEnded() {
      return isEnded;
    },
    end() {
      isEnded = true;
      resolve();
    },
  };
}
