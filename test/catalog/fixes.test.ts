import { expect, test } from 'vitest';
import { createProductChecker } from '../../emulator/features/catalog/check/check-product.ts';
import { fixLine } from '../../emulator/features/catalog/check/fix-file.ts';
import { product, variant, type Json } from './support.ts';

const checker = createProductChecker();

/** A line with these fields, as the fixed copy of its file has it; null if a person has to look at it. */
function fixed(changes: Json): unknown {
  const result = fixLine(Buffer.from(JSON.stringify(product('p', changes))), checker);
  return result.outcome === 'fixed' ? (JSON.parse(result.text) as unknown) : null;
}

/** The same of a line as it is written. */
function fixedText(line: string): string | null {
  const result = fixLine(Buffer.from(line), checker);
  return result.outcome === 'fixed' ? result.text : null;
}

/** What is said about the first error of such a line. */
function said(changes: Json): string | undefined {
  return checker.check(product('p', changes))[0]?.message;
}

const priced = (price: Json): Json => ({ variants: [variant('v', { prices: [price] })] });

test.each([
  ['2026-01-31T09:30:00+02:00', '2026-01-31T07:30:00.000Z'],
  ['2026-01-31 09:30:00 +0200', '2026-01-31T07:30:00.000Z'],
  ['2026-01-31 09:30:00 UTC', '2026-01-31T09:30:00.000Z'],
  ['20260131T093000-05', '2026-01-31T14:30:00.000Z'],
  ['2026-01-31T24:00:00Z', '2026-02-01T00:00:00.000Z'],
  ['2026-01-31T09:30:00.123456+02:00', '2026-01-31T07:30:00.123456Z'],
  ['2026-01-31 09:30:59,9999999999 UTC', '2026-01-31T09:30:59.9999999999Z'],
])('the fixed copy writes the time %s as %s', (sent, meant) => {
  expect(fixed({ lastUpdated: sent })).toMatchObject({ lastUpdated: meant });
});

test.each([
  '2026-02-30',
  '2026-02-30T00:00:00+02:00',
  '01/02/2026 10:00 +0200',
  '2026-01-01',
  '2026-01',
  '2026-01-31T09:30:00',
  'Jan 31 2026',
  '1767225600',
])('the fixed copy leaves the time %s, which does not say one moment', (sent) => {
  expect(fixed({ lastUpdated: sent })).toBeNull();
});

test.each([
  [1_767_225_600, 'If it is in seconds since 1970, write 2026-01-01T00:00:00.000Z.'],
  [1_767_225_600_000, 'If it is in milliseconds since 1970, write 2026-01-01T00:00:00.000Z.'],
  [1_767_225_600.999999, 'If it is in seconds since 1970, write 2026-01-01T00:00:00.999999Z.'],
  ['2026-01-01', 'If it is in UTC, write 2026-01-01T00:00:00.000Z.'],
  ['2026-02-30', 'not an ISO 8601 time: there is no day 2026-02-30. Write it like 2026-01-31T09:30:00Z.'],
  ['2027-02-29T00:00:00Z', 'not an ISO 8601 time: there is no day 2027-02-29. Write it like 2026-01-31T09:30:00Z.'],
])('about the time %s is said: %s', (sent, says) => {
  expect(said({ lastUpdated: sent })).toContain(says);
});

test.each([
  ['USD', '$12.50', '12.50'],
  ['usd', '12.50 USD', '12.50'],
  ['EUR', '5 \u20ac', '5'],
  ['GBP', '\u00a34.99', '4.99'],
  ['CAD', 'CA$5', '5'],
  ['CAD', '$5', '5'],
  ['USD', ' 5 ', '5'],
])('the fixed copy writes an amount in %s, %s, as %s', (currencyCode, amount, plain) => {
  expect(fixed(priced({ currencyCode, amount }))).toMatchObject(priced({ amount: plain }));
});

test.each([
  '\u20ac5',
  '5 EUR',
  '\u00a34.99',
  '\u22125',
  '-5',
  '(5.00)',
  '50%',
  '5k',
  'from 4.99',
  '4.99 each',
  '$5 USD',
  '1,299',
])('the fixed copy leaves the amount %s in USD, which may be another price', (amount) => {
  expect(fixed(priced({ currencyCode: 'USD', amount }))).toBeNull();
});

test('an amount below zero is told that it has a sign', () => {
  expect(said(priced({ currencyCode: 'USD', amount: '-5' }))).toContain(
    'is "-5", which is not a decimal number without a sign.',
  );
});

test.each(['n/a', 'none', 'TBD', 12])('the fixed copy makes no address of %s', (link) => {
  expect(fixed({ link })).toBeNull();
});

test('the fixed copy makes no text of a number that lost digits', () => {
  expect(fixed({ brand: 12_345_678_901_234_567_000 })).toBeNull();
  expect(fixed({ brand: 12.5 })).toMatchObject({ brand: '12.5' });
});

test('the fixed copy leaves out an optional field that is null, and keeps a required one for a person', () => {
  expect(fixed({ description: null })).not.toHaveProperty('description');
  expect(fixed({ variants: [variant('v', { position: null })] })).not.toHaveProperty('variants[0].position');
  expect([fixed({ name: null }), fixed({ tags: [null] })]).toEqual([null, null]);
  expect(said({ description: null })).toBe('description is null, not a string. Send a string, or leave the field out.');
  expect(said({ name: null })).toBe('name is null, not a string. Send a string.');
});

