import { computed, type ComputedRef } from 'vue';
import type { RequestSummary } from '../../../emulator/control/calls.ts';
import type { Column } from '../../kit/columns/column.ts';
import { createSorter, type SortKey } from '../../kit/columns/sorter.ts';
import { useColumns, type Columns } from '../../kit/columns/use-columns.ts';
import { useCredentials } from '../../live/credentials.ts';
import { toRequestName, toRowOutcome } from '../../parts/request-words.ts';

export type RequestColumn = 'status' | 'request' | 'about' | 'what' | 'key' | 'from' | 'took' | 'size' | 'time';

/** All columns in their order, which is that of a row's cells. */
const all: readonly Column<RequestColumn>[] = [
  { name: 'status', title: 'Status', width: '48px', first: 'descending' },
  {
    name: 'request',
    title: 'Request',
    about: 'method, path, operation',
    width: '1.2fr',
    first: 'ascending',
    isFixed: true,
  },
  { name: 'about', title: 'About', about: 'phone, email or id', width: '0.75fr', first: 'ascending' },
  { name: 'what', title: 'What it did', about: 'or the rule that refused it', width: '1.1fr', first: 'ascending' },
  { name: 'key', title: 'Key', about: 'the app that it belongs to', width: '110px', first: 'ascending', isExtra: true },
  { name: 'from', title: 'Sent from', about: 'file and line', width: '120px', first: 'ascending', isExtra: true },
  { name: 'took', title: 'Took', about: 'ms', width: '50px', first: 'descending', isRight: true, isExtra: true },
  {
    name: 'size',
    title: 'Size',
    about: 'of its body',
    width: '60px',
    first: 'descending',
    isRight: true,
    isExtra: true,
  },
  { name: 'time', title: 'Time', about: 'virtual clock', width: '76px', first: 'descending', isRight: true },
];

export const useRequestColumns = (): Columns<RequestColumn> =>
  useColumns('sandpiper.requests.columns', all, { by: 'time', direction: 'descending' });

/**
 * Sorts the requests by the chosen column.
 * @param rows oldest first
 * @returns the rows in reverse display order
 */
export function useOrder(
  rows: ComputedRef<readonly RequestSummary[]>,
  { sort }: Columns<RequestColumn>,
): ComputedRef<readonly RequestSummary[]> {
  const credentials = useCredentials();
  const sorter = computed(() => {
    if (sort.value === null) return null;
    const { by, direction } = sort.value;
    // The names of keys may arrive later than the requests.
    const appOf = by === 'key' ? new Map([...credentials.known].map(([id, { app }]) => [id, app])) : null;
    return createSorter(keysOf(appOf)[by], direction);
  });
  return computed(() => sorter.value?.(rows.value) ?? rows.value);
}

const words = (text: string | null | undefined): string | null => (text ? text.toLowerCase() : null);

/** The sort keys of the columns. */
function keysOf(appOf: ReadonlyMap<string, string> | null): {
  readonly [name in RequestColumn]: (row: RequestSummary) => SortKey;
} {
  return {
    status: ({ status }) => status,
    request(row) {
      const { method, head, tail, query } = toRequestName(row);
      return `${head}${tail}${query} ${method}`.toLowerCase();
    },
    about: ({ about }) => words(about),
    what: (row) => words(toRowOutcome(row).text),
    key: ({ credentialId }) => words(appOf?.get(credentialId ?? '') ?? credentialId),
    from: ({ calledFrom }) => words(calledFrom?.place),
    took: ({ durationMs }) => durationMs,
    size: ({ requestBytes }) => requestBytes,
    // By order of arrival, because the virtual clock can be set back.
    time: ({ sequence }) => sequence,
  };
}
