import { expect, test } from 'vitest';
import { currencies } from '../../emulator/contract/currencies.ts';
import { createFormats, isCatalogUrl } from '../../emulator/features/catalog/check/formats.ts';

const formats = createFormats();

test.each([
  'http://a.example',
  'https://a.example/p?q=1#x',
  'HTTPS://a.example:8443/caf\u00e9',
  'https://user:secret@a.example/',
  'http://127.0.0.1:80',
  'http://[::1]/',
  'https://b\u00fccher.example/',
])('%s is a link', (text) => {
  expect([formats['http-url'](text), isCatalogUrl(text)]).toEqual([true, true]);
});

test('a link with letters of other scripts stays one, however many were read', () => {
  const links = Array.from({ length: 20_000 }, (_, i) => `https://b\u00fccher.example/${i}`);
  expect(links.filter((link) => !isCatalogUrl(link))).toEqual([]);
});

test.each([
  '',
  'a.example',
  '//a.example/',
  'https:/a.example',
  'https://',
  'https:///a',
  'ftp://a.example/',
  'javascript:alert(1)',
  'https://a b.example/',
  'https://a.example/a b',
  ' https://a.example/',
  'https://a.example/\n',
  'http://256.256.256.256/x',
  'http://a.example:99999/x',
  'http://[::1/',
])('%j is not a link', (text) => {
  expect([formats['http-url'](text), isCatalogUrl(text)]).toEqual([false, false]);
});

test.each([
  '2026-01-31T09:30:00Z',
  '2026-01-31T09:30Z',
  '2026-12-31T23:59:59.123456Z',
  '2024-02-29T00:00:00+00:00',
  '2026-04-30T00:00:00,5+0000',
  '2026-11-27T10:00:00+00',
  '20261127T100000Z',
  '2026-01-31T09:30:00-00:00',
])('%s is a timestamp', (text) => {
  expect(formats['utc-timestamp'](text)).toBe(true);
});

test.each([
  '2026-01-31',
  '2026-01-31 09:30:00Z',
  '2026-01-31T09:30:00',
  '2026-01-31T09:30:00+01:00',
  '2026-01-31T24:00:00Z',
  '2026-01-31T09:60:00Z',
  '2026-13-01T00:00:00Z',
  '2026-00-01T00:00:00Z',
  '2026-02-29T00:00:00Z',
  '1900-02-29T00:00:00Z',
  '2026-04-31T00:00:00Z',
  '2026-01-00T00:00:00Z',
  '2026-01-31T09:30:00Z\n',
  '1769851800',
])('%j is not a timestamp', (text) => {
  expect(formats['utc-timestamp'](text)).toBe(false);
});

test('amounts are digits with a point, nothing else', () => {
  expect(['0', '12', '12.5', '0012.500'].every(formats.decimal)).toBe(true);
  expect(['', '.5', '5.', '-1', '+1', '1e3', '1,5', '1 000', '12.50 ', '\u0661'].some(formats.decimal)).toBe(false);
});

test('currencies are the codes in force, in capitals', () => {
  expect([...currencies].every((code) => /^[A-Z]{3}$/.test(code))).toBe(true);
  expect(['USD', 'EUR', 'JPY', 'XCG', 'SLE'].every(formats['iso-4217'])).toBe(true);
  expect(['usd', 'DEM', 'HRK', 'BGN', 'ZWL', 'US', 'USDX', ''].some(formats['iso-4217'])).toBe(false);
  expect(currencies.size).toBeGreaterThan(170);
});
