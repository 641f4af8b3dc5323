import { expect, test } from 'vitest';
import { meantWord } from '../../emulator/contract/meant.ts';
import type { RefusalView } from '../../emulator/control/calls.ts';
import { useSandbox } from '../support/sandbox.ts';
import { applyFix } from './apply-fix.ts';

const sandbox = useSandbox();

const zoe = 'zoe@example.com';
const zoePhone = '+15555550163';
const user = { email: zoe };
const properties = { a: 'b' };

async function refusalOf(method: string, path: string, json?: unknown): Promise<RefusalView> {
  const options =
    json === undefined ? {} : { raw: JSON.stringify(json), headers: { 'content-type': 'application/json' } };
  const { refusal } = await (await sandbox.call(method, path, options)).exchange();
  if (!refusal) throw new Error(`${method} ${path} ${JSON.stringify(json)} was not refused.`);
  return refusal;
}

const paths = {
  forget: '/privacy/delete-request',
  leave: '/subscriptions/unsubscribe',
  identify: '/identity-resolution/user-identifiers',
  attributes: '/attributes/custom',
  event: '/events/custom',
  subscribe: '/subscriptions',
  purchase: '/events/ecommerce/purchase',
  codes: '/coupons/coupon-pool/54102/create',
  dated: '/coupons/coupon-pool/54100/create',
  upload: '/product-catalog/uploads',
  webhooks: '/webhooks',
} as const;
type Operation = keyof typeof paths;

const item = { productId: 'A', productVariantId: 'B', price: [{ value: 1 }] };
const bought = (changes: object) => ({ user, items: [{ ...item, ...changes }] });
const long = 'c'.repeat(101);

test.for<readonly [Operation, unknown]>([
  ...[[], null, 'x', 5, { subjectPhone: { number: 1 } }].map((json) => ['forget', json] as const),
  ...[{}, [], null, undefined, { user: null }, { user: 'zoe' }, { user: 5 }].map((json) => ['leave', json] as const),
  ['identify', []],
  ['identify', { customIdentifiers: [{ name: 'n' }], phone: zoePhone }],
  ['identify', { clientUserId: long, phone: zoePhone }],
  ['attributes', { properties }],
  ['attributes', { properties, user: {} }],
  ['attributes', { properties, user: null }],
  ['attributes', { properties: {}, user }],
  ['event', undefined],
  ['event', { type: 'Order', user: 'zoe' }],
  ['event', { type: 'Order', user, properties: 'hello' }],
  ['event', { type: 'Order', user, properties: 5 }],
  ['event', { type: 'Order', user, occurredAt: true }],
  ['event', { type: '', user }],
  ['purchase', bought({ price: [{ value: 'free' }] })],
  ['purchase', bought({ price: [{ value: -1 }] })],
  ['purchase', bought({ price: [19] })],
  ['purchase', bought({ price: [{ value: 1, currency: 'euro' }] })],
  ['purchase', bought({ price: [{ value: '€1', currency: 'USD' }] })],
  ['purchase', bought({ quantity: '3 pcs' })],
  ['purchase', bought({ quantity: 2.5 })],
  ['purchase', { user }],
  ['purchase', { user, items: {} }],
  ['purchase', bought({ price: { value: 'free' } })],
  ['purchase', bought({ price: { value: -5 } })],
  ['purchase', bought({ price: [{ value: '$5' }] })],
  ['event', { type: 'Order', User: { Email: 'no address' } }],
  ['event', { type: 'Order', Email: zoe, EMAIL: 'carl@example.com' }],
  ['purchase', bought({ productId: 1e20 })],
  ['identify', { clientUserId: 2 ** 57, phone: zoePhone }],
  ['codes', { codes: [{ code: 'A' }] }],
  ['codes', { codes: [null] }],
  ['codes', { codes: null }],
  ['codes', { codes: 'A,B' }],
  ['dated', { codes: ['A'], distributionStart: '2026-02-30T00:00:00Z', distributionStop: '2026-12-01T00:00:00Z' }],
  ['dated', { codes: ['A'], distributionStart: '12/01/2026', distributionStop: '2026-12-01T00:00:00Z' }],
  ['dated', { codes: ['A'], distributionStart: 5, distributionStop: '2026-12-01T00:00:00Z' }],
  ['dated', { codes: ['A'] }],
  ['dated', { codes: ['A'], distributionStart: '2026-12-01T00:00:00Z' }],
  ['dated', { codes: ['A'], distributionStop: '2026-12-01T00:00:00Z' }],
  ['dated', { codes: ['A'], distributionStart: '2026-12-01T00:00:00Z', distributionStop: '2026-12-01T00:00:00Z' }],
  ['upload', { validateOnly: 'x' }],
  ['upload', { validateOnly: 2 }],
  ['subscribe', { user, locale: { language: 'en', country: 'US' }, subscriptionType: 'promo' }],
  ['subscribe', { user, locale: 'English', subscriptionType: 'MARKETING' }],
  ['subscribe', { user, locale: { language: 'en', country: 'US' }, subscriptionType: 'CHECKOUT_ABANDONED' }],
  ['subscribe', { user, subscriptionType: 'CHECKOUT_ABANDONED' }],
  ['subscribe', { user, signUpSourceId: '1', subscriptionType: 'CHECKOUT_ABANDONED' }],
  ['leave', { user, subscriptions: [{ type: 'x', channel: 'TEXT' }] }],
  ['leave', { user, subscriptions: [{ type: 'MARKETING', channel: 'PUSH' }] }],
  ['webhooks', { url: 'http://localhost:3000/h' }],
  ['webhooks', { url: 'http://localhost:3000/h', events: ['sms.opened'] }],
])('the fix of %s with %j is only a sentence, because the request does not say what was meant', async ([on, json]) => {
  const { fix } = await refusalOf('POST', paths[on], json);
  expect(fix).toEqual({ say: expect.stringMatching(/^[A-Z].*\.$/) as string, edits: [] });
});

