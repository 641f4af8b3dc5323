import { afterAll, beforeAll, expect, test } from 'vitest';
import type { RefusalView } from '../../emulator/control/calls.ts';
import { applyFix } from './apply-fix.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

async function refusalOf(query: string, variables: object = {}): Promise<RefusalView> {
  const answer = await sandbox.call('POST', '/graphql', { json: { query, variables } });
  const { refusal } = await answer.exchange();
  if (!refusal) throw new Error(`It was not refused: ${answer.text}`);
  return refusal;
}

/** The query and the variables after the fix, and the rule that refuses them then; null if none does. */
async function fixed(query: string, { fix }: RefusalView) {
  const request = applyFix({ method: 'POST', path: '/graphql', json: { query } }, fix.edits);
  const { rule } = await sandbox.call('POST', '/graphql', request);
  return { ...(request.json as { readonly query: string; readonly variables?: object }), rule };
}

const inQuery = { in: 'body', at: '/query' };
const inVariables = (at: string) => ({ in: 'body', at: `/variables${at}` });

test('the fix for too many ids in the query itself keeps the query and its first ids', async () => {
  const withIds = (count: number) =>
    `{ nodes(ids: [${Array.from({ length: count }, (_, at) => `"${at}"`).join(', ')}]) { id } }`;
  const refusal = await refusalOf(withIds(101));
  expect(await fixed(withIds(101), refusal)).toEqual({ query: withIds(100), rule: null });
});

test('too many ids in the default of a variable are cut there, unless the variable was sent', async () => {
  const withIds = (count: number) =>
    `query ($ids: [ID!]! = [${Array.from({ length: count }, () => '"x"').join(' ')}]) { nodes(ids: $ids) { id } }`;
  const { place, facts, fix } = await refusalOf(withIds(101));
  expect([place, fix.edits]).toEqual([inQuery, [{ op: 'set', place: inQuery, value: withIds(100) }]]);
  expect(facts).toEqual({ count: 101, limit: 100, line: 1, column: withIds(1).indexOf('["x"') + 1 });
  const sent = await refusalOf(withIds(1), { ids: Array.from({ length: 101 }, () => 'x') });
  expect(sent.place).toEqual(inVariables('/ids'));
});

test('too many ids of which each is a variable are cut in the query', async () => {
  const withIds = (count: number) =>
    `query ($id: ID!) { nodes(ids: [${Array.from({ length: count }, () => '$id').join(' ')}]) { id } }`;
  const { place, fix } = await refusalOf(withIds(101), { id: 'x' });
  expect(place).toEqual({ in: 'body', at: '/query' });
  expect(fix.edits).toEqual([{ op: 'set', place, value: withIds(100) }]);
});

const createEvent = 'createCustomEvent(input: { type: "Visit", user: { email: "ada@example.com" } }) { type }';

test.each([
  [`{ ${createEvent} }`, `mutation { ${createEvent} }`],
  [`query Visit { ${createEvent} }`, `mutation Visit { ${createEvent} }`],
  ['mutation { viewer { __typename } }', 'query { viewer { __typename } }'],
])('a field of the other type of operation is sent in one: %s', async (query, mended) => {
  const refusal = await refusalOf(query);
  expect(refusal.fix.say).toMatch(/^The field is one of a (mutation|query): begin with "\1"\.$/);
  expect(await fixed(query, refusal)).toEqual({ query: mended, rule: null });
});

test.each([`{ viewer { __typename } ${createEvent} }`, '{ webhook }', '{ nothing }'])(
  'a query of which no type of operation has all fields stays as it is: %s',
  async (query) => {
    expect((await refusalOf(query)).fix.edits).toEqual([]);
  },
);

test('a query that is null is not left out, because it is required', async () => {
  const answer = await sandbox.call('POST', '/graphql', { json: { query: null } });
  const { refusal } = await answer.exchange();
  expect(refusal?.fix).toMatchObject({ say: expect.stringMatching(/^Send a value such as /), edits: [] });
});

