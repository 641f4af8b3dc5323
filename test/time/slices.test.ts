import { expect, test } from 'vitest';
import { inParts } from '../../emulator/time/slices.ts';
import { sortInSlices } from '../../emulator/time/sort-slices.ts';

test('a long list is sorted in slices as at once, and what is equal keeps its order', async () => {
  const list = Array.from({ length: 20_011 }, (_, index) => ({ key: (index * 7919) % 1_000, index }));
  const compare = (one: { readonly key: number }, other: { readonly key: number }): number => other.key - one.key;
  expect(await sortInSlices(list, compare)).toEqual(list.toSorted(compare));
  expect(await sortInSlices([], compare)).toEqual([]);
});

test('items come in parts, each once and in order, with a turn of the event loop between two', async () => {
  const items = Array.from({ length: 25 }, (_, index) => index);
  let turns = 0;
  const count = (): void => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const parts: (readonly number[])[] = [];
  for await (const part of inParts(items, 10)) parts.push(part);
  clearImmediate(timer);
  expect(parts).toEqual([items.slice(0, 10), items.slice(10, 20), items.slice(20)]);
  expect(turns).toBeGreaterThanOrEqual(2);
});
