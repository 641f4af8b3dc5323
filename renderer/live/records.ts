import { onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue';
import type { RecordView, StreamMessage } from '../../emulator/control/protocol.ts';
import { toProblem } from './act.ts';
import { ControlError, control } from './backend/control.ts';
import { useConnection } from './connection.ts';

/** A list that follows the server. `problem` is the sentence of the last reading that failed. */
export interface Records<R> {
  readonly records: ShallowRef<readonly R[]>;
  readonly total: ShallowRef<number>;
  readonly ready: ShallowRef<boolean>;
  readonly problem: ShallowRef<string | null>;
  reload(): Promise<void>;
}

/** At most so often a list or a record is read again while it changes, in milliseconds. */
const shortestPause = 150;

/**
 * The records of a kind (`privacy-requests`), newest state, read again when the stream says that one changed.
 * @param options.companyId only this company's; read again when it changes
 */
export function useRecords<R extends { readonly id: string }>(
  kind: string,
  { companyId, limit = 1_000 }: { readonly companyId?: () => string | null; readonly limit?: number } = {},
): Records<R> {
  const records = shallowRef<readonly R[]>([]);
  const total = shallowRef(0);
  const { ready, problem, reload } = useReading(
    async () => {
      const company = companyId?.() ?? null;
      const query = new URLSearchParams({ limit: String(limit), ...(company === null ? {} : { companyId: company }) });
      const listed = await control<{ total: number; records: readonly R[] }>('GET', `records/${kind}?${query}`);
      [records.value, total.value] = [listed.records, listed.total];
    },
    (message) => message.type === 'records' && message.changes.some((change) => change.kind === kind),
    () => companyId?.() ?? null,
  );
  return { records, total, ready, problem, reload };
}

export interface OneRecord<R> {
  /** Null while there is none, and when it is gone. */
  readonly view: ShallowRef<(RecordView & { readonly record: R }) | null>;
  readonly ready: ShallowRef<boolean>;
  readonly problem: ShallowRef<string | null>;
  reload(): Promise<void>;
}

/** One record with its state, moves and history, read again when it changes. */
export function useRecord<R extends { readonly id: string }>(kind: string, id: () => string | null): OneRecord<R> {
  const view = shallowRef<(RecordView & { readonly record: R }) | null>(null);
  const { ready, problem, reload } = useReading(
    async () => {
      const wanted = id();
      if (wanted === null) return void (view.value = null);
      try {
        const read = await control<RecordView & { readonly record: R }>(
          'GET',
          `records/${kind}/${encodeURIComponent(wanted)}`,
        );
        if (id() === wanted) view.value = read;
      } catch (error) {
        if (!(error instanceof ControlError && error.status === 404)) throw error;
        if (id() === wanted) view.value = null;
      }
    },
    (message) =>
      message.type === 'records' && message.changes.some((change) => change.kind === kind && change.id === id()),
    id,
  );
  return { view, ready, problem, reload };
}

/**
 * Reads now, when `key` changes, and when the stream brings something that `concerns` it: at once, then at most every
 * 150 ms, the last change always read.
 */
export function useReading(
  read: () => Promise<void>,
  concerns: (message: StreamMessage) => boolean,
  key: () => unknown = () => null,
): { ready: ShallowRef<boolean>; problem: ShallowRef<string | null>; reload(): Promise<void> } {
  const connection = useConnection();
  const ready = shallowRef(false);
  const problem = shallowRef<string | null>(null);
  let [reading, again, timer] = [false, false, 0];

  async function reload(): Promise<void> {
    if (reading) return void (again = true);
    reading = true;
    try {
      await read();
      problem.value = null;
      ready.value = true;
    } catch (error) {
      // The frame says that the connection is lost; what is shown stays.
      if (!(error instanceof TypeError)) problem.value = toProblem(error);
    } finally {
      reading = false;
      if (again) {
        again = false;
        timer ||= window.setTimeout(() => {
          timer = 0;
          void reload();
        }, shortestPause);
      }
    }
  }

  const unwatch = connection.watch((message) => {
    if (message.type !== 'reset' && message.type !== 'gap' && !concerns(message)) return;
    if (timer === 0) void reload();
  });
  watch(key, () => void reload(), { immediate: true });
  // After a loss the stream resumes with requests only, so everything shown is read again.
  watch(
    () => connection.phase,
    (phase, before) => void (phase === 'live' && before === 'lost' && reload()),
  );
  onScopeDispose(() => {
    unwatch();
    window.clearTimeout(timer);
  });
  return { ready, problem, reload };
}
