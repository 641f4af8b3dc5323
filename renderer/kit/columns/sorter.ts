import type { Direction } from './column.ts';

/** What rows are sorted by; those without a value come last. */
export type SortKey = number | string | null;

interface Entry<Row> {
  readonly row: Row;
  readonly key: SortKey;
}

/**
 * Sorts a list that grows at its end and loses rows at its start: what was sorted before is kept, and only what is new
 * is sorted in. Of equal rows the newest is shown first.
 * @returns takes the rows, oldest first, and returns them in the order in which they are shown, from the last to the
 * first
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

/** How many rows at the start of `before` are gone in `now`, which goes on with all others; null if it does not. */
function countGone<Row>(before: readonly Row[], now: readonly Row[]): number | null {
  const [first] = now;
  const gone = first === undefined ? -1 : before.indexOf(first);
  const kept = before.length - gone;
  if (gone === -1 || kept > now.length) return null;
  for (let at = 0; at < kept; at += 1) if (before[gone + at] !== now[at]) return null;
  return gone;
}

/** Of equal ones those of `olds` come first. */
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
