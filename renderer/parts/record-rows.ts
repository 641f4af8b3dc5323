import { computed, shallowRef, type ComputedRef, type ShallowRef } from 'vue';
import type { Kind, RecordOf } from '../../emulator/control/calls.ts';
import { useCompany } from '../live/company.ts';
import { useFound, useRecords } from '../live/records.ts';
import type { FoundRows, RecordRow } from './rows.ts';
import { useSelected } from './selected.ts';

interface Listed {
  readonly rows: readonly RecordRow[];
  readonly total: number;
  readonly found: FoundRows | null;
  readonly behind: boolean;
  readonly ready: boolean;
  readonly problem: string | null;
}

/**
 * The records of a kind in the shown company, and the matches of a search among all of them, as `RecordList` takes
 * them.
 * @param section the name of the route, whose `id` is the chosen record
 * @param inOrder sorts the records for the list; they come oldest first
 */
export function useRecordRows<K extends Kind>(
  kind: K,
  section: string,
  toRow: (record: RecordOf<K>) => RecordRow,
  inOrder: (records: readonly RecordOf<K>[]) => readonly RecordOf<K>[] = (records) => records,
): {
  readonly search: ShallowRef<string>;
  readonly records: ComputedRef<readonly RecordOf<K>[]>;
  readonly listed: ComputedRef<Listed>;
} {
  const company = useCompany();
  const selected = useSelected(() => section);
  const search = shallowRef('');
  const companyId = (): string | null => company.current?.id ?? null;
  const { records, total, ready, problem, behind } = useRecords(kind, { companyId, chosen: () => selected.value });
  const ofSearch = useFound(kind, { records, total }, { companyId, search: () => search.value });
  const rows = computed(() => inOrder(records.value).map(toRow));
  const found = computed(() => {
    const read = ofSearch.found.value;
    return read && { total: read.total, rows: inOrder(read.records).map(toRow) };
  });
  const listed = computed(() => ({
    rows: rows.value,
    total: total.value,
    found: found.value,
    behind: behind.value || ofSearch.behind.value,
    ready: ready.value,
    problem: problem.value,
  }));
  return { search, records, listed };
}
