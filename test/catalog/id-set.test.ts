import { expect, test } from 'vitest';
import { createIdSet } from '../../emulator/features/catalog/check/id-set.ts';
import { oneHash } from './support.ts';

test('an id is found at its first place', () => {
  const ids: string[] = [];
  const set = createIdSet();
  const isSame = (id: string) => (place: number) => ids[place] === id;
  const found: (number | null)[] = [];
  for (let i = 0; i < 50_000; i += 1) {
    ids.push(`product-${i}`);
    found.push(set.add(`product-${i}`, i, isSame(`product-${i}`)));
  }
  expect(found.every((place) => place === null)).toBe(true);
  expect(set.size).toBe(50_000);
  expect(set.add('product-777', 50_000, isSame('product-777'))).toBe(777);
  expect(set.find('product-49999', isSame('product-49999'))).toBe(49_999);
  expect(set.find('product-50000', isSame('product-50000'))).toBeNull();
  expect(set.size).toBe(50_000);
});

test('two ids with one hash are not the same id', () => {
  const ids = ['a', 'b', 'c'];
  const set = createIdSet(oneHash);
  const isSame = (id: string) => (place: number) => ids[place] === id;
  expect(ids.map((id, place) => set.add(id, place, isSame(id)))).toEqual([null, null, null]);
  expect(set.add('b', 9, isSame('b'))).toBe(1);
  expect(set.find('c', isSame('c'))).toBe(2);
  expect(set.find('d', isSame('d'))).toBeNull();
});
