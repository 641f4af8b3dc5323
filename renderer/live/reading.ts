import { onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue';
import type { StreamMessage } from '../../emulator/control/calls.ts';
import { ControlError } from './backend/control.ts';
import { lookingAt } from './backend/moment.ts';
import { useConnection } from './connection.ts';
import { toProblem } from './reported.ts';

export interface Reading {
  /** Whether an answer was read, and the read for a later key or moment did not fail. */
  readonly ready: ShallowRef<boolean>;
  /** The error of the last read, as a sentence; null after a success. */
  readonly problem: ShallowRef<string | null>;
  /** Whether the shown answer belongs to another key or moment, because the current one is not answered yet. */
  readonly behind: ShallowRef<boolean>;
  reload(): Promise<void>;
}

/** What was read last; null before, and after another key or moment could not be read. */
export interface Answered<Answer> extends Reading {
  readonly answer: ShallowRef<Answer | null>;
}

/** The shortest pause between reads of the same data while it changes, in milliseconds. */
const shortestPause = 150;

/**
 * Reads now, when `key` changes, and when a message of the stream `concerns` it: at once, then at most every 150 ms,
 * and always after the last change. An answer is dropped if another key or moment is wanted by then.
 * @param show for answers that are shown in parts, or kept together with something else
 * @param forget called if another key or moment cannot be read, because the shown data does not belong to it
 */
export function useReading<Answer>({
  read,
  show = () => {},
  forget = () => {},
  concerns = () => false,
  key = () => null,
}: {
  read(): Promise<Answer>;
  show?(answer: Answer): void;
  forget?(): void;
  concerns?(message: StreamMessage): boolean;
  key?(): unknown;
}): Answered<Answer> {
  const connection = useConnection();
  const answer: ShallowRef<Answer | null> = shallowRef(null);
  const ready = shallowRef(false);
  const problem = shallowRef<string | null>(null);
  const behind = shallowRef(false);
  /** The read under way for the current key and moment. */
  let current: symbol | null = null;
  let [again, timer] = [false, 0];

  async function reload(): Promise<void> {
    if (current) return void (again = true);
    const own = (current = Symbol('reading'));
    try {
      const found = await read();
      if (current !== own) return;
      answer.value = found;
      show(found);
      problem.value = null;
      ready.value = true;
      behind.value = false;
    } catch (error) {
      // The frame reports a lost connection. The shown data stays.
      if (current !== own || error instanceof TypeError) return;
      problem.value = toProblem(error);
      if (!behind.value) return;
      behind.value = false;
      ready.value = false;
      answer.value = null;
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
  // These are functions because a shallow ref among the sources would call both each time that `key` is computed, even
  // with the same result.
  const wanted = [key, () => lookingAt.value];
  /** Counts the changes of key and moment, so that a value that returns within the same turn is read again too. */
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
  return { answer, ready, problem, behind, reload };
}

/** Runs work when the stream is back. It resumes with requests only, so everything shown is read again. */
export function whenBack(work: () => unknown): void {
  const connection = useConnection();
  watch(
    () => connection.phase,
    (phase, before) => void (phase === 'live' && before !== 'connecting' && work()),
  );
}

type Change = Extract<StreamMessage, { type: 'records' }>['changes'][number];

/** Returns a test for messages: whether such a record changed. */
export function changesWhere(isMeant: (change: Change) => boolean): (message: StreamMessage) => boolean {
  return (message) => message.type === 'records' && message.changes.some(isMeant);
}

/** Returns a test for messages: whether a record of one of the kinds changed. */
export function changesOf(...kinds: readonly string[]): (message: StreamMessage) => boolean {
  return changesWhere(({ kind }) => kinds.includes(kind));
}

/** Null if the server has nothing at the path, or nothing with an id in the query. */
export async function orNull<Answer>(asked: Promise<Answer>): Promise<Answer | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ControlError && (error.status === 404 || error.rule === 'control.unknown-id')) return null;
    throw error;
  }
}
