/** Work in turns: one after the other for each key. */
export interface Turns {
  /** Runs `work` when what was asked for earlier under this key is done; not at all where `stop` came before. */
  take(key: string, work: () => Promise<void>): Promise<void>;
  /** Drops what has not begun and waits for what has. New work is taken afterwards. */
  stop(): Promise<void>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<void>>();
  let round = 0;
  return {
    take(key, work) {
      const mine = round;
      const turn = (last.get(key) ?? Promise.resolve()).then(() => (mine === round ? work() : undefined));
      // The next one waits for this one; its failure is told to who asked for it alone.
      last.set(
        key,
        turn.catch(() => undefined),
      );
      return turn;
    },
    async stop() {
      round += 1;
      await Promise.all(last.values());
    },
  };
}