test('the fixed copy puts a text in a list only if it is certainly one entry', () => {
  expect(fixed({ tags: 'summer sale' })).toMatchObject({ tags: ['summer sale'] });
  expect([fixed({ tags: 'red, blue' }), fixed({ categories: 'Shirts|Sale' })]).toEqual([null, null]);
  expect(said({ tags: 'red, blue' })).toBe(
    'tags is a string, not a list. Send a list with each entry in double quotes: ["…", "…"].',
  );
});

test.each([
  ['"erpId":9007199254740993', '"erpId":9007199254740993'],
  ['"rate":1.10, "1":1e400', '"rate":1.10, "1":1e400'],
  ['"brand":"a","brand":"b"', '"brand":"a","brand":"b"'],
  ['"brand":"\\u00e9 \\/"', '"brand":"\\u00e9 \\/"'],
  ['"description": null,"tags":["a"]', '"tags":["a"]'],
  ['"tags":["a"], "brand":null', '"tags":["a"]'],
  ['"description":null,"brand":null,"description":null', ''],
  ['"tags":"a"', '"tags":["a"]'],
  [
    '"images":{"src":"https://x.example/a","erpId":9007199254740993}',
    '"images":[{"src":"https://x.example/a","erpId":9007199254740993}]',
  ],
  ['"brand":"x","brand":5', '"brand":"x","brand":"5"'],
])('the fixed copy changes nothing but the error in a line with %s', (sent, kept) => {
  const line = JSON.stringify(product('p', { name: 5 }));
  const start = line.slice(0, -1);
  const before = sent === '' ? '' : `,${sent}`;
  const after = kept === '' ? '' : `,${kept}`;
  expect(fixedText(`${start}${before}}`)).toBe(`${start.replace('"name":5', '"name":"5"')}${after}}`);
});

test('the fixed copy leaves out also the first field of an object, and the only one', () => {
  const line = JSON.stringify(product('p'));
  expect(fixedText(line.replace('{', '{ "brand":null , '))).toBe(line.replace('{', '{ '));
  expect(fixedText(line.replace('"prices":[{', '"prices":[{"compareAtPrice":null,'))).toBe(line);
  const images = (inner: string) => line.replace('"id"', `"images":[{"src":"https://x.example/a",${inner}}],"id"`);
  expect(fixedText(images('"width":null,"alt":null,"height":null'))).toBe(images('').replace(',}', '}'));
});

test.each([
  [{ attributes: { colour: 'blue' } }, 'Send a list of objects with name, value: [{ "name": …, "value": … }].'],
  [{ images: 'https://shop.example/a.png' }, 'Send a list of objects with src: [{ "src": … }].'],
  [{ tags: { blue: true } }, 'Send a list with each entry in double quotes: ["…", "…"].'],
  [{ tags: 5 }, 'Send a list with each entry in double quotes: ["…", "…"].'],
])('what is not one entry of a list is not put into one: %j', (changes, says) => {
  expect(said(changes)).toContain(says);
  expect(fixed(changes)).toBeNull();
});

test('an object that is one entry of a list is put into one', () => {
  const attribute = { name: 'colour', value: 'blue' };
  expect(fixed({ attributes: attribute })).toMatchObject({ attributes: [attribute] });
  expect(said({ attributes: attribute })).toContain('Put it in a list: [ … ].');
});

test('all errors of a line are fixed that have a fix, however many, and beside others', () => {
  const many = Array.from({ length: 150 }, (_, at) => variant(`v${at}`, { inventoryQuantity: '3' }));
  expect(fixed({ variants: many })).toMatchObject({ variants: many.map(() => ({ inventoryQuantity: 3 })) });
  const line = JSON.stringify(product('p', { name: 5, brand: null, tags: 'x'.repeat(65), link: 'none' }));
  expect(fixLine(Buffer.from(`${line},`), checker)).toEqual({
    outcome: 'partly',
    text: line.replace('"name":5', '"name":"5"').replace(',"brand":null', ''),
    left: expect.arrayContaining(['/tags', '/link']),
  });
});

test('an error is fixed also where more than a hundred without a fix come before it', () => {
  const tags = Array.from({ length: 150 }, () => 'x'.repeat(65));
  const toLine = (inventoryQuantity: unknown): string =>
    JSON.stringify(product('p', { tags, variants: [variant('v', { inventoryQuantity })] }));
  expect(fixLine(Buffer.from(toLine('3')), checker)).toMatchObject({ outcome: 'partly', text: toLine(3) });
});

test('the comma after a product goes, also if what is left of its line has no fix', () => {
  const line = JSON.stringify(product('p', { tags: 5 }));
  expect(fixLine(Buffer.from(`${line},`), checker)).toEqual({ outcome: 'partly', text: line, left: ['/tags'] });
});

test('a line that is not UTF-8 keeps its bytes, also if a comma is after it', () => {
  const line = JSON.stringify(product('p', { brand: 'Café' }));
  expect(fixLine(Buffer.from(`${line},`, 'latin1'), checker)).toEqual({ outcome: 'left' });
});

test.each(['19.90', '19.999999999999999999', '0.00'])('the fixed copy keeps all digits of the amount %s', (amount) => {
  const line = JSON.stringify(product('p', priced({ currencyCode: 'USD', amount: 'AMOUNT' })));
  expect(fixedText(line.replace('"AMOUNT"', amount))).toBe(line.replace('AMOUNT', amount));
});
