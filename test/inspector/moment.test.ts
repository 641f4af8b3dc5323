import { expect, onTestFinished, test, vi } from 'vitest';
import { toSpan } from '../../renderer/kit/when.ts';
import { parseMoment, toSkipped } from '../../renderer/frame/clock/parse-moment.ts';
import { toLength, toMarks, toPlace } from '../../renderer/frame/clock/tide.ts';

const now = Date.parse('2026-11-30T14:02:23Z');
const at = (text: string, zone: 'UTC' | 'local' = 'UTC'): string | null => {
  const ms = parseMoment(text, now, zone);
  return ms === null ? null : new Date(ms).toISOString();
};

test.each([
  ['2026-12-24', '2026-12-24T00:00:00.000Z'],
  ['2026-12-24 09:00', '2026-12-24T09:00:00.000Z'],
  ['2026-12-24T09:00:30Z', '2026-12-24T09:00:30.000Z'],
  ['2026-12-24T09:00:30.500Z', '2026-12-24T09:00:30.500Z'],
  ['2026-12-24T09:00:59.999Z', '2026-12-24T09:00:59.999Z'],
  ['2026-12-24T09:00:30+02:00', '2026-12-24T07:00:30.000Z'],
  ['0099-01-02', '0099-01-02T00:00:00.000Z'],
  ['24 Dec 2026', '2026-12-24T00:00:00.000Z'],
  ['24 December 2026, 9:05', '2026-12-24T09:05:00.000Z'],
  ['18:30', '2026-11-30T18:30:00.000Z'],
  ['18:30:15.250', '2026-11-30T18:30:15.250Z'],
  ['9:00', '2026-12-01T09:00:00.000Z'],
  ['3d 4h', '2026-12-03T18:02:23.000Z'],
  ['+90m', '2026-11-30T15:32:23.000Z'],
  ['1.5h', '2026-11-30T15:32:23.000Z'],
  ['3D 4H', '2026-12-03T18:02:23.000Z'],
])('"%s" is the time %s', (text, iso) => {
  expect(at(text)).toBe(iso);
});

test.each([
  '',
  'tomorrow',
  '2026-02-30',
  '2026-13-01',
  '2026-00-10',
  '2026-12-00',
  '2026-12-24 09:00:60',
  '25:00',
  '24 Foo 2026',
  '-3d',
  '12',
  '2026-12-24 9',
  // Minutes or months.
  '3M',
  '1d 2M',
  // Later than any clock can show.
  '99999999d',
])('"%s" is not a time', (text) => {
  expect(at(text)).toBeNull();
});

test('without a zone a date is in the zone in which times are shown', () => {
  const local = new Date(2026, 11, 24, 9).toISOString();
  expect(at('2026-12-24 09:00', 'local')).toBe(local);
});

test('a time of day that is past is that of the next day, also where that day has 25 hours', () => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  onTestFinished(() => void vi.unstubAllEnvs());
  const ms = parseMoment('18:30', Date.parse('2026-10-24T19:00:00+02:00'), 'local');
  expect(new Date(ms ?? 0).toISOString()).toBe('2026-10-25T17:30:00.000Z');
});

test.each([
  ['2027-03-28 02:30', '02:30'],
  ['28 Mar 2027, 2:30', '2:30'],
  ['2027-03-28 01:59', null],
  ['2027-03-28 03:00', null],
  ['2027-03-28', null],
  ['2027-03-28T02:30+01:00', null],
  ['2027-10-31 02:30', null],
  ['3d 4h', null],
])('in the zone of Berlin the time of day of "%s" that its day does not have is %s', (text, skipped) => {
  vi.stubEnv('TZ', 'Europe/Berlin');
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(toSkipped(text, parseMoment(text, now, 'local') ?? NaN, 'local')).toBe(skipped);
  expect(toSkipped(text, parseMoment(text, now, 'UTC') ?? NaN, 'UTC')).toBeNull();
});

test('the line goes from now to 30 days, and near times are far enough apart', () => {
  expect([toPlace(-1), toPlace(0)]).toEqual([0, 0]);
  expect(toPlace(30 * 86_400_000)).toBeCloseTo(100, 9);
  expect(toPlace(365 * 86_400_000)).toBe(toPlace(30 * 86_400_000));
  expect(toPlace(5_000)).toBeGreaterThan(1);
  expect(toPlace(3_600_000) - toPlace(120_000)).toBeGreaterThan(15);
});

test('timers due close together are one mark, which extends to the last of them', () => {
  const due = (seconds: number) => ({
    label: '',
    says: `in ${seconds} s`,
    kind: 'deliveries',
    id: 'x',
    at: new Date(now + seconds * 1_000).toISOString(),
  });
  const marks = toMarks([due(3_600), due(3_601), due(86_400)], now, 1);
  expect(marks.map(({ dues, at: until }) => [dues.length, until - now])).toEqual([
    [2, 3_601_000],
    [1, 86_400_000],
  ]);
});

test.each([
  [400, '0 s'],
  [298_000, '4 m 58 s'],
  [813_600_000, '9 d 10 h'],
  [86_400_000, '1 d'],
])('%d ms are %s', (ms, text) => {
  expect(toLength(ms)).toBe(text);
});

test('a time in a filter that may be minutes or months ago is not read as a time', () => {
  const from = Date.parse('2026-11-30T13:52:23Z');
  expect(toSpan('10m', from + 600_000, 'UTC')).toEqual({ from, to: from });
  expect(toSpan('10M', from, 'UTC')).toBeNull();
});
