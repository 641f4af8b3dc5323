import { expect, onTestFinished, test } from 'vitest';
import { createRandom } from '../../emulator/random.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';
import { act } from '../support/world.ts';
import { createInputs } from './inputs.ts';
import { mutations } from './mutations.ts';
import { restOf } from './rest-of.ts';
import { isPlain, recordedOf, recordsOf, send, type Request } from './send.ts';

/** Where the two differ on purpose; such an input is not sent. */
const differences: readonly {
  readonly reason: string;
  readonly mutation: RegExp;
  readonly isIn: (input: { readonly [name: string]: unknown }) => boolean;
}[] = [
  {
    reason: 'productPrices of a product is optional, while REST requires a price (docs/platform.md, GraphQL).',
    mutation: /^(?:productViewEvent|addToCartEvent|productPurchaseEvent)$/,
    isIn: ({ products }) =>
      Array.isArray(products) &&
      products.some((one) => !isPlain(one) || isEmpty(new Map(Object.entries(one)).get('productPrices'))),
  },
  {
    reason: 'The events of a webhook can be left out, and be empty (docs/platform.md, GraphQL).',
    mutation: /^(?:create|update)Webhook$/,
    isIn: ({ events }) => isEmpty(events),
  },
  {
    reason: 'An empty id is not part of a path of REST.',
    mutation: /^(?:update|delete)Webhook$/,
    isIn: ({ id }) => id === '',
  },
  {
    reason: 'null means left out in GraphQL, while REST takes it for some fields only (docs/platform.md).',
    mutation: /./,
    isIn: (input) => /[:[,]null[,}\]]/.test(JSON.stringify(input)),
  },
  {
    reason:
      'GraphQL answers with the id of an event, so an event without one gets one (emulator/features/graphql/mutations.ts).',
    mutation: /^createCustomEvent$/,
    isIn: ({ externalEventId }) => isEmpty(externalEventId),
  },
];

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

/** The words of GraphQL, and those of REST. */
const words = [
  [/\btype (?=TYPE_)/g, 'subscriptionType '],
  [/\bas unsubscribed before\b/g, 'as PREVIOUSLY_UNSUBSCRIBED'],
  [/\bproducts\b/g, 'items'],
  [/\bvisitor\b/g, 'user'],
  [/\bsignupSourceId\b/g, 'signUpSourceId'],
  [/\b(?:TYPE|CHANNEL)_/g, ''],
] as const;

/** Without what a start makes again, and by which request a thing was made. */
const comparable = (records: string): unknown =>
  JSON.parse(
    records
      .replaceAll(/"\d{4}-\d\d-\d\dT(?!12:00:00\.000Z)[\d:.]+Z"/g, '"another time"')
      .replaceAll(/"(?:requestId|what|signingKey)":"[^"]*"/g, '"made":""'),
  );

async function start(): Promise<Sandbox> {
  const sandbox = await startSandbox({ pace: 'manual', rateLimits: 'off' });
  onTestFinished(() => sandbox.close());
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  await act(sandbox, 'POST', '/control/clock', { set: '2026-12-01T12:00:00Z' });
  return sandbox;
}

async function outcomeOf({ emulator }: Sandbox, request: Request) {
  const { body } = await send(emulator, request);
  const { refusal, notes } = await recordedOf(emulator);
  const told = words.reduce((text, [graphql, rest]) => text.replaceAll(graphql, rest), notes.join('\n'));
  return { body, outcome: { rule: refusal?.rule ?? null, notes: told, records: comparable(recordsOf(emulator)) } };
}

test('what is sent by REST and by GraphQL meets the same rules and notes, and leaves the same records', async () => {
  const { pick, valueFor, remember } = createInputs(createRandom(4));
  const [rest, graphql] = await Promise.all([start(), start()]);
  const met = new Set<string | null>();
  for (let sent = 0; sent < 80; sent += 1) {
    const { name, body, toJson } = pick(mutations);
    const input = valueFor(body);
    if (isPlain(input) && differences.some(({ mutation, isIn }) => mutation.test(name) && isIn({ ...input }))) continue;
    const byGraphql = await outcomeOf(graphql, { method: 'POST', path: '/graphql', json: toJson(input) });
    met.add(byGraphql.outcome.rule);
    // Refused by the types of GraphQL, before any operation sees it.
    if (byGraphql.outcome.rule?.startsWith('graphql.')) continue;
    const byRest = await outcomeOf(rest, restOf(name, JSON.parse(JSON.stringify(input))));
    expect(byGraphql.outcome, `${name} ${JSON.stringify(input)}`).toEqual(byRest.outcome);
    remember(byRest.body);
  }
  expect(met.size).toBeGreaterThan(5);
});
