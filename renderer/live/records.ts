import { computed, watch, type ComputedRef, type ShallowRef } from 'vue';
import type { Kind, MachineView, RecordOf, RecordsView, RecordView } from '../../emulator/control/calls.ts';
import { call } from './backend/control.ts';
import { readOnce } from './backend/read-once.ts';
import { shownCompany } from './company.ts';
import { changesOf, changesWhere, orNull, useReading, type Reading } from './reading.ts';

/** A list that follows the server. */
export interface Records<R> extends Reading {
  readonly records: ComputedRef<readonly R[]>;
  /** The number of records, listed or not. */
  readonly total: ComputedRef<number>;
}

export interface Found<R> {
  /** The newest matches. */
  readonly records: readonly R[];
  readonly total: number;
}

/** The number of newest records that a list has by default. */
const mostListed = 1_000;

interface Listed {
  /** Lists only records of this company. Reads again when the company changes. */
  readonly companyId?: () => string | null;
  /** At most this many, the newest. */
  readonly last?: number;
  /** The id of a record that is listed even if it is older. */
  readonly chosen?: () => string | null;
}

/**
 * The newest records of a kind (`privacy-requests`) in order of creation, in their newest state. Reads again when the
 * stream reports a change of one.
 */
export function useRecords<K extends Kind>(
  kind: K,
  { companyId, last = mostListed, chosen }: Listed = {},
): Records<RecordOf<K>> {
  const isListed = (id: string, among: readonly { readonly id: string }[]): boolean =>
    among.some((record) => record.id === id);

  async function read(): Promise<readonly [readonly RecordOf<K>[], total: number]> {
    const wanted = companyId?.() ?? undefined;
    const listed = await readRecords(kind, { last, companyId: wanted });
    const newest = listed.records as readonly RecordOf<K>[];
    const id = chosen?.() ?? null;
    if (id === null || listed.total === newest.length || isListed(id, newest)) return [newest, listed.total];
    const older = (await orNull(readRecord(kind, id)))?.record;
    const isOwn = older && (wanted === undefined || ('companyId' in older && older.companyId === wanted));
    return [isOwn ? [older, ...newest] : newest, listed.total];
  }

  const { answer, ...reading } = useReading({
    read,
    concerns: changesOf(kind),
    key: () => companyId?.() ?? null,
  });
  const records = computed(() => answer.value?.[0] ?? []);
  const total = computed(() => answer.value?.[1] ?? 0);
  watch(
    () => chosen?.() ?? null,
    (id) => {
      if (id !== null && records.value.length < total.value && !isListed(id, records.value)) void reading.reload();
    },
  );
  return { records, total, ...reading };
}

/**
 * The server's matches for a search among all records of a kind; null without a search, or if all records are listed.
 * @param listed the list of these records
 */
export function useFound<K extends Kind>(
  kind: K,
  { records, total }: Pick<Records<RecordOf<K>>, 'records' | 'total'>,
  { companyId, search }: { readonly companyId: () => string | null; readonly search: () => string },
): { readonly found: ComputedRef<Found<RecordOf<K>> | null>; readonly behind: ShallowRef<boolean> } {
  const wanted = computed(() => (records.value.length < total.value ? search().trim() : ''));
  const { answer, behind } = useReading({
    read: async (): Promise<Found<RecordOf<K>> | null> =>
      wanted.value === ''
        ? null
        : await readRecords(kind, { last: mostListed, companyId: companyId() ?? undefined, search: wanted.value }),
    concerns: changesOf(kind),
    key: () => `${companyId() ?? ''} ${wanted.value}`,
  });
  return { found: computed(() => (wanted.value === '' ? null : answer.value)), behind };
}

export interface OneRecord<K extends Kind> extends Reading {
  /** Null while there is no record, after it is gone, and if it is another company's. */
  readonly view: ComputedRef<RecordView<K> | null>;
  /** The states and moves of its kind, for the diagram; null as long as the record is. */
  readonly machine: ComputedRef<MachineView | null>;
}

const readMachines = readOnce(() => call('GET /control/machines'));

/** One record of the shown company with its state, moves and history, read again when it changes. */
export function useRecord<K extends Kind>(kind: K, id: () => string | null): OneRecord<K> {
  const { answer, ...reading } = useReading({
    async read(): Promise<{ readonly view: RecordView<K>; readonly machine: MachineView } | null> {
      const wanted = id();
      if (wanted === null) return null;
      // Read together, because a diagram that comes later would move what is below it.
      const [view, { machines }] = await Promise.all([orNull(readRecord(kind, wanted)), readMachines()]);
      const machine = machines.find((one) => one.kind === kind);
      if (!view || !machine) return null;
      return 'companyId' in view.record && view.record.companyId !== shownCompany() ? null : { view, machine };
    },
    // The pace is a setting, and decides when a record moves by itself.
    concerns: changesWhere((change) => (change.kind === kind && change.id === id()) || change.kind === 'settings'),
    key: () => `${shownCompany()} ${id()}`,
  });
  return {
    view: computed(() => answer.value?.view ?? null),
    machine: computed(() => answer.value?.machine ?? null),
    ...reading,
  };
}

/** Reads the first or the last records of a kind. */
export async function readRecords<K extends Kind>(
  kind: K,
  query: ({ readonly limit: number } | { readonly last: number }) & {
    readonly companyId?: string | undefined;
    readonly search?: string;
  },
): Promise<RecordsView<K>> {
  const page: unknown = await call('GET /control/records/{kind}', { params: { kind }, query });
  return page as RecordsView<K>;
}

/** Reads one record with its state, moves and history. */
export async function readRecord<K extends Kind>(kind: K, id: string): Promise<RecordView<K>> {
  // The reply names the requested kind. The cast goes through `unknown`: the compiler would compare every kind with K.
  const one: unknown = await call('GET /control/records/{kind}/{id}', { params: { kind, id } });
  return one as RecordView<K>;
}
