import { beforeEach, expect, test } from 'vitest';
import { demoCompany, otherCompany } from '../../emulator/declared-world/demo.ts';
import { useSandbox, type CallOptions } from '../support/sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

const kinds = ['product-view', 'add-to-cart', 'purchase'] as const;
const item = { productId: 'AB12345', productVariantId: 'CD12345', price: [{ value: 19.99 }] };
const user = { phone: '+15555550100', email: 'ada@example.com' };
const post = (kind: string, json: unknown, options: CallOptions = {}) =>
  sandbox.call('POST', `/events/ecommerce/${kind}`, { json, ...options });
const events = () => [...sandbox.emulator.deps.store.events.all()];
const usersOf = (
  companyId: string,
  by: { phone?: string; email?: string; clientUserId?: string; shopifyId?: string },
) => sandbox.emulator.deps.users.find(companyId, by);

test.for(kinds)('%s as the platform documents it is stored, with an empty reply', async (kind) => {
  const full = {
    ...item,
    productImage: 'http://my.cdn.com/products/new-product.png',
    productUrl: 'http://my-store.com/products/shirts/my-shirt',
    name: 'T-Shirt',
    price: [{ value: 19.99, currency: 'EUR' }],
    quantity: 2,
  };
  const answer = await post(kind, { items: [full], occurredAt: '2021-03-30T14:38:29+0000', user });
  expect([answer.status, answer.text]).toEqual([200, '']);
  expect(events()).toEqual([
    expect.objectContaining({
      kind,
      companyId: demoCompany,
      userId: usersOf(demoCompany, user)[0]?.id,
      occurredAt: '2021-03-30T14:38:29.000Z',
      startsJourneys: false,
      body: { items: [full] },
    }),
  ]);
});

test('the currency is US dollars if none is named', async () => {
  await post('purchase', { items: [item], user });
  expect(events()[0]?.body['items']).toEqual([{ ...item, price: [{ value: 19.99, currency: 'USD' }] }]);
});

test('an order and its sales channel are stored with a purchase that names them, not with a view', async () => {
  const json = { items: [item], user, orderId: 'order-1', salesChannel: { channelType: 'IN_STORE' } };
  await post('purchase', json);
  await post('product-view', json);
  await post('purchase', { ...json, orderId: '', salesChannel: null });
  expect(events().map(({ body }) => [body['orderId'], body['salesChannel']])).toEqual([
    ['order-1', { channelType: 'IN_STORE' }],
    [undefined, undefined],
    [undefined, undefined],
  ]);
  expect((await post('purchase', { ...json, salesChannel: { channelType: 'FAX' } })).rule).toBe('input.choice');
});

test('an event that is twelve hours old starts journeys, one a millisecond older is stored with a note', async () => {
  const { clock } = sandbox.emulator.deps;
  clock.freeze(true);
  const ago = (ms: number) => new Date(clock.now() - ms).toISOString();
  await post('purchase', { items: [item], user, occurredAt: ago(12 * 3_600_000) });
  const old = await post('purchase', { items: [item], user, occurredAt: ago(12 * 3_600_000 + 1) });
  expect(old.status).toBe(200);
  expect(events().map(({ startsJourneys }) => startsJourneys)).toEqual([true, false]);
  expect((await old.exchange()).notes.join()).toContain('12 hours');
});

test.for([undefined, '', null])('an event with occurredAt %j happened now', async (occurredAt) => {
  await post('purchase', { items: [item], user, occurredAt });
  const [event] = events();
  expect(event?.occurredAt).toBe(event?.receivedAt);
  expect(event?.startsJourneys).toBe(true);
});

test('input as public clients send it is accepted, with a note', async () => {
  const answer = await post('add-to-cart', {
    items: [{ ...item, quantity: '3' }],
    occuredAt: '2021-03-30T14:38:29Z',
    user: {
      phone: '',
      email: null,
      externalIdentifiers: { clientUserId: 'c-1', shopifyId: 's-1', customIdentifiers: { loyaltyId: 'L-1' } },
    },
  });
  expect(answer.status).toBe(200);
  expect(events()[0]).toMatchObject({ startsJourneys: true, body: { items: [{ quantity: 3 }] } });
  expect(usersOf(demoCompany, { shopifyId: 's-1' })).toEqual([
    expect.objectContaining({
      addresses: [],
      clientUserIds: ['c-1'],
      customIdentifiers: [{ name: 'loyaltyId', value: 'L-1' }],
    }),
  ]);
  const notes = (await answer.exchange()).notes.join('\n');
  for (const word of [
    'quantity',
    'occuredAt',
    'user.phone',
    'user.email',
    'customIdentifiers',
    'shopifyId',
    'identity-resolution',
  ]) {
    expect(notes).toContain(word);
  }
  expect(notes.split('\n').filter((note) => note.includes('occuredAt'))).toHaveLength(1);
});

