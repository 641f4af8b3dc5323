import { assert, dictionary, jsonValue, property, string } from 'fast-check';
import { expect, test } from 'vitest';
import { toJsonPieces } from '../../emulator/time/json-pieces.ts';

test('a value in pieces is what JSON.stringify writes', () => {
  assert(
    property(dictionary(string(), jsonValue()), (value) => {
      expect([...toJsonPieces(value)].join('')).toBe(JSON.stringify(value));
    }),
  );
  const odd = { left: undefined, list: [undefined, null, []], none: {}, deep: { a: { b: { c: [{}] } } } };
  expect([...toJsonPieces(odd)].join('')).toBe(JSON.stringify(odd));
});

test('a list of many is written in several pieces', () => {
  const value = { world: { subscribers: Array.from({ length: 20_000 }, (_one, n) => ({ id: `person ${n}`, n })) } };
  const pieces = [...toJsonPieces(value)];
  expect(pieces.length).toBeGreaterThan(2);
  expect(pieces.join('')).toBe(JSON.stringify(value));
});