test.for<readonly [Operation, object | string, object]>([
  ['forget', [{ subjectEmail: zoe }], { subjectEmail: zoe }],
  ['forget', { subjectEmail: [zoe] }, { subjectEmail: zoe }],
  ['forget', { subjectPhone: 15_555_550_163 }, { subjectPhone: zoePhone }],
  ['leave', { user: zoe }, { user: { email: zoe } }],
  ['leave', { user: '+1 555 555 0163' }, { user: { phone: zoePhone } }],
  ['leave', { phone: zoePhone }, { user: { phone: zoePhone } }],
  ['leave', { phone: zoePhone, Email: zoe }, { user: { phone: zoePhone, email: zoe } }],
  ['leave', { User: { email: zoe } }, { user: { email: zoe } }],
  ['identify', { clientUserId: ['z'], phone: zoePhone }, { clientUserId: 'z', phone: zoePhone }],
  ['identify', { clientUserId: 'z', phone: [zoePhone] }, { clientUserId: 'z', phone: zoePhone }],
  ['attributes', { properties, user: zoe }, { properties, user: { email: zoe } }],
  ['attributes', { properties, email: zoe }, { properties, user: { email: zoe } }],
  ['event', { type: 'Order', email: zoe }, { type: 'Order', user: { email: zoe } }],
  ['event', { type: 5, user }, { type: '5', user }],
  ['subscribe', { User: { email: zoe }, signUpSourceId: '100001' }, { user: { email: zoe }, signUpSourceId: '100001' }],
  ['purchase', bought({ price: [{ value: '12,50' }] }), bought({ price: [{ value: 12.5 }] })],
  ['purchase', bought({ price: { value: 5 } }), bought({ price: [{ value: 5 }] })],
  ['purchase', bought({ price: { Value: '5,00' } }), bought({ price: [{ value: 5 }] })],
  ['purchase', bought({ price: '[{"value": "5,00"}]' }), bought({ price: [{ value: 5 }] })],
  ['purchase', { user, items: bought({ price: { value: '5' } }).items[0] }, bought({ price: [{ value: 5 }] })],
  ['purchase', { user, Items: [{ ...item, quantity: '9007199254740993' }] }, bought({ quantity: '9007199254740993' })],
  [
    'purchase',
    bought({ price: [{ value: 'CA$5', currency: 'CAD' }] }),
    bought({ price: [{ value: 5, currency: 'CAD' }] }),
  ],
  [
    'purchase',
    bought({ price: { value: '5,00 USD', currency: 'usd' } }),
    bought({ price: [{ value: 5, currency: 'USD' }] }),
  ],
  ['purchase', bought({ price: { value: '5', currency: null } }), bought({ price: [{ value: 5 }] })],
  ['event', { type: 'Order', User: { Email: zoe } }, { type: 'Order', user: { email: zoe } }],
  ['event', { type: 'Order', User: { 'E-Mail': 'zoe@@example.com' } }, { type: 'Order', user: { email: zoe } }],
  ['event', { type: 'Order', Email: `Zoe <${zoe}>` }, { type: 'Order', user: { email: zoe } }],
  ['event', { type: 'Order', user: JSON.stringify({ Email: zoe }) }, { type: 'Order', user: { email: zoe } }],
  ['purchase', bought({ quantity: '3 ' }), bought({ quantity: 3 })],
  ['codes', { codes: [['A']] }, { codes: ['A'] }],
  ['codes', { codes: 'A' }, { codes: ['A'] }],
  [
    'dated',
    { codes: ['A'], distribution_start: '2026-12-01T00:00:00Z', distribution_stop: '2026-12-10T00:00:00Z' },
    { codes: ['A'], distributionStart: '2026-12-01T00:00:00Z', distributionStop: '2026-12-10T00:00:00Z' },
  ],
  ['upload', { validateOnly: 0 }, { validateOnly: false }],
  ['upload', { validateOnly: '0' }, { validateOnly: false }],
  ['upload', { validateOnly: 'no' }, { validateOnly: false }],
  ['upload', { validateOnly: 'Yes' }, { validateOnly: true }],
  ['leave', { user, notification: { disabled: 1 } }, { user, notification: { disabled: true } }],
  [
    'leave',
    { user, subscriptions: [{ type: 'Marketing', channel: 'TXT' }] },
    { user, subscriptions: [{ type: 'MARKETING', channel: 'TXT' }] },
  ],
])('the fix of %s with %j sends %j', async ([on, json, expected]) => {
  const { fix } = await refusalOf('POST', paths[on], json);
  expect(applyFix({ method: 'POST', path: paths[on], json }, fix.edits).json).toEqual(expected);
});

