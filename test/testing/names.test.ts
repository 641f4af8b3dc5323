import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';
import { namesFile, toNamesText } from '../tools/names.ts';

const sandbox = useSandbox();

test('the operations and rules that the test library has types for are those of the emulator; npm run docs updates them', () => {
  expect(readFileSync(namesFile, 'utf8')).toBe(toNamesText(sandbox.emulator));
});
