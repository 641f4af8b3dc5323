import { expect, test } from 'vitest';
import { toEpoch } from '../../emulator/contract/formats.ts';
import { createRandom } from '../../emulator/random.ts';

test('a time that was written as ISO 8601 is read as the same time', () => {
  const random = createRandom(1);
  const last = Date.parse('9999-12-31T23:59:59.999Z');
  const first = Date.parse('0000-01-01T00:00:00.000Z');
  const times = Array.from({ length: 20_000 }, () => first + Math.floor(random() * (last - first + 1)));
  const differing = [first, last, 0, ...times].filter((time) => toEpoch(new Date(time).toISOString()) !== time);
  expect(differing).toEqual([]);
});

test('each day of four years is read, and the days that they do not have are refused', () => {
  for (const year of [1900, 2000, 2024, 2026])
    for (let month = 1; month <= 12; month++)
      for (let day = 0; day <= 32; day++) {
        const text = `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}T12:34:56.789Z`;
        const time = Date.UTC(year, month - 1, day, 12, 34, 56, 789);
        expect(toEpoch(text), text).toBe(new Date(time).getUTCMonth() === month - 1 && day > 0 ? time : null);
      }
});

test.each([
  '2026-00-10T00:00:00.000Z',
  '2026-13-10T00:00:00.000Z',
  '2026-01-10T24:00:00.000Z',
  '2026-01-10T00:60:00.000Z',
  '2026-01-10T00:00:60.000Z',
  '2026-01-10T00:00:00.0a0Z',
  '2026-01-10T00:00:00.000 ',
  '2026-01-10 00:00:00.000Z',
  '+026-01-10T00:00:00.000Z',
  '+100002-02-30T00:00:00.000Z',
  '-000000-01-10T00:00:00.000Z',
  '202601-10T00:00:00.000Z',
  '2026-01-10T00:0000.000Z',
])('%j is refused', (text) => {
  expect(toEpoch(text)).toBeNull();
});

test.each([
  ['2026-01-10t00:00:00.000z', '2026-01-10T00:00:00.000Z'],
  ['2026-01-10T00:00:00,250Z', '2026-01-10T00:00:00.250Z'],
  ['2026-01-10T01:00:00+0100', '2026-01-10T00:00:00.000Z'],
  ['20260110T000000Z', '2026-01-10T00:00:00.000Z'],
  ['2026-01-10T01:00:00+01', '2026-01-10T00:00:00.000Z'],
  ['2026-01-10T00:00:00.1234567891Z', '2026-01-10T00:00:00.123Z'],
  ['+100002-11-28T21:24:15.981Z', '+100002-11-28T21:24:15.981Z'],
  ['-000001-02-28T01:00:00+01:00', '-000001-02-28T00:00:00.000Z'],
])('%s, in another form of ISO 8601, is read as %s', (text, usual) => {
  expect(toEpoch(text)).toBe(Date.parse(usual));
});