const address = (selection: string) =>
  `mutation { unsubscribe(input: { user: { phone: "+15555550100" } }) { unsubscribeResults { destinationAddress { ${selection} } } } }`;

test.each([
  ['a field of the members of a union', address('value')],
  ['a name that is similar to a field with a required argument', '{ nope }'],
])('the query stays as it is where no name alone corrects it: %s', async (_what, query) => {
  expect(await refusalOf(query)).toMatchObject({ rule: 'graphql.validation', fix: { edits: [] } });
});

test.each([
  ['a field', '{ viewr { __typename } }', '{ viewer { __typename } }'],
  [
    'an enum value',
    address('__typename').replace('user:', 'subscriptions: [{ type: TYPE_MARKETNG, channel: CHANNEL_TEXT }], user:'),
    address('__typename').replace('user:', 'subscriptions: [{ type: TYPE_MARKETING, channel: CHANNEL_TEXT }], user:'),
  ],
  [
    'an enum value of REST',
    address('__typename').replace('user:', 'subscriptions: [{ type: TRANSACTIONAL, channel: CHANNEL_TEXT }], user:'),
    address('__typename').replace(
      'user:',
      'subscriptions: [{ type: TYPE_TRANSACTIONAL, channel: CHANNEL_TEXT }], user:',
    ),
  ],
  [
    'an enum value of REST in quotes',
    address('__typename').replace('user:', 'subscriptions: [{ type: "Marketing", channel: CHANNEL_TEXT }], user:'),
    address('__typename').replace('user:', 'subscriptions: [{ type: TYPE_MARKETING, channel: CHANNEL_TEXT }], user:'),
  ],
  [
    'a field that contains another mistake',
    '{ viewer { instaledApplication { idd } } }',
    '{ viewer { installedApplication { idd } } }',
  ],
])('a misspelt name is corrected in the query: %s', async (_what, query, corrected) => {
  expect((await fixed(query, await refusalOf(query))).query).toBe(corrected);
});

test.each([
  ['CreateCustomEventInput', 'CreateCustomEventInput!'],
  ['String!', 'CreateCustomEventInput!'],
  ['[CreateCustomEventInput!]!', 'CreateCustomEventInput!'],
])('a variable that is declared as %s is declared as %s by the fix', async (type, needed) => {
  const withType = (declared: string) => `mutation ($i: ${declared}) { createCustomEvent(input: $i) { type } }`;
  const refusal = await refusalOf(withType(type), { i: { type: 'x', user: { email: 'ada@example.com' } } });
  expect(refusal).toMatchObject({
    rule: 'graphql.validation',
    fix: { say: 'Declare $i: CreateCustomEventInput!.' },
  });
  expect((await fixed(withType(type), refusal)).query).toBe(withType(needed));
});

test('a variable at places of two types stays as it is declared', async () => {
  const query = 'query ($i: Int!) { node(id: $i) { id } a: __type(name: $i) { name } }';
  expect((await refusalOf(query, { i: 'x' })).fix.edits).toEqual([]);
});

const purchase = 'mutation ($i: SendProductPurchaseEventInput!) { productPurchaseEvent(input: $i) { occurredAt } }';
const withAmount = (amount: string) => ({
  i: {
    visitor: { email: 'ada@example.com' },
    products: [{ productId: 'a', productVariantId: 'b', productPrices: [{ amount }] }],
  },
});

test.each([
  ['$19,99', '19.99'],
  ['19.90 USD', '19.90'],
  ['19.90 EUR', null],
  ['19.90\u00a0$', '19.90'],
  ['€19.99', null],
  ['1,299.00', '1299.00'],
  ['1.299,00', '1299.00'],
  ['.5', '0.5'],
  ['5.', '5'],
  ['1e3', '1000'],
  ['1.25E1', '12.5'],
  ['1,299', null],
  ['-5', null],
  ['1 or 2', null],
  ['free', null],
])('the amount %j is meant as %j, and none is invented', async (amount, meant) => {
  const place = { in: 'body', at: '/variables/i/products/0/productPrices/0/amount' };
  expect(await refusalOf(purchase, withAmount(amount))).toMatchObject({
    rule: 'graphql.amount',
    place,
    fix: { edits: meant === null ? [] : [{ op: 'set', place, value: meant }] },
  });
});

