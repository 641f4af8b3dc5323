import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { behaviours } from '../../emulator/control/rules/behaviours.ts';
import { catalogRules } from '../../emulator/features/catalog/check/rules.ts';
import { lifecycleKinds } from '../../emulator/lifecycles.ts';
import { allRules } from '../../emulator/control/rules/rule-registry.ts';
import { operationName } from '../../emulator/http/endpoint.ts';
import { useSandbox } from '../support/sandbox.ts';
import counts from './specification-sections.json' with { type: 'json' };

const sandbox = useSandbox();

/** Every place of the specification that can be cited: its sections, and below them the numbered rules and notes. */
const places = new Set(
  Object.entries(counts).flatMap(([section, count]) => [
    ...(section.endsWith('note') ? [] : [section]),
    ...Array.from({ length: count }, (_, at) => `${section}${section.endsWith('note') ? ' ' : ', '}${at + 1}`),
  ]),
);

const sections = 'Cite a section that is in test/contract/specification-sections.json, with the number of its note.';

const lifecycleRows = Object.values(lifecycleKinds).flatMap(({ table }) =>
  table.rows.map(({ from, event, source }) => ({ id: `${table.kind} ${from} ${event}`, ...source })),
);

/** Everything that has a tag and a section of its own. */
const tagged = () => [
  ...allRules,
  ...catalogRules,
  ...lifecycleRows,
  ...behaviours.map((one) => ({ ...one, section: one.source })),
  ...sandbox.emulator.operations.map((one) => ({ id: operationName(one), ...one })),
];

test('everything tagged documented names a section of the specification, and a note if it has notes', () => {
  const wrong = tagged()
    .filter(({ provenance, section }) => provenance === 'documented' && !places.has(section))
    .map(({ id, section }) => `${id}: ${section}`);
  expect(wrong, `${sections} If none of them states it, it is not documented.`).toEqual([]);
});

test('everything else with a tag names a section, a topic of docs/platform.md, or that it belongs only to the sandbox', () => {
  const page = readFileSync(new URL('../../docs/platform.md', import.meta.url), 'utf8');
  const topics = [...page.matchAll(/^## (.+)$/gm)].map(([, topic = '']) => `docs/platform.md, ${topic}`);
  const known = new Set([...places, ...topics, 'sandbox', 'control API']);
  const wrong = tagged()
    .filter(({ section }) => !known.has(section))
    .map(({ id, section }) => `${id}: ${section}`);
  expect(
    wrong,
    `${sections} Else cite a topic of docs/platform.md ("docs/platform.md, Webhooks"), or "sandbox".`,
  ).toEqual([]);
});

test.each([
  ['offers.unknown', 'Offers', '404 is for an\n  offer that does not exist. (assumed)', 'assumed'],
  ['subscriptions.locale-object', 'Subscriptions', 'A `locale` as text is refused. (assumed)', 'assumed'],
  ['user.no-identifier', 'Users in events', 'one. (observed)', 'observed'],
  ['graphql.currencies', 'GraphQL', 'show only five of them.\n  (observed)', 'observed'],
])('%s has the tag that docs/platform.md gives it', (id, topic, sentence, provenance) => {
  const page = readFileSync(new URL('../../docs/platform.md', import.meta.url), 'utf8');
  const part = page.split('\n## ').find((one) => one.startsWith(`${topic}\n`));
  expect(part).toContain(sentence);
  expect(tagged().find((one) => one.id === id)?.provenance).toBe(provenance);
});
