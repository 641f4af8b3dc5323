export interface Paced {
  /** Reads at once, also during another read. */
  now(): Promise<void>;
  /** Reads at once, or, during a read and the pause after it, when the pause is over. */
  soon(): Promise<void>;
  /** Drops the reads that are still to come. */
  stop(): void;
}

/**
 * Reads data again after changes: at once, then at most once per `pause` milliseconds, and always after the last
 * change. `soon` waits for the read before: if answers take long, more questions would only make them slower.
 */
export function createPaced(read: () => Promise<unknown>, pause: number): Paced {
  /** The read that is under way, or ended less than a pause ago. */
  let current: symbol | null = null;
  let [again, timer] = [false, 0];

  async function now(): Promise<void> {
    stop();
    const own = (current = Symbol('read'));
    try {
      await read();
    } finally {
      if (current === own) timer = window.setTimeout(end, pause);
    }
  }
  function end(): void {
    const wanted = again;
    stop();
    if (wanted) void now();
  }
  function stop(): void {
    window.clearTimeout(timer);
    [current, again] = [null, false];
  }

  return { now, soon: async () => (current === null ? now() : void (again = true)), stop };
}
