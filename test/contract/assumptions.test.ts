import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';
import { toAssumptionsPage } from '../tools/assumptions.ts';

const sandbox = useSandbox();

test('docs/assumptions.md says what the provenance tags say; npm run docs writes it anew', () => {
  expect(readFileSync(new URL('../../docs/assumptions.md', import.meta.url), 'utf8')).toBe(
    toAssumptionsPage(sandbox.emulator),
  );
});
