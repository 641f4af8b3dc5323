import { expect, test } from 'vitest';
import { createSorter } from '../../renderer/kit/columns/sorter.ts';

interface Row {
  readonly id: number;
  readonly took: number | null;
}
const row = (id: number, took: number | null): Row => ({ id, took });
const ids = (rows: readonly Row[]): readonly number[] => rows.map(({ id }) => id).toReversed();

test('rows are shown by their value, equal ones newest first, those without one last', () => {
  const rows = [row(1, 5), row(2, null), row(3, 9), row(4, 5), row(5, null)];
  expect(ids(createSorter<Row>(({ took }) => took, 'descending')(rows))).toEqual([3, 4, 1, 5, 2]);
  expect(ids(createSorter<Row>(({ took }) => took, 'ascending')(rows))).toEqual([4, 1, 3, 5, 2]);
});

test('what comes in is sorted in: the value of a row is read once, and the outcome is that of sorting all', () => {
  let reads = 0;
  const took = (one: Row): number | null => {
    reads += 1;
    return one.took;
  };
  for (const direction of ['ascending', 'descending'] as const) {
    reads = 0;
    const sort = createSorter(took, direction);
    let rows: readonly Row[] = [];
    let next = 0;
    for (let round = 0; round < 50; round += 1) {
      const fresh = Array.from({ length: 7 }, () => row((next += 1), next % 11 === 0 ? null : (next * 37) % 23));
      // A ring of 40: the oldest are gone.
      rows = [...rows, ...fresh].slice(-40);
      expect(ids(sort(rows))).toEqual(ids(createSorter<Row>((one) => one.took, direction)(rows)));
    }
    expect(reads).toBe(350);
  }
});

test('other rows, as of another filter, are sorted again', () => {
  const sort = createSorter<Row>(({ took }) => took, 'ascending');
  const rows = [row(1, 3), row(2, 2), row(3, 1)];
  expect(ids(sort(rows))).toEqual([3, 2, 1]);
  expect(ids(sort(rows.filter(({ id }) => id !== 2)))).toEqual([3, 1]);
  expect(ids(sort(rows))).toEqual([3, 2, 1]);
  expect(ids(sort([]))).toEqual([]);
});
