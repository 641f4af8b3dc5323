/**
 * Internal errors of Sandpiper: shown where it was started, and stored for the inspector, so that they can be reported.
 */
import { toIso, type Clock } from '../../time/clock.ts';
import { traceOf } from '../../errors.ts';
import type { Feed } from '../../feed.ts';
import { StoreError, type StoreErrorCode } from '../../store/errors.ts';
import type { OwnErrorView } from '../contract/status.ts';

export interface OwnErrors {
  tell(error: unknown, requestId?: string | null): void;
  /** Reports the error if the work rejects. */
  watch(work: Promise<unknown>): void;
  /** @throws Error with the texts of all errors, if there are any, once all watched work has ended */
  expectNone(): Promise<void>;
  /** Newest last. */
  all(): readonly OwnErrorView[];
  clear(): void;
}

/** How many errors stay readable; older ones are dropped. */
const kept = 100;

/**
 * How the notice of an internal error begins. Tests look for it in the output of a process, which reveals it in no
 * other way.
 */
export const internalError = 'Internal error of Sandpiper';

const refusals: readonly StoreErrorCode[] = ['write-failed', 'folder-lost'];

/** Real ms during which the same refusal of the disk is reported only once: everything that falls due runs into it. */
const toldOnceMs = 60_000;

/** Creates the record of internal errors. It is only in memory: after a restart it is empty. */
export function createOwnErrors({
  clock,
  feed,
  onNotice,
}: {
  clock: Pick<Clock, 'now' | 'wall'>;
  feed: Pick<Feed, 'publish'>;
  onNotice: (text: string) => void;
}): OwnErrors {
  let errors: readonly OwnErrorView[] = [];
  let number = 0;
  const watched = new Set<Promise<unknown>>();
  const publish = (id: string): void => feed.publish({ type: 'changes', changes: [{ collection: 'ownErrors', id }] });

  /** The time at which each refusal was reported. */
  const told = new Map<string, number>();
  /** A disk that refuses writes, or a folder that is gone, is not an internal error. */
  const tellRefusal = (says: string): void => {
    const wallAt = clock.wall();
    for (const [earlier, at] of told) if (Math.abs(wallAt - at) >= toldOnceMs) told.delete(earlier);
    if (told.has(says)) return;
    told.set(says, wallAt);
    onNotice(`${says} What Sandpiper does by itself is tried again each second.`);
  };

  const tell: OwnErrors['tell'] = (error, requestId = null) => {
    if (error instanceof StoreError && refusals.includes(error.code)) return tellRefusal(error.message);
    number += 1;
    const text = traceOf(error);
    const id = `err_${number}`;
    errors = [...errors.slice(1 - kept), { id, at: toIso(clock.now()), wallAt: toIso(clock.wall()), requestId, text }];
    onNotice(`${internalError}, please report it: ${text}`);
    publish(id);
  };
  return {
    tell,
    watch(work) {
      const ended = work.catch(tell).finally(() => watched.delete(ended));
      watched.add(ended);
    },
    async expectNone() {
      while (watched.size > 0) await Promise.all(watched);
      if (errors.length > 0)
        throw new Error(`${internalError}, ${errors.length} in all: ${errors.map(({ text }) => text).join('\n')}`);
    },
    all: () => errors,
    clear() {
      errors = [];
      publish('all');
    },
  };
}
