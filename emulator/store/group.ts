import { createTurns } from '../time/turns.ts';

/** Members that are committed together at the end of a turn of the event loop (group commit). */
export interface Group<T> {
  /** Counts a member of this turn. True if it need not wait for others. */
  isAlone(): boolean;
  add(member: T): void;
  /** Commits the waiting members now. Does not throw: callers that await `written` get the error. */
  flush(): void;
  /** Settles when the waiting group is committed, or has failed; null if no group waits. */
  written(): Promise<void> | null;
}

/** @param commit commits all of the members, or throws */
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
  // Without this, a failure that no one awaits would be an unhandled rejection.
  promise.catch(() => {});
  return { promise, ...(settle as Pick<PromiseWithResolvers, 'resolve' | 'reject'>) };
}
