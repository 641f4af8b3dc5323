import { onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue';
import type { StreamMessage } from '../../emulator/control/calls.ts';
import { ControlError } from './backend/control.ts';
import { lookingAt } from './backend/moment.ts';
import { useConnection } from './connection.ts';
import { toProblem } from './reported.ts';

export interface Reading {
  /** Something was read, and what was wanted since could be read. */
  readonly ready: ShallowRef<boolean>;
  /** The sentence of the last reading that failed. */
  readonly problem: ShallowRef<string | null>;
  /** What is shown belongs to another key or another moment: the present answer is not there yet. */
  readonly behind: ShallowRef<boolean>;
  reload(): Promise<void>;
}

/** At most so often the same is read again while it changes, in milliseconds. */
const shortestPause = 150;

/**
 * Reads now, when `key` changes, and when the stream brings something that `concerns` it: at once, then at most every
 * 150 ms, the last change always read. An answer that comes when another key, or another moment, is wanted is not shown.
 * @param forget where another key, or another moment, cannot be read: what is shown is not of that
 */
export function useReading<Answer>({
  read,
  show,
  forget = () => {},
  concerns = () => false,
  key = () => null,
}: {
  read(): Promise<Answer>;
  show(answer: Answer): void;
  forget?(): void;
  concerns?(message: StreamMessage): boolean;
  key?(): unknown;
}): Reading {
  const connection = useConnection();
  const ready = shallowRef(false);
  const problem = shallowRef<string | null>(null);
  const behind = shallowRef(false);
  /** The reading under way for what is wanted now. */
  let current: symbol | null = null;
  let [again, timer] = [false, 0];

  async function reload(): Promise<void> {
    if (current) return void (again = true);
    const own = (current = Symbol('reading'));
    try {
      const answer = await read();
      if (current !== own) return;
      show(answer);
      problem.value = null;
      ready.value = true;
      behind.value = false;
    } catch (error) {
      // The frame says that the connection is lost; what is shown stays.
      if (current !== own || error instanceof TypeError) return;
      problem.value = toProblem(error);
      if (!behind.value) return;
      behind.value = false;
      ready.value = false;
      forget();
    } finally {
      if (current === own) end();
    }
  }

  function end(): void {
    current = null;
    if (!again) return;
    again = false;
    timer ||= window.setTimeout(() => {
      timer = 0;
      void reload();
    }, shortestPause);
  }

  function leave(): void {
    window.clearTimeout(timer);
    [current, again, timer] = [null, false, 0];
  }

  const unwatch = connection.watch((message) => {
    if (message.type !== 'reset' && message.type !== 'gap' && !concerns(message)) return;
    if (timer === 0) void reload();
  });
  // Functions: a shallow ref among the sources would call both each time that `key` is computed, even with the same result.
  const wanted = [key, () => lookingAt.value];
  /** How often something else was wanted: also what is wanted again a moment later, in the same turn, is read again. */
  const changes = shallowRef(0);
  watch(
    wanted,
    () => {
      leave();
      behind.value = ready.value;
      changes.value += 1;
    },
    { flush: 'sync' },
  );
  watch(changes, () => void reload(), { immediate: true });
  whenBack(reload);
  onScopeDispose(() => {
    unwatch();
    leave();
  });
  return { ready, problem, behind, reload };
}

/** Does it when the stream is there again: it resumes with requests only, so everything shown is read again. */
export function whenBack(work: () => unknown): void {
  const connection = useConnection();
  watch(
    () => connection.phase,
    (phase, before) => void (phase === 'live' && before !== 'connecting' && work()),
  );
}

type Change = Extract<StreamMessage, { type: 'records' }>['changes'][number];

/** Of messages: that such a record changed. */
export function changesWhere(isMeant: (change: Change) => boolean): (message: StreamMessage) => boolean {
  return (message) => message.type === 'records' && message.changes.some(isMeant);
}

/** Of messages: that a record of one of the kinds changed. */
export function changesOf(...kinds: readonly string[]): (message: StreamMessage) => boolean {
  return changesWhere(({ kind }) => kinds.includes(kind));
}

/** Null if the server has none: nothing at the path, or nothing of what the query names by its id. */
export async function orNull<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ControlError && (error.status === 404 || error.rule === 'control.unknown-id')) return null;
    throw error;
  }
}
