import { onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue';
import type { Kind, RecordOf, RecordsView, RecordView, StreamMessage } from '../../emulator/control/calls.ts';
import { toProblem } from './reported.ts';
import { ControlError, call } from './backend/control.ts';
import { lookingAt } from './backend/moment.ts';
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
export function useRecords<K extends Kind>(
  kind: K,
  { companyId, limit = 1_000 }: { readonly companyId?: () => string | null; readonly limit?: number } = {},
): Records<RecordOf<K>> {
  const records = shallowRef<readonly RecordOf<K>[]>([]);
  const total = shallowRef(0);
  const { ready, problem, reload } = useReading(
    async () => {
      const listed = await readRecords(kind, { limit, companyId: companyId?.() ?? undefined });
      [records.value, total.value] = [listed.records as readonly RecordOf<K>[], listed.total];
    },
    (message) => message.type === 'records' && message.changes.some((change) => change.kind === kind),
    () => companyId?.() ?? null,
  );
  return { records, total, ready, problem, reload };
}

export interface OneRecord<K extends Kind> {
  /** Null while there is none, and when it is gone. */
  readonly view: ShallowRef<RecordView<K> | null>;
  readonly ready: ShallowRef<boolean>;
  readonly problem: ShallowRef<string | null>;
  reload(): Promise<void>;
}

/** One record with its state, moves and history, read again when it changes. */
export function useRecord<K extends Kind>(kind: K, id: () => string | null): OneRecord<K> {
  const view = shallowRef(null) as ShallowRef<RecordView<K> | null>;
  const { ready, problem, reload } = useReading(
    async () => {
      const wanted = id();
      if (wanted === null) return void (view.value = null);
      try {
        const read = await readRecord(kind, wanted);
        if (id() === wanted) view.value = read;
      } catch (error) {
        if (!(error instanceof ControlError && error.status === 404)) throw error;
        if (id() === wanted) view.value = null;
      }
    },
    // The pace, which is a setting, decides when a record moves by itself.
    (message) =>
      message.type === 'records' &&
      message.changes.some((change) => (change.kind === kind && change.id === id()) || change.kind === 'settings'),
    id,
  );
  return { view, ready, problem, reload };
}

/** A page of the records of a kind. */
export async function readRecords<K extends Kind>(
  kind: K,
  query: { readonly limit: number; readonly companyId?: string | undefined },
): Promise<RecordsView<K>> {
  const page: unknown = await call('GET /control/records/{kind}', { params: { kind }, query });
  return page as RecordsView<K>;
}

/** One record with its state, moves and history. */
export async function readRecord<K extends Kind>(kind: K, id: string): Promise<RecordView<K>> {
  // The reply names the kind that was asked for. Through unknown: the compiler would compare every kind with K.
  const one: unknown = await call('GET /control/records/{kind}/{id}', { params: { kind, id } });
  return one as RecordView<K>;
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
  watch([key, lookingAt], () => void reload(), { immediate: true });
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