test('an amount that no number can hold is refused as that', async () => {
  const { rule, message, fix } = await refusalOf(purchase, withAmount('9'.repeat(400)));
  expect([rule, fix.edits]).toEqual(['graphql.amount', []]);
  expect(message).toContain('is too large for a 64-bit floating-point number');
});

test('a visitor without an address is told of the two that a visitor can have', async () => {
  const { message } = await refusalOf(purchase, { i: { visitor: {} } });
  expect(message).toBe('The visitor has no identifier: give at least one of phone and email.');
});

const custom = 'mutation ($i: CreateCustomEventInput!) { createCustomEvent(input: $i) { type } }';
const subscribe = 'mutation ($i: SubscribeInput!) { subscribe(input: $i) { __typename } }';
const leave = 'mutation ($i: UnsubscribeInput!) { unsubscribe(input: $i) { __typename } }';
const webhook = 'mutation ($i: CreateWebhookInput!) { createWebhook(input: $i) { __typename } }';
const user = { email: 'ada@example.com' };
const rename = (from: string, to: string, value: unknown) => [
  { op: 'remove', place: inVariables(from) },
  { op: 'set', place: inVariables(to), value },
];

test.each([
  ['a misspelt field', subscribe, { i: { user, locle: {} } }, '/i/locle', rename('/i/locle', '/i/locale', {})],
  [
    'a misspelt field beside the right one',
    custom,
    { i: { user, typ: 'x', type: 't' } },
    '/i/typ',
    [{ op: 'remove', place: inVariables('/i/typ') }],
  ],
  [
    'a misspelt field beside the right one without a value',
    subscribe,
    { i: { user, locale: null, locle: {} } },
    '/i/locle',
    rename('/i/locle', '/i/locale', {}),
  ],
  [
    'a name with a slash',
    custom,
    { i: { user, type: 't', 'a/b': 1 } },
    '/i/a~1b',
    [{ op: 'remove', place: inVariables('/i/a~1b') }],
  ],
  [
    'an enum value',
    subscribe,
    { i: { user, type: 'TYPE_MARKETNG' } },
    '/i/type',
    [{ op: 'set', place: inVariables('/i/type'), value: 'TYPE_MARKETING' }],
  ],
  [
    'a type of REST',
    subscribe,
    { i: { user, type: 'MARKETING' } },
    '/i/type',
    [{ op: 'set', place: inVariables('/i/type'), value: 'TYPE_MARKETING' }],
  ],
  [
    'a type of REST that is similar to the value of the schema',
    subscribe,
    { i: { user, type: 'TRANSACTIONAL' } },
    '/i/type',
    [{ op: 'set', place: inVariables('/i/type'), value: 'TYPE_TRANSACTIONAL' }],
  ],
  [
    'a channel of REST',
    leave,
    { i: { user, subscriptions: [{ type: 'TYPE_MARKETING', channel: 'text' }] } },
    '/i/subscriptions/0/channel',
    [{ op: 'set', place: inVariables('/i/subscriptions/0/channel'), value: 'CHANNEL_TEXT' }],
  ],
  ['a type of neither', subscribe, { i: { user, type: 'NEWS' } }, '/i/type', []],
  [
    'a number for a text',
    custom,
    { i: { user, type: 7 } },
    '/i/type',
    [{ op: 'set', place: inVariables('/i/type'), value: '7' }],
  ],
  [
    'a text for true',
    subscribe,
    { i: { user, singleOptIn: 'true' } },
    '/i/singleOptIn',
    [{ op: 'set', place: inVariables('/i/singleOptIn'), value: true }],
  ],
  [
    'seconds for a time',
    custom,
    { i: { user, type: 't', occurredAt: 1_795_898_955 } },
    '/i/occurredAt',
    [{ op: 'set', place: inVariables('/i/occurredAt'), value: '2026-11-28T20:49:15.000Z' }],
  ],
  [
    'a text for a whole number',
    purchase,
    { i: { visitor: user, products: [{ productId: 'a', productVariantId: 'b', quantity: '2.0' }] } },
    '/i/products/0/quantity',
    [{ op: 'set', place: inVariables('/i/products/0/quantity'), value: 2 }],
  ],
  [
    'a null in a list',
    webhook,
    { i: { url: 'http://localhost:3000/a', events: ['sms.sent', null] } },
    '/i/events/1',
    [{ op: 'remove', place: inVariables('/i/events/1') }],
  ],
  [
    'a number whose meaning is not clear',
    purchase,
    { i: { visitor: user, products: [{ productId: 'a', productVariantId: 'b', quantity: 1.5 }] } },
    '/i/products/0/quantity',
    [],
  ],
])('variables that do not fit are named by their place: %s', async (_what, query, variables, at, edits) => {
  const refusal = await refusalOf(query, variables);
  expect(refusal).toMatchObject({ rule: 'graphql.variables', place: inVariables(at), fix: { edits } });
});

