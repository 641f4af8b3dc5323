import type { Direction } from './column.ts';

/** The key by which a row is sorted; rows without one come last. */
export type SortKey = number | string | null;

interface Entry<Row> {
  readonly row: Row;
  readonly key: SortKey;
}

/**
 * Sorts a list that grows at its end and loses rows at its start. It keeps the earlier result, and sorts in only the
 * new rows. Among equal rows, the newest is shown first.
 * @returns a function that takes the rows, oldest first, and returns them in reverse display order
 */
export function createSorter<Row>(
  keyOf: (row: Row) => SortKey,
  direction: Direction,
): (rows: readonly Row[]) => readonly Row[] {
  const sign = direction === 'ascending' ? -1 : 1;
  const compare = ({ key: one }: Entry<Row>, { key: other }: Entry<Row>): number => {
    if (one === other) return 0;
    if (one === null || other === null) return one === null ? -1 : 1;
    return one < other ? -sign : sign;
  };
  const toEntry = (row: Row): Entry<Row> => ({ row, key: keyOf(row) });

  let source: readonly Row[] = [];
  let entries: readonly Entry<Row>[] = [];
  let sorted: readonly Row[] = [];
  return (rows) => {
    if (rows === source) return sorted;
    const gone = countGone(source, rows);
    if (gone === null) entries = rows.map(toEntry).sort(compare);
    else {
      const left = new Set(source.slice(0, gone));
      const kept = left.size === 0 ? entries : entries.filter(({ row }) => !left.has(row));
      entries = merge(
        kept,
        rows
          .slice(source.length - gone)
          .map(toEntry)
          .sort(compare),
        compare,
      );
    }
    source = rows;
    sorted = entries.map(({ row }) => row);
    return sorted;
  };
}

/** The number of rows at the start of `before` that are gone in `now`; null if `now` does not begin with all others. */
function countGone<Row>(before: readonly Row[], now: readonly Row[]): number | null {
  const [first] = now;
  const gone = first === undefined ? -1 : before.indexOf(first);
  const kept = before.length - gone;
  if (gone === -1 || kept > now.length) return null;
  for (let at = 0; at < kept; at += 1) if (before[gone + at] !== now[at]) return null;
  return gone;
}

/** Merges two sorted lists. Among equal elements, those of `olds` come first. */
function merge<One>(
  olds: readonly One[],
  news: readonly One[],
  compare: (one: One, other: One) => number,
): readonly One[] {
  const merged: One[] = [];
  let at = 0;
  for (const one of olds) {
    for (let next = news[at]; next !== undefined && compare(next, one) < 0; next = news[at]) {
      merged.push(next);
      at += 1;
    }
    merged.push(one);
  }
  for (; at < news.length; at += 1) merged.push(news[at]!);
  return merged;
}
