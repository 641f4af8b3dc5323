import { expect, test } from 'vitest';
import { toOrdinal } from '../../emulator/contract/digits.ts';
import { mayBeInfinite, mayChange } from '../../emulator/contract/numbers.ts';

test.each([
  { what: 'may lose digits', may: mayChange, count: 16 },
  { what: 'may be too large', may: mayBeInfinite, count: 309 },
])('a number of $count digits $what, wherever it begins, and one of fewer does not', ({ may, count }) => {
  for (let before = 0; before <= 2 * count; before += 1) {
    const around = (digits: number) => `${' '.repeat(before)}-${'9'.repeat(digits)},${' '.repeat(before % 7)}`;
    expect([before, may(around(count)), may(around(count - 1))]).toEqual([before, true, false]);
  }
});

test.each(['1e400', '1E+400', '[0.1e999]'])(
  'a number with an exponent of three digits may be too large: %s',
  (text) => {
    expect([mayChange(text), mayBeInfinite(text)]).toEqual([true, true]);
  },
);

test.each(['1e99', '"e1000"', '12345678.123456'])('others are as they were sent: %s', (text) => {
  expect([mayChange(text), mayBeInfinite(text)]).toEqual([false, false]);
});

test.each(['1234567890.123456789', '123456.1234567890123', '12345678901234.567891'])(
  'digits before and after the point count together: %s may lose some',
  (text) => {
    expect([mayChange(text), mayChange(`[1,${text},"a"]`)]).toEqual([true, true]);
  },
);

test('a number that may be too small may not be too large', () => {
  expect([mayChange('1e-400'), mayBeInfinite('1e-400')]).toEqual([true, false]);
});

test.for([
  [1, '1st'],
  [2, '2nd'],
  [3, '3rd'],
  [4, '4th'],
  [11, '11th'],
  [12, '12th'],
  [13, '13th'],
  [21, '21st'],
  [22, '22nd'],
  [113, '113th'],
  [1_000, '1000th'],
] as const)('the ordinal of %s is %s', ([count, ordinal]) => {
  expect(toOrdinal(count)).toBe(ordinal);
});
