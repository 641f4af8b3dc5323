/** Runs asynchronous work in sequence within a queue, and in parallel to other queues. */
export interface SerialQueues {
  /** Runs `work` after all earlier work of this queue; not at all if `stop` is called first. */
  run(queue: string, work: () => Promise<void>): Promise<void>;
  /** Drops work that has not started and waits for work that has. New work is accepted afterwards. */
  stop(): Promise<void>;
}

/** Creates the queues. A queue exists from its first work until its last work has ended. */
export function createSerialQueues(): SerialQueues {
  const last = new Map<string, Promise<void>>();
  let stops = 0;
  return {
    run(queue, work) {
      const stopsBefore = stops;
      const ended = (last.get(queue) ?? Promise.resolve()).then(() => (stopsBefore === stops ? work() : undefined));
      // Only the caller of this work sees its failure; the next work of the queue runs anyway.
      const settled: Promise<void> = ended
        .catch(() => undefined)
        .then(() => void (last.get(queue) === settled && last.delete(queue)));
      last.set(queue, settled);
      return ended;
    },
    async stop() {
      stops += 1;
      await Promise.all(last.values());
    },
  };
}
