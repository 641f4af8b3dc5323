import { expect, test } from 'vitest';
import {
  Attribute,
  Image,
  Price,
  Product,
  ProductOption,
  ProductOptionValue,
  Variant,
} from '../../emulator/features/catalog/check/product-schema.ts';
import { check, product, toFile, variant, type Json } from './support.ts';

const inVariant = (changes: Json): Json => ({ variants: [variant('v', changes)] });
const text = (length: number): string => 'x'.repeat(length);
const url = (length: number): string => `https://shop.example/${'x'.repeat(length - 21)}`;
const many = (count: number, make: (i: number) => unknown): unknown[] =>
  Array.from({ length: count }, (_, i) => make(i));
const option = (changes: Json): Json => ({ productOptions: [{ name: 'Size', position: 0, values: [], ...changes }] });
const anImage = (changes: Json = {}): Json => ({ src: 'https://shop.example/a.png', ...changes });
const anAttribute = (changes: Json = {}): Json => ({ name: 'a', value: 'b', ...changes });

/** Section 2.1: every limit, and how to build a product that reaches it. */
const limits: readonly (readonly [what: string, most: number, make: (n: number) => Json])[] = [
  ['product id', 256, (n) => ({ id: text(n) })],
  ['product name', 256, (n) => ({ name: text(n) })],
  ['description', 1024, (n) => ({ description: text(n) })],
  ['brand', 256, (n) => ({ brand: text(n) })],
  ['product link', 2048, (n) => ({ link: url(n) })],
  ['categories', 100, (n) => ({ categories: many(n, () => 'a') })],
  ['a category', 750, (n) => ({ categories: [text(n)] })],
  ['tags', 250, (n) => ({ tags: many(n, () => 'a') })],
  ['a tag', 64, (n) => ({ tags: [text(n)] })],
  ['product options', 25, (n) => ({ productOptions: many(n, () => ({ name: 'a', position: 0, values: [] })) })],
  ['values of an option', 200, (n) => option({ values: many(n, () => 'a') })],
  ['an option value', 256, (n) => option({ values: [text(n)] })],
  ['an option name', 256, (n) => option({ name: text(n) })],
  ['images', 250, (n) => ({ images: many(n, () => anImage()) })],
  ['alt of an image', 512, (n) => ({ images: [anImage({ alt: text(n) })] })],
  ['attributes', 100, (n) => ({ attributes: many(n, () => anAttribute()) })],
  ['an attribute name', 64, (n) => ({ attributes: [anAttribute({ name: text(n) })] })],
  ['an attribute value', 256, (n) => ({ attributes: [anAttribute({ value: text(n) })] })],
  ['variants', 200, (n) => ({ variants: many(n, (i) => variant(`v-${i}`)) })],
  ['collections', 50, (n) => ({ collections: many(n, () => 'a') })],
  ['variant id', 256, (n) => ({ variants: [variant(text(n))] })],
  ['variant name', 256, (n) => inVariant({ name: text(n) })],
  ['variant link', 2048, (n) => inVariant({ link: url(n) })],
  ['attributes of a variant', 100, (n) => inVariant({ attributes: many(n, () => anAttribute()) })],
];

test.each(limits)('%s: %i is allowed, one more is not', async (_what, most, make) => {
  expect((await check(toFile([product('p', make(most))]))).issues).toEqual([]);

  const over = await check(toFile([product('p', make(most + 1))]));
  expect(over.issueCount).toBe(1);
  expect(over.issues[0]?.errorType).toMatch(/field-length|items-limit/);
  expect(over.issues[0]?.errorMessage).toContain(`${(most + 1).toLocaleString('en-US')} `);
  expect(over.issues[0]?.errorMessage).toContain(`the limit is ${most.toLocaleString('en-US')}`);
});

test('every limit of the schema is in the table', () => {
  const found = JSON.stringify(Product).match(/"max(Length|Items)":\d+/g) ?? [];
  // Attributes are the same schema in a product and in a variant: so their name, value and number are there twice.
  expect(found).toHaveLength(limits.length + 2);
});

test('a character counts once, however many units and bytes it has', async () => {
  expect((await check(toFile([product('p', { name: '\u{1F600}'.repeat(256) })]))).issues).toEqual([]);
  const over = await check(toFile([product('p', { name: '\u{1F600}'.repeat(257) })]));
  expect(over.issues[0]?.errorMessage).toContain('257 characters, the limit is 256');
});

test('every field of the schema has its provenance', () => {
  for (const schema of [Product, Variant, ProductOption, ProductOptionValue, Attribute, Image, Price]) {
    for (const field of Object.values(schema.properties)) expect(field['x-provenance']).toBe('documented');
  }
});

test.each([4 * 1024 * 1024 - 1, 4 * 1024 * 1024])('a line of %i bytes is read', async (bytes) => {
  const bare = JSON.stringify(product('p', { more: '' })).length;
  const report = await check(`${JSON.stringify(product('p', { more: text(bytes - bare) }))}\n`);
  expect(report).toMatchObject({ goodLines: 1, issueCount: 0 });
});

test('a line of 4 MB and a byte is skipped, and the next one is read', async () => {
  const bare = JSON.stringify(product('p', { more: '' })).length;
  const report = await check(toFile([product('p', { more: text(4 * 1024 * 1024 + 1 - bare) }), product('q')]));
  expect(report).toMatchObject({ lines: 2, goodIds: ['q'], counts: { 'catalog.line-too-long': 1 } });
  expect(report.issues[0]?.errorMessage).toContain('4,194,305 bytes');
});

test('500,000 lines are all read', async () => {
  const report = await check(toFile([product('p')]) + '1\n'.repeat(499_999));
  expect(report).toMatchObject({ lines: 500_000, goodLines: 1, counts: { 'catalog.not-object': 499_999 } });
});
