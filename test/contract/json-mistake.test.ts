import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonMistake } from '../../emulator/contract/json-mistake.ts';
import { atOnce } from '../../emulator/time/slices.ts';

const faults: readonly (readonly [text: string, index: number, expected: string])[] = [
  ['{"a":1 "b":2}', 7, 'comma'],
  ['{"a" 1}', 5, 'colon'],
  ['{a:1}', 1, 'field name'],
  ['{"a":1,}', 7, 'field name'],
  ['[1,]', 3, 'value'],
  ['[1', 2, 'comma or the closing bracket'],
  ['{"a":tru}', 5, 'value'],
  ['{"a":1}}', 7, 'the end'],
  ['{"a":1}{"b":2}', 7, 'the end'],
  ['"abc', 4, 'closing double quote'],
  ['"a\\x"', 2, 'escape'],
  ['"a\tb"', 2, 'control character'],
  ["{'a':1}", 1, 'field name'],
  ['01', 1, 'the end'],
  ['', 0, 'value'],
];

test.each(faults)('the error in %j is at %i', (text, index, expected) => {
  expect(atOnce(findJsonMistake(text))).toMatchObject({ index, expected: expect.stringContaining(expected) });
});

test('line and column of an error are where an editor shows it', () => {
  expect(atOnce(findJsonMistake('{"a": 1,\n\r\n  "é": tru}'))).toMatchObject({ index: 18, line: 3, column: 8 });
});

test('an error is found exactly where JSON.parse rejects', () => {
  const pieces = fc.constantFrom(
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    '"a"',
    '1',
    '-',
    '.5',
    'e3',
    'null',
    ' ',
    '\\',
    '\\n',
    '\t',
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 9 }), (parts) => {
      const text = parts.join('');
      let isJson = true;
      try {
        JSON.parse(text);
      } catch {
        isJson = false;
      }
      expect(atOnce(findJsonMistake(text)) === null).toBe(isJson);
    }),
    { numRuns: 3000 },
  );
});

test('millions of open brackets and a string of millions are parsed without a stack overflow', () => {
  expect(atOnce(findJsonMistake('['.repeat(2_000_000)))).toMatchObject({ index: 2_000_000 });
  expect(atOnce(findJsonMistake(`"${'x'.repeat(4_000_000)}`))).toMatchObject({ index: 4_000_001 });
});
