/** A jump of the clock while it is under way, its progress and its result. */

/** A timer; `at` in virtual epoch ms. */
export interface Due {
  readonly key: string;
  readonly at: number;
  readonly label: string;
}

/** The result of a jump: an advance, a set, or a return to real time. */
export interface Jump {
  /** The timers that fired on the way, in due order. */
  readonly fired: readonly Due[];
  /** The errors of the timers that failed. */
  readonly failures: readonly unknown[];
  /** The error if the time at its end could not be stored, which is retried; null if it was stored. */
  readonly unkept: unknown;
  /** Whether it was stopped on the way. Time then stays where the jump was stopped. */
  readonly stopped: boolean;
}

/** The progress of a jump; times in virtual epoch ms. */
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
  /** Resolves when a jump may leave its present moment; null if no work holds it there. */
  wait(): Promise<void> | null;
}

export interface Journey {
  from: number;
  to: number;
  readonly fired: Due[];
  readonly failures: unknown[];
  unkept: unknown;
  /** Resolves when the jump must end at the time that it has reached. */
  readonly ended: Promise<void>;
  readonly isEnded: boolean;
  end(): void;
}

/** Creates a jump that begins at `from`, in virtual epoch ms. Its target `to` is set once it is known. */
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
