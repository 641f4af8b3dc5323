/** Faults of Sandpiper's own: told to whoever started it, and kept for the inspector, so that a report can be made. */
import { toIso, type Clock } from '../time/clock.ts';
import type { Feed } from '../feed.ts';

/** One fault. Times are ISO 8601. */
export interface OwnError {
  readonly id: string;
  readonly at: string;
  readonly wallAt: string;
  /** The request that was under way; null where it was none. */
  readonly requestId: string | null;
  /** The message and the stack. */
  readonly text: string;
}

export interface OwnErrors {
  tell(error: unknown, requestId?: string | null): void;
  /** Newest last. */
  all(): readonly OwnError[];
  clear(): void;
}

/** So many stay readable. */
const kept = 100;

/** Creates the record of faults. In memory: the same emulator started again has none. */
export function createOwnErrors({
  clock,
  feed,
  onNotice,
}: {
  clock: Pick<Clock, 'now' | 'wall'>;
  feed: Pick<Feed, 'publish'>;
  onNotice: (text: string) => void;
}): OwnErrors {
  let errors: readonly OwnError[] = [];
  let number = 0;
  const publish = (id: string): void => feed.publish({ type: 'records', changes: [{ collection: 'ownErrors', id }] });

  return {
    tell(error, requestId = null) {
      number += 1;
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      const id = `err_${number}`;
      errors = [
        ...errors.slice(1 - kept),
        { id, at: toIso(clock.now()), wallAt: toIso(clock.wall()), requestId, text },
      ];
      onNotice(`A fault of Sandpiper's own, please report it: ${text}`);
      publish(id);
    },
    all: () => errors,
    clear() {
      errors = [];
      publish('all');
    },
  };
}
