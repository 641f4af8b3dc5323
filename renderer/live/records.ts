import { shallowRef, type ShallowRef } from 'vue';
import type { Kind, RecordOf, RecordsView, RecordView } from '../../emulator/control/calls.ts';
import { call } from './backend/control.ts';
import { changesOf, changesWhere, orNull, useReading, type Reading } from './reading.ts';

/** A list that follows the server. */
export interface Records<R> extends Reading {
  readonly records: ShallowRef<readonly R[]>;
  readonly total: ShallowRef<number>;
}

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
  const reading = useReading({
    read: () => readRecords(kind, { limit, companyId: companyId?.() ?? undefined }),
    show(listed) {
      [records.value, total.value] = [listed.records as readonly RecordOf<K>[], listed.total];
    },
    concerns: changesOf(kind),
    key: () => companyId?.() ?? null,
  });
  return { records, total, ...reading };
}

export interface OneRecord<K extends Kind> extends Reading {
  /** Null while there is none, and when it is gone. */
  readonly view: ShallowRef<RecordView<K> | null>;
}

/** One record with its state, moves and history, read again when it changes. */
export function useRecord<K extends Kind>(kind: K, id: () => string | null): OneRecord<K> {
  const view = shallowRef(null) as ShallowRef<RecordView<K> | null>;
  const reading = useReading({
    async read() {
      const wanted = id();
      return wanted === null ? null : orNull(readRecord(kind, wanted));
    },
    show: (record) => (view.value = record),
    // The pace, which is a setting, decides when a record moves by itself.
    concerns: changesWhere((change) => (change.kind === kind && change.id === id()) || change.kind === 'settings'),
    key: id,
  });
  return { view, ...reading };
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
