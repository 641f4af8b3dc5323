import { expect, test } from 'vitest';
import { cutInMiddle, toBytes, toEnd } from '../../renderer/format.ts';

test.each([
  [999, '999 B'],
  [1_000, '1.0 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [1_400_000, '1.4 MB'],
])('%i bytes are written as %s', (bytes, says) => {
  expect(toBytes(bytes)).toBe(says);
});

test('a text is cut between characters as people see them', () => {
  const family = '👩‍👩‍👧‍👦';
  expect(cutInMiddle(family.repeat(9), 5)).toBe(`${family.repeat(2)}…${family.repeat(2)}`);
  expect(cutInMiddle(family.repeat(5), 5)).toBe(family.repeat(5));
  expect(cutInMiddle('abcdefgh', 4)).toBe('ab…h');
  expect(toEnd(`ab${family}🇩🇪`, 2)).toBe(`${family}🇩🇪`);
});
