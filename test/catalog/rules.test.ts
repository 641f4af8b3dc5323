import { expect, test } from 'vitest';
import { catalogRules, type CatalogRuleId } from '../../emulator/features/catalog/check/rules.ts';
import { check, fullProduct, product, toFile, variant, type Json } from './support.ts';

type Content = string | Buffer;

interface Case {
  readonly rule: CatalogRuleId;
  readonly bad: Content;
  readonly fixed: Content;
  /** Text that the message must contain: the value, the limit or the fix. */
  readonly says: string;
  readonly pointer: string;
  readonly lineNum?: number;
  /** What else is in the report, if other lines are in error, too. */
  readonly also?: Json;
}

const line = (changes: Json): string => toFile([product('p', changes)]);
const variantLine = (changes: Json): string => line({ variants: [variant('v', changes)] });
const priceLine = (changes: Json): string =>
  variantLine({ prices: [{ currencyCode: 'USD', amount: '1', ...changes }] });
const imageLine = (changes: Json): string => line({ images: [{ src: 'https://shop.example/a.png', ...changes }] });
const without = (field: string): string => toFile([{ ...product('p'), [field]: undefined }]);
const longText = 'x'.repeat(4 * 1024 * 1024);
const good = toFile([product('p')]);

const cases: readonly Case[] = [
  {
    rule: 'catalog.not-utf8',
    bad: Buffer.from(line({ name: 'caf\u00e9' }), 'latin1'),
    fixed: line({ name: 'caf\u00e9' }),
    says: '0xE9',
    pointer: '',
  },
  {
    rule: 'catalog.line-too-long',
    bad: line({ more: longText }),
    fixed: line({ more: longText.slice(1000) }),
    says: '4,194,304',
    pointer: '',
  },
  {
    rule: 'catalog.too-many-lines',
    bad: good + '1\n'.repeat(500_000),
    fixed: good,
    says: '500,000',
    pointer: '',
    lineNum: 500_001,
    also: { issueCount: 500_000, goodLines: 0, good: '' },
  },
  { rule: 'catalog.empty-file', bad: '', fixed: good, says: 'no product', pointer: '', lineNum: 0 },
  { rule: 'catalog.blank-line', bad: `\n${good}`, fixed: good, says: 'Delete', pointer: '' },
  { rule: 'catalog.not-json', bad: good.replace('","', '" "'), fixed: good, says: 'character 11', pointer: '' },
  { rule: 'catalog.not-object', bad: toFile([[product('p')]]), fixed: good, says: 'a list', pointer: '' },
  {
    rule: 'catalog.field-required',
    bad: without('name'),
    fixed: line({ name: 'Shirt' }),
    says: 'name is missing',
    pointer: '/name',
  },
  {
    rule: 'catalog.field-required',
    bad: variantLine({ prices: undefined }),
    fixed: variantLine({ prices: [{ currencyCode: 'USD', amount: '1' }] }),
    says: 'prices is missing in variants[0]',
    pointer: '/variants/0/prices',
  },
  {
    rule: 'catalog.field-required',
    bad: imageLine({ src: undefined }),
    fixed: imageLine({}),
    says: 'src',
    pointer: '/images/0/src',
  },
  { rule: 'catalog.field-type', bad: line({ name: 12 }), fixed: line({ name: '12' }), says: '"12"', pointer: '/name' },
  {
    rule: 'catalog.field-type',
    bad: line({ brand: null }),
    fixed: line({ brand: undefined }),
    says: 'leave the field out',
    pointer: '/brand',
  },
  {
    rule: 'catalog.field-type',
    bad: line({ tags: 'blue' }),
    fixed: line({ tags: ['blue'] }),
    says: 'list',
    pointer: '/tags',
  },
  {
    rule: 'catalog.field-type',
    bad: variantLine({ inventoryQuantity: '3' }),
    fixed: variantLine({ inventoryQuantity: 3 }),
    says: 'Write 3 without quotes',
    pointer: '/variants/0/inventoryQuantity',
  },
  {
    rule: 'catalog.field-type',
    bad: variantLine({ inventoryQuantity: 1.5 }),
    fixed: variantLine({ inventoryQuantity: -1 }),
    says: 'an integer',
    pointer: '/variants/0/inventoryQuantity',
  },
  {
    rule: 'catalog.field-type',
    bad: variantLine({ availableForPurchase: 'true' }),
    fixed: variantLine({ availableForPurchase: true }),
    says: 'Write true without quotes',
    pointer: '/variants/0/availableForPurchase',
  },
  {
    rule: 'catalog.field-type',
    bad: priceLine({ amount: 12.5 }),
    fixed: priceLine({ amount: '12.5' }),
    says: '"12.5"',
    pointer: '/variants/0/prices/0/amount',
  },
  {
    rule: 'catalog.field-length',
    bad: line({ name: 'x'.repeat(257) }),
    fixed: line({ name: 'x'.repeat(256) }),
    says: '257 characters, the limit is 256',
    pointer: '/name',
  },
  {
    rule: 'catalog.field-empty',
    bad: line({ id: '' }),
    fixed: line({ id: 'a' }),
    says: 'Give it an id',
    pointer: '/id',
  },
  {
    rule: 'catalog.field-range',
    bad: variantLine({ position: -1 }),
    fixed: variantLine({ position: 0 }),
    says: 'Write 0 or more',
    pointer: '/variants/0/position',
  },
  { rule: 'catalog.items-limit', bad: line({ variants: [] }), fixed: good, says: 'Add one', pointer: '/variants' },
  {
    rule: 'catalog.items-limit',
    bad: line({ collections: Array(51).fill('a') }),
    fixed: line({ collections: Array(50).fill('a') }),
    says: '51 entries, the limit is 50',
    pointer: '/collections',
  },
  {
    rule: 'catalog.url',
    bad: line({ link: 'shop.example/a' }),
    fixed: line({ link: 'https://shop.example/a' }),
    says: 'Write https://shop.example/a.',
    pointer: '/link',
  },
  {
    rule: 'catalog.url',
    bad: imageLine({ src: 'ftp://shop.example/a.png' }),
    fixed: imageLine({ src: 'HTTP://shop.example/a.png' }),
    says: 'not an http or https URL',
    pointer: '/images/0/src',
  },
  {
    rule: 'catalog.url',
    bad: line({ link: 'https://shop.example/a b' }),
    fixed: line({ link: 'https://shop.example/a%20b' }),
    says: '%20',
    pointer: '/link',
  },
  {
    rule: 'catalog.timestamp',
    bad: line({ lastUpdated: '2026-01-31T09:30:00+02:00' }),
    fixed: line({ lastUpdated: '2026-01-31T07:30:00.000Z' }),
    says: '2026-01-31T07:30:00.000Z',
    pointer: '/lastUpdated',
  },
  {
    rule: 'catalog.timestamp',
    bad: line({ lastUpdated: '2026-01-31T09:30:00' }),
    fixed: line({ lastUpdated: '2026-01-31T09:30:00.000Z' }),
    says: 'write 2026-01-31T09:30:00.000Z',
    pointer: '/lastUpdated',
  },
  {
    rule: 'catalog.timestamp',
    bad: variantLine({ lastUpdated: '2026-02-29T00:00:00Z' }),
    fixed: variantLine({ lastUpdated: '2028-02-29T00:00:00+0000' }),
    says: 'ISO 8601',
    pointer: '/variants/0/lastUpdated',
  },
  {
    rule: 'catalog.timestamp',
    bad: line({ lastUpdated: 'yesterday' }),
    fixed: line({ lastUpdated: '2026-01-30T24:00:00Z'.replace('24', '23') }),
    says: '2026-01-31T09:30:00Z',
    pointer: '/lastUpdated',
  },
  {
    rule: 'catalog.currency',
    bad: priceLine({ currencyCode: 'usd' }),
    fixed: priceLine({ currencyCode: 'USD' }),
    says: 'Write USD',
    pointer: '/variants/0/prices/0/currencyCode',
  },
  {
    rule: 'catalog.currency',
    bad: priceLine({ currencyCode: 'DEM' }),
    fixed: priceLine({ currencyCode: 'EUR' }),
    says: 'ISO 4217',
    pointer: '/variants/0/prices/0/currencyCode',
  },
  {
    rule: 'catalog.amount',
    bad: priceLine({ amount: '$12.50' }),
    fixed: priceLine({ amount: '12.50' }),
    says: 'Write "12.50"',
    pointer: '/variants/0/prices/0/amount',
  },
  {
    rule: 'catalog.amount',
    bad: priceLine({ compareAtPrice: '1.234,50' }),
    fixed: priceLine({ compareAtPrice: '1234.50' }),
    says: 'a point before the decimals',
    pointer: '/variants/0/prices/0/compareAtPrice',
  },
  {
    rule: 'catalog.image-variant',
    bad: imageLine({ variantIds: ['other'] }),
    fixed: imageLine({ variantIds: ['p-1'] }),
    says: 'such as "p-1"',
    pointer: '/images/0/variantIds/0',
  },
  {
    rule: 'catalog.duplicate-product',
    bad: toFile([product('p'), product('q'), product('p')]),
    fixed: toFile([product('p'), product('q')]),
    says: 'line 1',
    pointer: '/id',
    lineNum: 3,
  },
  {
    rule: 'catalog.duplicate-variant',
    bad: toFile([product('q'), product('p', { variants: [variant('a'), variant('q-1')] })]),
    fixed: toFile([product('q'), product('p', { variants: [variant('a'), variant('b')] })]),
    says: 'line 1 as variants[0]',
    pointer: '/variants/1/id',
    lineNum: 2,
  },
  {
    rule: 'catalog.duplicate-variant',
    bad: line({ variants: [variant('a'), variant('a')] }),
    fixed: line({ variants: [variant('a'), variant('b')] }),
    says: 'variants[0] of this product',
    pointer: '/variants/1/id',
  },
];

