import { expect, test } from 'vitest';
import { createLineAcceptor } from '../../emulator/features/catalog/check/accept/accept-line.ts';
import { generateReader } from '../../emulator/features/catalog/check/accept/generate.ts';
import { compareMutated } from './mutated-lines.ts';
import { fullProduct, product } from './support.ts';

const accepts = (line: unknown): boolean =>
  createLineAcceptor().accepts(Buffer.from(typeof line === 'string' ? line : JSON.stringify(line)));

test('of 25,000 changed lines none is taken that the full check refuses, and most of the good ones are', () => {
  const { wrong, accepted, goodShare } = compareMutated(25_000, 1);
  expect(wrong).toEqual([]);
  expect(accepted).toBeGreaterThan(1_250);
  expect(goodShare).toBeGreaterThan(0.6);
});

test('good lines are taken with white space, escapes, unknown fields and other letters', () => {
  const lines = [
    fullProduct('p'),
    JSON.stringify(fullProduct('p'), null, 1).replaceAll('\n', '\t'),
    product('p', { name: 'Caf\u00e9 \u{1F600}', more: [null, { deep: [-1.5e-3] }] }),
    JSON.stringify(product('p')).replace('Shirt', String.raw`S\u00e9\/\"hirt`),
  ];
  expect(lines.map(accepts)).toEqual([true, true, true, true]);
});

test('what only the full check can decide is left to it', () => {
  const text = JSON.stringify(product('p'));
  const lines = [
    product('é'),
    text.replace('{', '{"id":"first",'),
    text.replace('"id"', String.raw`"\u0069d"`),
    text.replace('"inventoryQuantity":3', '"inventoryQuantity":3.0'),
    text.replaceAll('2026-01-31T09:30:00Z', '2026-01-31T09:30:00+00:00'),
    `${text},`,
    text.slice(0, -1),
    '',
  ];
  expect(lines.map(accepts)).toEqual(lines.map(() => false));
});

test('a schema with a keyword that the generator does not know is refused', () => {
  const schema = { type: 'object', properties: { id: { type: 'string', pattern: '^a' } } };
  expect(() => generateReader(schema, {})).toThrow('The schema uses pattern at /id, which is not generated.');
});
