import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { behaviours } from '../../emulator/control/rules/behaviours.ts';
import { deliverySettings } from '../../emulator/delivery/settings.ts';
import { catalogRules } from '../../emulator/features/catalog/check/rules.ts';
import { operationName } from '../../emulator/http/endpoint.ts';
import { lifecycleKinds } from '../../emulator/lifecycles.ts';
import { allRules } from '../../emulator/control/rules/rule-registry.ts';
import { formatDuration } from '../../emulator/time/duration.ts';
import { useSandbox } from '../support/sandbox.ts';
import { toAssumptionsPage } from '../tools/assumptions.ts';

const sandbox = useSandbox();

test('docs/assumptions.md matches the provenance tags; npm run docs updates it', () => {
  expect(readFileSync(new URL('../../docs/assumptions.md', import.meta.url), 'utf8')).toBe(
    toAssumptionsPage(sandbox.emulator),
  );
});

const page = readFileSync(new URL('../../docs/assumptions.md', import.meta.url), 'utf8');

test('the page has every operation, rule, move and behaviour that the specification does not state', () => {
  const moves = Object.values(lifecycleKinds).flatMap(({ table }) =>
    table.rows.map(({ from, event, to, source }) => ({
      shown: `| ${table.kind} | \`${from}\` | \`${event}\` | \`${to}\` |`,
      provenance: source.provenance,
    })),
  );
  const byId = [...allRules, ...catalogRules, ...behaviours].map(({ id, provenance }) => ({
    shown: `| \`${id}\` |`,
    provenance,
  }));
  const operations = sandbox.emulator.operations.map((one) => ({
    shown: `| \`${operationName(one)}\` | ${one.section} | ${one.provenance} |`,
    provenance: one.provenance,
  }));
  const missing = [...operations, ...moves, ...byId].filter(
    ({ shown, provenance }) => provenance !== 'documented' && !page.includes(shown),
  );
  expect(missing).toEqual([]);
});

test('the page says how long deliveries are tried, and when a webhook is disabled', () => {
  const { timeoutMs, retryDelaysMs, disableAfterMs } = deliverySettings;
  expect(page).toContain(`The waits between attempts are ${retryDelaysMs.map(formatDuration).join(', ')};`);
  expect(page).toContain(`A receiver has ${formatDuration(timeoutMs)},`);
  expect(page).toContain(`accepted nothing for ${formatDuration(disableAfterMs)} is disabled`);
});

test('every assumed behaviour says why', () => {
  expect(behaviours.filter(({ provenance, reason }) => provenance === 'assumed' && !reason)).toEqual([]);
});

test('the page says that 4 MB and 2 GB are read as powers of 1,024', () => {
  expect(page).toMatch(/`catalog\.line-too-long`.*4,194,304/);
  expect(page).toMatch(/`objects\.too-large`.*2,147,483,648/);
});
