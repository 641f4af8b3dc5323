import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDuration, parseDuration, toIso } from '../../emulator/time/clock.ts';

test.each([
  ['30d', 2_592_000_000],
  ['12h', 43_200_000],
  ['5m', 300_000],
  ['90s', 90_000],
  ['250ms', 250],
  ['1d12h', 129_600_000],
  ['1d 12h', 129_600_000],
  [' 1.5h ', 5_400_000],
  ['2w', 1_209_600_000],
  ['1H 2MS', 3_600_002],
  ['0', 0],
  ['0s', 0],
  ['PT5M', 300_000],
  ['P1DT12H', 129_600_000],
  ['P2W', 1_209_600_000],
  ['PT0.25S', 250],
])('"%s" is %i ms', (text, ms) => {
  expect(parseDuration(text)).toBe(ms);
});

test.each(['', '5', '-5m', '5 parsecs', '5m!', 'm5', 'P', 'PT', 'P1Y', 'PT5', '1e3s', 'PT1.2.3S', '9e99d'])(
  '"%s" is refused by name',
  (text) => {
    expect(() => parseDuration(text)).toThrow(`"${text}" is not a duration`);
  },
);

test.each(['1M', '1.5 M', '2d1M', '1M30s', 'P1M', 'P1Y1M'])(
  '"%s" may have minutes or months, which is said',
  (text) => {
    expect(() => parseDuration(text)).toThrow(
      `"${text}" is not a duration; M may be minutes or months. Write m for minutes, and months in days, such as 30d.`,
    );
  },
);

test.each(['99999999999w', '100000000d1ms', 'P99999999999D'])('"%s" is refused as too long', (text) => {
  expect(() => parseDuration(text)).toThrow(`"${text}" is too long: no date is so far away.`);
});

test('what formatDuration writes reads back as the same length', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1e13 }), (ms) => {
      expect(parseDuration(formatDuration(ms))).toBe(ms);
    }),
  );
});

test('lengths read short', () => {
  expect([129_600_000, 250, 0, 61_001, -60_000].map(formatDuration)).toEqual([
    '1d12h',
    '250ms',
    '0ms',
    '1m1s1ms',
    '-1m',
  ]);
});

test('times are ISO 8601 in UTC', () => {
  expect(toIso(0)).toBe('1970-01-01T00:00:00.000Z');
});
