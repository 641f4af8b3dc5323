/** Asynchronous work that runs one after the other within a queue, and beside that of other queues. */
export interface SerialQueues {
  /** Runs `work` when all that was put into this queue before has ended; not at all where `stop` comes first. */
  run(queue: string, work: () => Promise<void>): Promise<void>;
  /** Drops what has not started and waits for what has. New work is taken afterwards. */
  stop(): Promise<void>;
}

export function createSerialQueues(): SerialQueues {
  const last = new Map<string, Promise<void>>();
  let stops = 0;
  return {
    run(queue, work) {
      const stopsBefore = stops;
      const ended = (last.get(queue) ?? Promise.resolve()).then(() => (stopsBefore === stops ? work() : undefined));
      // A failure is for the caller of this work alone; the next work of the queue runs all the same.
      last.set(
        queue,
        ended.catch(() => undefined),
      );
      return ended;
    },
    async stop() {
      stops += 1;
      await Promise.all(last.values());
    },
  };
}