test.each([
  ['a field', custom, { i: { user } }, '/i/type', 'Send the field type (String!).'],
  ['a field of a nested object', custom, { i: { type: 't' } }, '/i/user', 'Send the field user (EventUserInput!).'],
  ['the variable itself', custom, {}, '/i', 'Send the variable i (CreateCustomEventInput!).'],
])('what variables lack is named: %s', async (_what, query, variables, at, say) => {
  const refusal = await refusalOf(query, variables);
  expect(refusal).toMatchObject({ rule: 'graphql.variables', place: inVariables(at), value: null, fix: { say } });
});

test.each([
  ['of the input', 'mutation ($i: CreateCustomEventInput = { type: "t", user: { phone: "(555) 555-0142" } })', '$i'],
  ['of a part', 'mutation ($u: EventUserInput = { phone: "(555) 555-0142" })', '{ type: "t", user: $u }'],
  ['of a value', 'mutation ($p: String = "(555) 555-0142")', '{ type: "t", user: { phone: $p } }'],
])(
  'what is refused of a default %s is in the query, and the edit changes the default alone',
  async (_what, head, input) => {
    const query = `${head} { createCustomEvent(input: ${input}) { type } }`;
    const fixedQuery = query.replace('(555) 555-0142', '+15555550142');
    expect(await refusalOf(query)).toMatchObject({
      rule: 'user.phone-e164',
      place: inQuery,
      value: query,
      facts: { line: 1, column: query.indexOf('"(555)') + 1 },
      fix: {
        say: 'If this is a number of the US or Canada, send "+15555550142".',
        edits: [{ op: 'set', place: inQuery, value: fixedQuery }],
      },
    });
  },
);

test('what is refused of a variable with a default that was sent is at the variable', async () => {
  const query =
    'mutation ($u: EventUserInput = { phone: "+15555550142" }) { createCustomEvent(input: { type: "t", user: $u }) { type } }';
  const place = inVariables('/u/phone');
  const edits = [{ op: 'set', place, value: '+15555550143' }];
  expect(await refusalOf(query, { u: { phone: '(555) 555-0143' } })).toMatchObject({ place, fix: { edits } });
});

test.each([
  ['{"__proto__": "Ferrari", "year": 2022}', '{"proto":"Ferrari","year":2022}'],
  [
    '{"cars": [{"__proto__": {"maker": "Ferrari"}, "proto": 1}]}',
    '{"cars":[{"proto 2":{"maker":"Ferrari"},"proto":1}]}',
  ],
  ['{"maker": "Ferrari",}', null],
  ['["Ferrari"]', null],
])('the fix of the properties %s is %s, and loses no value', async (properties, mended) => {
  const place = inVariables('/i/properties');
  const refusal = await refusalOf(custom, { i: { user, type: 'Race', properties } });
  const edits = mended === null ? [] : [{ op: 'set', place, value: mended }];
  expect(refusal).toMatchObject({ rule: 'graphql.properties-json', place, fix: { edits } });
});