test.each(cases)(
  '$rule at $pointer is reported, and its fix passes ($says)',
  async ({ rule, bad, fixed, says, pointer, lineNum = 1, also = {} }) => {
    const report = await check(bad);
    const told = report.issues.find((issue) => issue.errorType === rule);
    expect(told).toMatchObject({ lineNum, pointer });
    expect(told?.errorMessage).toContain(says);
    expect(report.counts[rule]).toBe(1);
    expect(report).toMatchObject({ issueCount: 1, ...also });

    const again = await check(fixed);
    expect(again.issues).toEqual([]);
    expect(again.goodLines).toBe(again.lines);
  },
);

test('every rule has a line that breaks it and a sentence that fixes it', () => {
  expect(new Set(cases.map(({ rule }) => rule))).toEqual(new Set(catalogRules.map(({ id }) => id)));
  for (const rule of catalogRules) {
    expect(rule.says).toMatch(/^[A-Z].*\.$/);
    expect(rule.fix).toMatch(/^[A-Z].*\.$/);
  }
});

test('a product with every field of section 2.1 is good', async () => {
  expect(await check(toFile([fullProduct('a'), fullProduct('b')]))).toMatchObject({
    lines: 2,
    goodLines: 2,
    issueCount: 0,
    issues: [],
    counts: {},
  });
});

test('fields the specification does not name are accepted', async () => {
  const content = toFile([product('p', { vendor: { x: [1] }, variants: [variant('v', { weight: 12 })] })]);
  const report = await check(content);
  expect(report.issues).toEqual([]);
  expect(report.good).toBe(content);
});

test.for([
  ['name', line({ name: '' })],
  ['variants[0].name', variantLine({ name: '' })],
  ['variants[0].prices', variantLine({ prices: [] })],
  ['attributes[0].name', line({ attributes: [{ name: '', value: 'blue' }] })],
] as const)('%s is required, so it is not empty', async ([path, bad]) => {
  const { issues } = await check(bad);
  expect(issues).toMatchObject([{ errorType: 'catalog.field-empty', errorMessage: expect.stringContaining(path) }]);
});
