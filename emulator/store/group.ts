import { createTurns } from '../time/turns.ts';

/** Members that are done together at the end of a turn of the event loop (group commit). */
export interface Group<T> {
  /** Counts a member of this turn. True if it need not wait for others. */
  isAlone(): boolean;
  add(member: T): void;
  /** Does what waits, now. Does not throw: those who wait for it get the error. */
  flush(): void;
  /** Settles with the group that waits; null if none does. */
  written(): Promise<void> | null;
}

/** @param commit does all of the members, or throws */
export function createGroup<T>(commit: (members: readonly T[]) => void): Group<T> {
  let waiting: { readonly members: T[]; readonly done: PromiseWithResolvers } | null = null;

  const flush = (): void => {
    if (waiting === null) return;
    const { members, done } = waiting;
    waiting = null;
    try {
      commit(members);
      done.resolve();
    } catch (error) {
      done.reject(error);
    }
  };

  const turns = createTurns(flush);

  return {
    isAlone: turns.isAlone,
    add(member) {
      waiting ??= { members: [], done: withResolvers() };
      waiting.members.push(member);
    },
    flush,
    written: () => waiting && waiting.done.promise,
  };
}

interface PromiseWithResolvers {
  readonly promise: Promise<void>;
  resolve(): void;
  reject(error: unknown): void;
}

function withResolvers(): PromiseWithResolvers {
  let settle: Pick<PromiseWithResolvers, 'resolve' | 'reject'> | undefined;
  const promise = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
  // It may be that no one waits.
  promise.catch(() => {});
  return { promise, ...(settle as Pick<PromiseWithResolvers, 'resolve' | 'reject'>) };
}
