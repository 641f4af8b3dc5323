import { expect, test } from 'vitest';
import { brokenAt, toJsonLines, unlessTooDeep } from '../../renderer/http-text/json-lines.ts';

test('a text that is nested too deeply for the stack is not laid out', () => {
  const deep = `${'['.repeat(100_000)}1`;
  expect([toJsonLines(deep), brokenAt(deep)]).toEqual([null, null]);
});

test('what a full stack is called in Firefox is too deep, too, and another error is not', () => {
  const fail = (name: string) => () => {
    throw Object.assign(new Error('too much recursion'), { name });
  };
  expect(unlessTooDeep(fail('InternalError'), 'instead')).toBe('instead');
  expect(() => unlessTooDeep(fail('TypeError'), 'instead')).toThrow('too much recursion');
});
