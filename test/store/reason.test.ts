import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { reasonOf } from '../../emulator/errors.ts';

test.each([
  ['an error', new TypeError('The disk is full.')],
  [
    'an error of another realm, as those of Node are in a test of Jest',
    runInNewContext(`new Error('The disk is full.')`),
  ],
  ['a text', 'The disk is full.'],
])('the reason of a failure is a sentence, without the name of the error: %s', (_what, thrown) => {
  expect(reasonOf(thrown)).toBe('The disk is full.');
});

test('what is thrown without a message is said as it is', () => {
  expect([undefined, null, 7].map(reasonOf)).toEqual(['undefined', 'null', '7']);
});
