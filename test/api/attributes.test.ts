import { beforeEach, expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { useSandbox, type CallOptions } from '../support/sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

const user = { email: 'ada@example.com' };
const post = (properties: unknown, options: CallOptions = {}) =>
  sandbox.call('POST', '/attributes/custom', { json: { properties, user }, ...options });
const get = (query: Record<string, string> = user, options: CallOptions = {}) =>
  sandbox.call('GET', '/attributes/custom', { query, ...options });
const typeOf = (name: string) => sandbox.emulator.deps.store.attributeDefinitions.get(`${demoCompany}:${name}`)?.type;

test('attributes that were set can be read, as texts, by phone and by email', async () => {
  const set = await post({ age: '24', VIP: true, points: 32, 'favorite team': 'Minnesota Vikings' });
  expect([set.status, set.text]).toEqual([200, '']);
  const expected = [
    { name: 'age', value: '24' },
    { name: 'VIP', value: 'true' },
    { name: 'points', value: '32' },
    { name: 'favorite team', value: 'Minnesota Vikings' },
  ];
  expect((await get()).body).toEqual(expected);
  expect((await get({ phone: '+15555550100' })).body).toEqual(expected);
});

test('an existing value is replaced', async () => {
  await post({ age: 24 });
  await post({ age: 25 });
  expect((await get()).body).toEqual([{ name: 'age', value: '25' }]);
});

test('an unknown person is created, with the attribute', async () => {
  await post({}, { json: { properties: { age: 1 }, user: { phone: '+15555550199' } } });
  expect((await get({ phone: '+15555550199' })).body).toEqual([{ name: 'age', value: '1' }]);
});

test('a known user without attributes has an empty list, an unknown one is not found', async () => {
  expect((await get({ email: 'grace@example.com' })).body).toEqual([]);
  expect((await get({ email: 'nobody@example.com' })).status).toBe(404);
});

test.for([
  ['phone', '+15555550199'],
  ['email', 'jane@example.com'],
] as const)('an unknown user is named by the %s that was sent, and by its place', async ([name, sent]) => {
  const answer = await get({ [name]: sent });
  expect([answer.status, answer.body]).toEqual([
    404,
    { message: `The specified resource was not found: no user of this company has "${sent}".` },
  ]);
  expect((await answer.exchange()).refusal).toMatchObject({ place: { in: 'query', at: name }, value: sent });
});

test('a name that is too long is shown with its beginning, between quotes', async () => {
  expect((await post({ ['x'.repeat(201)]: 'y' })).body).toEqual({
    message: `The attribute name "${'x'.repeat(77)}"… has 201 characters; at most 200 are allowed.`,
  });
});

test('a name of backslashes that is too long is shown in whole JSON escapes', async () => {
  const { message } = (await post({ ['\\'.repeat(201)]: 'y' })).body as { message: string };
  expect(message).toBe(`The attribute name "${'\\\\'.repeat(38)}"… has 201 characters; at most 200 are allowed.`);
});

test('the list that a read answers with is not an input, and the fix is the object of its names and values', async () => {
  await post({ age: '24', 'favorite team': 'Minnesota Vikings' });
  const { body } = await get();
  const refused = await post(body);
  expect([refused.status, refused.rule]).toEqual([400, 'input.type']);
  const editsOf = async ({ exchange }: { exchange: typeof refused.exchange }) => (await exchange()).refusal?.fix.edits;
  const set = (value: object) => [{ op: 'set', place: { in: 'body', at: '/properties' }, value }];
  expect(await editsOf(refused)).toEqual(set({ age: '24', 'favorite team': 'Minnesota Vikings' }));
  expect(await editsOf(await post([{ name: 'age', value: 24 }]))).toEqual(set({ age: 24 }));
  expect(await editsOf(await post([{ age: 24 }]))).toEqual(set({ age: 24 }));
  const twice = [1, 2].map((value) => ({ name: 'age', value }));
  expect(await editsOf(await post(twice))).toEqual([]);
});

test('a text with white space around a number or a boolean is one, and is kept as it was sent', async () => {
  await post({ age: 24, vip: true });
  expect((await post({ age: ' 25 ', vip: ' false ' })).status).toBe(200);
  expect((await get()).body).toEqual([
    { name: 'age', value: ' 25 ' },
    { name: 'vip', value: ' false ' },
  ]);
});

test('a phone with a raw plus sign in the query is found', async () => {
  const answer = await sandbox.call('GET', '/attributes/custom?phone=+15555550100');
  expect(answer.status).toBe(200);
});

test.for([
  [24, 'number', '-2.5', 'old'],
  [50.89, 'number', '7', true],
  [0, 'number', '1e-3', '0x10'],
  [1, 'number', '+5', '5,0'],
  [true, 'boolean', 'FALSE', 'yes'],
  ['Minnesota Vikings', 'string', '49', 49],
  ['49', 'string', 'Minnesota Vikings', 49],
] as const)('the first value %j makes a %s, which takes %j and refuses %j', async ([first, type, later, clash]) => {
  await post({ key: first });
  expect(typeOf('key')).toBe(type);
  expect((await post({ key: later })).status).toBe(200);
  const refused = await post({ key: clash });
  expect([refused.status, refused.rule]).toEqual([400, 'attributes.type-clash']);
  expect((await get()).body).toEqual([{ name: 'key', value: String(later) }]);
});

test.for([
  ['02134', 'K1A 0B1'],
  ['TRUE', 'maybe'],
  ['1986-11-16', 'tomorrow'],
  ['24', 'old'],
] as const)('a text is text, whatever it looks like: %j, then %j', async ([first, later]) => {
  await post({ key: first });
  expect(typeOf('key')).toBe('string');
  expect((await post({ key: later })).status).toBe(200);
  expect((await get()).body).toEqual([{ name: 'key', value: later }]);
});

test('a conflict of types says where the type comes from', async () => {
  await sandbox.control('POST', '/control/attributes', { companyId: demoCompany, name: 'size', type: 'number' });
  expect((await post({ size: 'M' })).text).toContain('because that type was chosen in the UI');
  await post({ age: 24 });
  expect((await post({ age: 'old' })).text).toContain('because its first value was one');
});

test('a number that is too large is refused, and does not become a text', async () => {
  const raw = '{"properties":{"age":1e400},"user":{"email":"ada@example.com"}}';
  const headers = { 'content-type': 'application/json' };
  expect((await sandbox.call('POST', '/attributes/custom', { raw, headers })).rule).toBe('body.number');
  expect((await get()).body).toEqual([]);
});

test.for([
  ['as JSON text', JSON.stringify('{"age":-1e400}')],
  ['in a list', JSON.stringify('{"ages":[1,{"oldest":1e400}]}')],
  ['as an object in the query', '{age: 1e400}'],
])('a number that is too large is refused by GraphQL, too: %s', async ([, properties]) => {
  for (const [name, type] of [
    ['setCustomAttributes', ''],
    ['createCustomEvent', 'type: "Visit", '],
  ]) {
    const query = `mutation { ${name}(input: { ${type}user: { email: "ada@example.com" }, properties: ${properties} }) { __typename } }`;
    const answer = await sandbox.call('POST', '/graphql', { json: { query } });
    expect([answer.rule, answer.text]).toEqual([
      'graphql.properties-json',
      expect.stringContaining('too large for a 64-bit floating-point number') as string,
    ]);
  }
  expect((await get()).body).toEqual([]);
});

test('digits that a number loses are noted, by REST and by GraphQL; a text keeps all of them', async () => {
  const noted = 'The number 12345678901234567890 was read as 12345678901234567168';
  const raw =
    '{"properties":{"id":12345678901234567890,"text":"12345678901234567890","fits":9007199254740992},"user":{"email":"ada@example.com"}}';
  const headers = { 'content-type': 'application/json' };
  const { notes } = await (await sandbox.call('POST', '/attributes/custom', { raw, headers })).exchange();
  expect(notes).toEqual([expect.stringContaining(noted)]);
  const query = `mutation ($properties: JSON!) {
    setCustomAttributes(input: { user: { email: "ada@example.com" }, properties: $properties }) { __typename }
  }`;
  const variables = { properties: '{"id":12345678901234567890}' };
  const answer = await sandbox.call('POST', '/graphql', { json: { query, variables } });
  expect((await answer.exchange()).notes).toEqual([expect.stringContaining(noted)]);
});

test('digits that a number loses are noted in a body of any size, each number once and at most twenty', async () => {
  const properties = (count: number) =>
    Array.from({ length: count }, (_, at) => `"key ${at % 40_000}":${12345678901234567n + 2n * BigInt(at % 30)}`).join(
      ',',
    );
  const noted = async (raw: string) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await sandbox.call('POST', '/events/custom', { raw, headers });
    return (await answer.exchange()).notes.filter((note) => note.includes('digits'));
  };
  const event = (inner: string) => `{"type":"Visit","user":{"email":"ada@example.com"},"properties":{${inner}}}`;
  const filler = `"text":"${'x'.repeat(600_000)}"`;
  expect(await noted(event(`${filler},"order":12345678901234567`))).toEqual([
    expect.stringContaining('The number 12345678901234567 was read as 12345678901234568'),
  ]);
  const many = await noted(event(`${filler},${properties(200)}`));
  expect([many.length, many.at(-1)]).toEqual([21, 'More numbers lose digits; the first 20 are named.']);
  expect(await noted(event(`"text":"12345678901234567 ${'x'.repeat(600_000)}"`))).toEqual([]);
});