test.for([
  ['/subscriptions', {}],
  ['/subscriptions', { email: 'nobody@example.com' }],
  ['/attributes/custom', {}],
  ['/attributes/custom', { email: 'nobody@example.com' }],
  ['/privacy/delete-request/a-b_c', {}],
] as const)('the fix of GET %s with %j names no one else', async ([path, query]) => {
  const { refusal } = await (await sandbox.call('GET', path, { query })).exchange();
  expect(refusal?.fix.edits).toEqual([]);
});

test.for([
  [{ distributionStop: '2026-11-20T00:00:00Z' }, 'Send distributionStart too, a time before distributionStop.'],
  [{ distributionStart: '2027-01-01T00:00:00Z' }, 'Send distributionStop too, a time after distributionStart.'],
] as const)('what %j lacks is said without a time that would be refused with it', async ([dates, say]) => {
  expect((await refusalOf('POST', paths.dated, { codes: ['A'], ...dates })).fix.say).toBe(say);
});

test.for([
  [{ signUpSourceId: '1' }, ', then send its id.'],
  [{}, ', then send its id.'],
  [{ locale: { language: 'en', country: 'US' } }, ' first.'],
] as const)('a company without a unit of the type is told to create one of it: %j', async ([named, then]) => {
  const json = { user, ...named, subscriptionType: 'CHECKOUT_ABANDONED' };
  const { fix } = await refusalOf('POST', paths.subscribe, json);
  expect(fix).toEqual({ say: `Create an API sign-up unit for CHECKOUT_ABANDONED${then}`, edits: [] });
});

test('a path that ends before its parameter is not completed, and the fix names the parameter', async () => {
  const { fix } = await refusalOf('GET', '/privacy/delete-request/');
  expect(fix).toEqual({ say: 'Call GET /v1/privacy/delete-request/{id}, with a value for id.', edits: [] });
});

test('a parameter that was sent twice with one value is sent once by the fix', async () => {
  const answer = await sandbox.call('GET', `/subscriptions?email=${zoe}&email=${zoe}`);
  expect((await answer.exchange()).refusal?.fix.edits).toEqual([
    { op: 'set', place: { in: 'query', at: 'email' }, value: zoe },
  ]);
});

test.for([
  ['number', 1, '12,50', 12.5],
  ['number', 1, '1,000', undefined],
  ['number', 1, 'x', undefined],
  ['number', 1, '', undefined],
  ['number', 1, true, undefined],
  ['boolean', true, 0, false],
  ['boolean', true, 'no', false],
  ['boolean', true, '1', true],
  ['boolean', true, '', undefined],
] as const)('a %s attribute whose first value was %j reads %j as %j', async ([type, first, sent, meant]) => {
  const json = (value: unknown) => ({ properties: { [`a ${type}`]: value }, user });
  await sandbox.call('POST', paths.attributes, { json: json(first) });
  const { fix } = await refusalOf('POST', paths.attributes, json(sent));
  const place = { in: 'body', at: `/properties/a ${type}` };
  expect(fix.edits).toEqual(meant === undefined ? [] : [{ op: 'set', place, value: meant }]);
});

