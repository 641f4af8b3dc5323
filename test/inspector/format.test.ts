import { expect, test } from 'vitest';
import { toBytes } from '../../renderer/format.ts';

test.each([
  [999, '999 B'],
  [1_000, '1.0 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [1_400_000, '1.4 MB'],
])('%i bytes are written as %s', (bytes, says) => {
  expect(toBytes(bytes)).toBe(says);
});