test('one refused attribute prevents the others from being set', async () => {
  const answer = await post({ size: 'M', 'favorite color': 'purple' });
  expect([answer.status, answer.rule]).toEqual([400, 'attributes.fixed-values']);
  expect(answer.text).toContain('green');
  expect((await get()).body).toEqual([]);
  expect(typeOf('size')).toBeUndefined();
});

test('an attribute with fixed values accepts each of them, and case counts', async () => {
  for (const value of ['blue', 'green', 'red']) expect((await post({ 'favorite color': value })).status).toBe(200);
  expect((await post({ 'favorite color': 'Blue' })).rule).toBe('attributes.fixed-values');
  expect((await get()).body).toEqual([{ name: 'favorite color', value: 'red' }]);
});

test('a value that is not among the fixed ones is shown as it was sent', async () => {
  const message = async (value: unknown) =>
    ((await post({ 'favorite color': value })).body as { message: string }).message;
  expect(await message(1)).toContain('not 1. Its');
  expect(await message('1')).toContain('not "1". Its');
});

test('a text of the UI without fixed values accepts any value, and a number of the UI does not', async () => {
  for (const [name, type] of [
    ['notes', 'string'],
    ['shoe size', 'number'],
  ])
    await sandbox.control('POST', '/control/attributes', { companyId: demoCompany, name, type });
  for (const value of ['large', 5, true]) {
    expect((await post({ notes: value })).status).toBe(200);
    expect((await get()).body).toEqual([{ name: 'notes', value: String(value) }]);
  }
  expect((await post({ 'shoe size': 'large' })).rule).toBe('attributes.type-clash');
});