test('where a choice is only similar, the fix names the one that the message does', async () => {
  const { message, fix } = await refusalOf('POST', paths.subscribe, {
    user,
    locale: { language: 'en', country: 'US' },
    subscriptionType: 'TRANSACTION',
  });
  expect(message).toContain('Did you mean "TRANSACTIONAL"?');
  expect(fix).toEqual({ say: 'Send a value such as "TRANSACTIONAL" there.', edits: [] });
  const subscribe = 'mutation ($i: SubscribeInput!) { subscribe(input: $i) { __typename } }';
  const variables = { i: { user, type: 'TYPE_TRANSACTION' } };
  const graphql = await refusalOf('POST', '/graphql', { query: subscribe, variables });
  expect(graphql.message).toContain('Did you mean the enum value "TYPE_TRANSACTIONAL"');
  expect(graphql.fix).toEqual({ say: 'Send a value such as "TYPE_TRANSACTIONAL".', edits: [] });
});

test('a number that lost digits is not written as a text', async () => {
  const { fix } = await refusalOf('POST', paths.attributes, { properties: { 'favorite color': 2 ** 60 }, user });
  expect(fix.edits).toEqual([]);
  const create = 'mutation ($i: CreateCustomEventInput!) { createCustomEvent(input: $i) { type } }';
  const graphql = await refusalOf('POST', '/graphql', { query: create, variables: { i: { type: 2 ** 60, user } } });
  expect(graphql.fix.edits).toEqual([]);
});

test.for([
  ['\u{1f44e}', ['\u{1f44d}'], null],
  ['\u{1f44d} ', ['\u{1f44d}'], '\u{1f44d}'],
  ['1.5', ['15'], null],
  ['-15', ['15'], null],
  ['-1500', ['1500'], null],
  ['1 500', ['1500'], null],
  ['blue2', ['blue'], null],
  ['>18', ['<18'], null],
  ['C#', ['C++'], null],
  ['Visual C#', ['Visual C'], null],
  ['A+', ['A', 'B'], null],
  ['Grade A+', ['Grade A'], null],
  ['', ['!'], null],
  ['_', ['-'], null],
  [' Dark blue', ['dark-blue'], 'dark-blue'],
  ['SIZE_8', ['size 8'], 'size 8'],
  ['client_user_id', ['clientUserId'], 'clientUserId'],
  ['custom_attribute_set', ['custom_attribute.set'], 'custom_attribute.set'],
] as const)('the word %j means of %j: %j', ([sent, known, meant]) => {
  expect(meantWord(sent, known)).toBe(meant);
});

test('a fixed value is replaced only by one that it nearly is', async () => {
  const fixOf = async (color: string) =>
    (await refusalOf('POST', paths.attributes, { properties: { 'favorite color': color }, user })).fix.edits;
  expect(await fixOf('Bleu')).toMatchObject([{ value: 'blue' }]);
  expect(await fixOf('purple')).toEqual([]);
  expect(await fixOf('blue2')).toEqual([]);
});

test('a visitor and a channel of GraphQL are not invented', async () => {
  const edits = async (query: string, i: object) =>
    (await refusalOf('POST', '/graphql', { query, variables: { i } })).fix.edits;
  const visit = 'mutation ($i: CreateCustomEventInput!) { createCustomEvent(input: $i) { type } }';
  expect(await edits(visit, { type: 'Visit', user: {} })).toEqual([]);
  const leave = 'mutation ($i: UnsubscribeInput!) { unsubscribe(input: $i) { __typename } }';
  const channels = (channel: string) => ({ user, subscriptions: [{ channel, type: 'TYPE_MARKETING' }] });
  expect(await edits(leave, channels('CHANNEL_PUSH'))).toEqual([]);
  const inline = `mutation { unsubscribe(input: { user: { email: "${zoe}" }, subscriptions: [{ channel: CHANNEL_PUSH, type: TYPE_MARKETING }] }) { __typename } }`;
  expect(await edits(inline, {})).toEqual([]);
});

test.for([
  ['purchase', bought({ price: [{ value: 1, currency: 'euro' }] }), 'assumed'],
  ['purchase', bought({ price: [{ value: 'x' }] }), 'observed'],
  ['event', { user }, 'observed'],
  ['codes', { codes: [5] }, 'observed'],
  ['upload', { validateOnly: 'x' }, 'documented'],
] as const)('a misfit of %s with %j has the provenance of its place: %s', async ([on, json, provenance]) => {
  expect((await refusalOf('POST', paths[on], json)).provenance).toBe(provenance);
});