test.each([
  ['9007199254740993', 9_007_199_254_740_992, 'the number 9007199254740992. A number keeps about 16 digits.'],
  ['9223372036854775807', 2 ** 63, 'the number 9223372036854775808. A number keeps about 16 digits.'],
  ['7', 7, 'the number 7.'],
])('a quantity that is the text %s is stored as %d, and the note says so', async (quantity, stored, said) => {
  const price = [{ value: 5 }, { value: 4, currency: 'EUR' }];
  const answer = await post('purchase', { items: [{ ...item, quantity, price }], user });
  const prices = [
    { value: 5, currency: 'USD' },
    { value: 4, currency: 'EUR' },
  ];
  expect(events()[0]?.body).toEqual({ items: [{ ...item, quantity: stored, price: prices }] });
  const { notes } = await answer.exchange();
  expect(notes).toEqual([`items.0.quantity was sent as a text; it was read as ${said}`]);
});

test('an event without items is stored, with a note', async () => {
  const answer = await post('purchase', { items: [], user });
  expect((await answer.exchange()).notes).toEqual([
    'The event has no items, so there is nothing to build a message on.',
  ]);
  expect(events().map(({ body }) => body)).toEqual([{ items: [] }]);
  expect((await (await post('purchase', { items: [item], user })).exchange()).notes).toEqual([]);
});

test('an unknown email creates a user, once', async () => {
  await post('product-view', { items: [item], user: { email: 'new@example.com' } });
  await post('product-view', { items: [item], user: { email: 'NEW@example.com' } });
  expect(usersOf(demoCompany, { email: 'new@example.com' })).toHaveLength(1);
  expect(new Set(events().map(({ userId }) => userId)).size).toBe(1);
});

test.for([
  ['a price below zero', { items: [{ ...item, price: [{ value: -1 }] }], user }, 'input.size'],
  ['a currency of two letters', { items: [{ ...item, price: [{ value: 1, currency: 'US' }] }], user }, 'input.format'],
  [
    'a currency that there is not',
    { items: [{ ...item, price: [{ value: 1, currency: 'ZZZ' }] }], user },
    'input.format',
  ],
  ['no price', { items: [{ ...item, price: [] }], user }, 'input.size'],
  ['no variant', { items: [{ productId: 'a', price: [{ value: 1 }] }], user }, 'input.required'],
  ['a quantity of more than 64 bits', { items: [{ ...item, quantity: 1e19 }], user }, 'ecommerce.quantity'],
  ['a text of more than 64 bits', { items: [{ ...item, quantity: '9223372036854775808' }], user }, 'input.format'],
  ['a quantity that is not a number', { items: [{ ...item, quantity: 'two' }], user }, 'input.format'],
  [
    'a product image that is not a web address',
    { items: [{ ...item, productImage: 'javascript:alert(1)' }], user },
    'input.format',
  ],
  ['no items', { user }, 'input.required'],
  ['no user', { items: [item] }, 'input.required'],
  [
    'a user without identifiers',
    { items: [item], user: { phone: null, externalIdentifiers: { customIdentifiers: [] } } },
    'user.no-identifier',
  ],
  ['a time that does not exist', { items: [item], user, occurredAt: 'yesterday' }, 'event.occurred-at'],
] as const)('%s is refused and nothing is kept', async ([, json, rule]) => {
  const people = sandbox.emulator.deps.store.users.size;
  const answer = await post('purchase', json);
  expect([answer.status, answer.rule]).toEqual([400, rule]);
  expect(events()).toEqual([]);
  expect(sandbox.emulator.deps.store.users.size).toBe(people);
});

test('companies share neither events nor users', async () => {
  await post('purchase', { items: [item], user }, { key: 'sandpiper-other-key' });
  expect(events()[0]?.companyId).toBe(otherCompany);
  expect(usersOf(otherCompany, user)[0]?.id).not.toBe(usersOf(demoCompany, user)[0]?.id);
});

test('it needs the scope ecommerce:write', async () => {
  expect((await post('purchase', { items: [item], user }, { key: 'sandpiper-readonly-key' })).rule).toBe('auth.scope');
  expect((await post('purchase', { items: [item], user }, { key: null })).status).toBe(401);
  expect(events()).toEqual([]);
});