test('a fixed set of values holds for its own company only', async () => {
  expect((await post({ 'favorite color': 'purple' }, { key: 'sandpiper-other-key' })).status).toBe(200);
  expect((await get(user, { key: 'sandpiper-other-key' })).body).toEqual([{ name: 'favorite color', value: 'purple' }]);
  expect((await get()).body).toEqual([]);
});

test('a name has at most 200 characters, not UTF-16 units', async () => {
  expect((await post({ ['🦜'.repeat(200)]: 'x' })).status).toBe(200);
  expect((await post({ ['🦜'.repeat(201)]: 'x' })).rule).toBe('attributes.name-length');
});

test('there is no limit on the number of attributes', async () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`attribute ${at}`, at]));
  expect((await post(many)).status).toBe(200);
  expect((await get()).body).toHaveLength(1_000);
});

test.for([
  ['a list', { sizes: ['M'] }, 'attributes.array-value'],
  ['an object', { size: {} }, 'attributes.object-value'],
  ['null', { size: null }, 'attributes.null-value'],
  ['no name', { '': 'x' }, 'attributes.name-empty'],
] as const)('%s is refused and nothing is set', async ([, properties, rule]) => {
  const answer = await post({ good: 'x', ...properties });
  expect([answer.status, answer.rule]).toEqual([400, rule]);
  expect((await get()).body).toEqual([]);
});

test.for([
  [{ phone: '+15555550100', email: 'ada@example.com' }, 400, 'attributes.one-identifier'],
  [{}, 400, 'attributes.no-identifier'],
  [{ phone: '5555550100' }, 400, 'input.format'],
] as const)('reading by %j is refused', async ([query, status, rule]) => {
  const answer = await get(query as Record<string, string>);
  expect([answer.status, answer.rule]).toEqual([status, rule]);
});

test('both methods need the scope attributes:write', async () => {
  const key = 'sandpiper-readonly-key';
  expect((await post({ age: 1 }, { key })).rule).toBe('auth.scope');
  expect((await get(user, { key })).rule).toBe('auth.scope');
  expect((await get()).body).toEqual([]);
});

test('constructor and prototype are names like any other in attributes and events', async () => {
  const json = { user: { email: 'ada@example.com' }, properties: { constructor: 'Ferrari', prototype: 'F40' } };
  expect((await sandbox.call('POST', '/attributes/custom', { json })).status).toBe(200);
  const { body } = await sandbox.call('GET', '/attributes/custom?email=ada@example.com');
  expect(body).toEqual(
    expect.arrayContaining([
      { name: 'constructor', value: 'Ferrari' },
      { name: 'prototype', value: 'F40' },
    ]),
  );
  expect((await sandbox.call('POST', '/events/custom', { json: { ...json, type: 'Race' } })).status).toBe(200);
  const properties = JSON.stringify(json.properties);
  const input = { type: 'Race 2', user: json.user, properties };
  const query = 'mutation ($input: CreateCustomEventInput!) { createCustomEvent(input: $input) { properties } }';
  expect((await sandbox.call('POST', '/graphql', { json: { query, variables: { input } } })).body).toMatchObject({
    data: { createCustomEvent: { properties } },
  });
  const sent = [...sandbox.emulator.deps.store.events.all()].slice(-2).map(({ body: kept }) => kept);
  for (const kept of sent) expect(kept).toMatchObject({ properties: json.properties });
});
