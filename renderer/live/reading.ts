import { computed, onScopeDispose, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue';
import type { StreamMessage } from '../../emulator/control/calls.ts';
import { ControlError } from './backend/control.ts';
import { lookingAt } from './backend/moment.ts';
import { useConnection } from './connection.ts';
import { createPaced } from './paced.ts';
import { toProblem } from './reported.ts';
import { createTurns } from './turns.ts';

export interface Reading {
  /** Whether an answer was read, and the read for a later key or moment did not fail. */
  readonly ready: ShallowRef<boolean>;
  /** The error of the last read, as a sentence; null after a success. */
  readonly problem: ShallowRef<string | null>;
  /** Whether the shown answer belongs to another key or moment, because the current one is not answered yet. */
  readonly behind: ShallowRef<boolean>;
  /** Whether the shown answer belongs to the current key and moment. */
  readonly isRead: ComputedRef<boolean>;
  reload(): Promise<void>;
}

/** What was read last; null before, and after another key or moment could not be read. */
export interface Answered<Answer> extends Reading {
  readonly answer: ShallowRef<Answer | null>;
}

/**
 * Reads now, when `key` changes, and when a message of the stream `concerns` it: at once, then at most once per `pause`,
 * and always after the last change. An answer is dropped if another key or moment is wanted by then.
 * @param concerns null: no message changes the answer
 * @param show for answers that are shown in parts, or kept together with something else
 * @param forget called if another key or moment cannot be read, because the shown data does not belong to it
 * @param pause the shortest pause between reads of the same data while it changes, in milliseconds
 */
export function useReading<Answer>({
  read,
  show = () => {},
  forget = () => {},
  concerns,
  key = () => null,
  pause = 150,
}: {
  read(): Promise<Answer>;
  show?(answer: Answer): void;
  forget?(): void;
  concerns: ((message: StreamMessage) => boolean) | null;
  key?(): unknown;
  pause?: number;
}): Answered<Answer> {
  const connection = useConnection();
  const answer: ShallowRef<Answer | null> = shallowRef(null);
  const ready = shallowRef(false);
  const problem = shallowRef<string | null>(null);
  const behind = shallowRef(false);
  const turns = createTurns();
  const { now: reload, soon, stop } = createPaced(load, pause);

  async function load(): Promise<void> {
    const isNewest = turns.take();
    try {
      const found = await read();
      if (!isNewest()) return;
      answer.value = found;
      show(found);
      problem.value = null;
      ready.value = true;
      behind.value = false;
    } catch (error) {
      // The frame reports a lost connection. The shown data stays.
      if (error instanceof TypeError || !isNewest()) return;
      problem.value = toProblem(error);
      if (!behind.value) return;
      behind.value = false;
      ready.value = false;
      answer.value = null;
      forget();
    }
  }

  function leave(): void {
    turns.skip();
    stop();
  }

  const unwatch = connection.watch((message) => {
    if (message.type === 'reset' || message.type === 'gap' || concerns?.(message)) void soon();
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
  whenBack(soon);
  onScopeDispose(() => {
    unwatch();
    leave();
  });
  const isRead = computed(() => ready.value && !behind.value);
  return { answer, ready, problem, behind, isRead, reload };
}

/** Runs work when the stream is back. It resumes with requests only, so everything shown is read again. */
export function whenBack(work: () => unknown): void {
  const connection = useConnection();
  watch(
    () => connection.phase,
    (phase, before) => void (phase === 'live' && before !== 'connecting' && work()),
  );
}

type Change = Extract<StreamMessage, { type: 'changes' }>['changes'][number];

/** Returns a test for messages: whether such a record changed. */
export function changesWhere(isMeant: (change: Change) => boolean): (message: StreamMessage) => boolean {
  return (message) => message.type === 'changes' && message.changes.some(isMeant);
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
