import { expect, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';
import { fuzz } from './fuzz.ts';

const sandbox = useSandbox();

test('whatever is sent: replies fit, refusals change nothing and say why, their fixes help, and undo takes back all', async () => {
  expect(await fuzz(sandbox.emulator, { count: 200, seed: 1 })).toEqual([]);
});
