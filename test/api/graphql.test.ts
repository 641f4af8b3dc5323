import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { beforeEach, expect, test } from 'vitest';
import {
  buildClientSchema,
  buildSchema,
  getIntrospectionQuery,
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isNonNullType,
  lexicographicSortSchema,
  printSchema,
  type GraphQLInputType,
  type IntrospectionQuery,
} from 'graphql';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { createSchema } from '../../emulator/features/graphql/schema.ts';
import { toGlobalId } from '../../emulator/ids.ts';
import { useSandbox, type CallOptions } from '../support/sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

interface Response {
  readonly data?: { readonly [field: string]: unknown } | null;
  readonly errors?: readonly {
    readonly message: string;
    readonly path?: readonly unknown[];
    readonly extensions: {
      readonly code: string;
      readonly rule: string;
      readonly section: string;
      readonly fix: unknown;
    };
  }[];
  readonly extensions: { readonly traceId: string };
}

const ask = async (query: string, variables: unknown = {}, options: CallOptions = {}) => {
  const answer = await sandbox.call('POST', '/graphql', { json: { query, variables }, ...options });
  return { ...answer, response: answer.body as Response };
};
const events = () => [...sandbox.emulator.deps.store.events.all()];
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

const createCustomEvent = `mutation CustomEvent($input: CreateCustomEventInput!) {
  createCustomEvent(input: $input) {
    externalEventId occurredAt properties type
    user { email phone externalIdentifiers { clientUserId customIdentifiers { name value } } }
  }
}`;

test('a custom event is answered as the specification shows, and stored as by REST', async () => {
  const input = {
    type: 'Order Shipped',
    properties: '{ "carrier": "fedex" }',
    mediaUrl: 'https://cdn.example.com/image.png',
    externalEventId: 'e-1',
    occurredAt: '2021-03-30T16:38:29+0200',
    user: {
      email: 'ada@example.com',
      externalIdentifiers: { clientUserId: 'c-1', customIdentifiers: [{ name: 'loyaltyId', value: 'L-1' }] },
    },
  };
  const { status, response } = await ask(createCustomEvent, { input });
  expect(status).toBe(200);
  expect(response).toEqual({
    data: {
      createCustomEvent: {
        externalEventId: 'e-1',
        occurredAt: '2021-03-30T14:38:29.000Z',
        properties: '{ "carrier": "fedex" }',
        type: 'Order Shipped',
        user: {
          email: 'ada@example.com',
          phone: null,
          externalIdentifiers: { clientUserId: 'c-1', customIdentifiers: [{ name: 'loyaltyId', value: 'L-1' }] },
        },
      },
    },
    extensions: { traceId: expect.stringMatching(/^[0-9a-f]{16}$/) },
  });
  expect(events()).toEqual([
    expect.objectContaining({
      kind: 'custom',
      type: 'Order Shipped',
      externalEventId: 'e-1',
      startsJourneys: false,
      body: { properties: { carrier: 'fedex' }, mediaUrl: 'https://cdn.example.com/image.png' },
    }),
  ]);
});

test('a duplicate of a custom event returns the stored event', async () => {
  const input = {
    type: 'Visit',
    properties: '{"page":"one"}',
    externalEventId: 'e-1',
    user: { email: 'ada@example.com' },
  };
  await ask(createCustomEvent, { input: { ...input, occurredAt: '2021-03-30T14:38:29.000Z' } });
  const again = { ...input, properties: '{"page":"two"}', occurredAt: '2022-03-30T14:38:29.000Z' };
  const { response } = await ask(createCustomEvent, { input: again });
  expect(response.data).toMatchObject({
    createCustomEvent: { properties: '{"page":"one"}', occurredAt: '2021-03-30T14:38:29.000Z', externalEventId: 'e-1' },
  });
  expect(events()).toHaveLength(1);
  const other = await ask(createCustomEvent, { input: { ...again, type: 'Return' } });
  expect(other.response.data).toMatchObject({ createCustomEvent: { type: 'Return', properties: '{"page":"two"}' } });
  expect(events()).toHaveLength(2);
});

test('missing values of a custom event are filled in: an id, the time, an empty list', async () => {
  const { response } = await ask(createCustomEvent, { input: { type: 'Visit', user: { phone: '+15555550100' } } });
  const event = events()[0];
  expect(response.data?.['createCustomEvent']).toEqual({
    externalEventId: expect.stringMatching(uuid),
    occurredAt: event?.receivedAt,
    properties: '{}',
    type: 'Visit',
    user: { email: null, phone: '+15555550100', externalIdentifiers: { clientUserId: null, customIdentifiers: [] } },
  });
});

test('a refusal as in REST is an error with its rule and a fix for the variables, and nothing is stored', async () => {
  const input = { type: 'Visit', properties: '{"a|b":1}', user: { phone: '+15555550100' } };
  const { status, response, rule } = await ask(createCustomEvent, { input });
  expect(status).toBe(200);
  expect(rule).toBe('custom-events.property-key');
  expect(response.data).toEqual({ createCustomEvent: null });
  expect(response.errors).toEqual([
    expect.objectContaining({
      path: ['createCustomEvent'],
      extensions: {
        code: 'BAD_USER_INPUT',
        rule: 'custom-events.property-key',
        section: '2.5',
        fix: expect.objectContaining({
          edits: [{ op: 'set', place: { in: 'body', at: '/variables/input/properties' }, value: '{"ab":1}' }],
        }),
      },
    }),
  ]);
  expect(response.extensions.traceId).toMatch(/\w/);
  expect(events()).toEqual([]);
});

test('a refused field changes nothing, but the field before it is kept', async () => {
  const { response } = await ask(
    `mutation ($good: CreateCustomEventInput!, $phone: String) {
      first: createCustomEvent(input: $good) { type }
      second: createCustomEvent(input: { type: "Visit", user: { phone: $phone } }) { type }
    }`,
    { good: { type: 'Visit', user: { email: 'ada@example.com' } }, phone: '555-555-0100' },
  );
  expect(response.data).toEqual({ first: { type: 'Visit' }, second: null });
  expect(response.errors?.[0]?.extensions).toMatchObject({
    rule: 'user.phone-e164',
    fix: { edits: [{ op: 'set', place: { in: 'body', at: '/variables/phone' }, value: '+15555550100' }] },
  });
  expect(events()).toHaveLength(1);
});

test.for([
  ['createCustomEvent(input: { type: "Visit", user: { phone: "+15555550100" } }) { type }', 'events:write'],
  [
    'setCustomAttributes(input: { properties: "{}", user: { phone: "+15555550100" } }) { properties }',
    'attributes:write',
  ],
  ['productViewEvent(input: { visitor: { phone: "+15555550100" } }) { occurredAt }', 'ecommerce:write'],
  ['subscribe(input: { user: { phone: "+15555550100" } }) { subscribeResults { type } }', 'subscriptions:write'],
  ['unsubscribe(input: { user: { phone: "+15555550100" } }) { unsubscribeResults { type } }', 'subscriptions:write'],
  ['createWebhook(input: { url: "http://localhost:3000" }) { webhook { id } }', 'webhooks:write'],
  ['deleteWebhook(input: { id: "x" }) { deleted }', 'webhooks:write'],
] as const)('%s without the scope %s is forbidden in errors', async ([field, scope]) => {
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
  const { status, response } = await ask(`mutation { ${field} }`, {}, { key: 'sandpiper-readonly-key' });
  expect(status).toBe(200);
  expect(response.errors?.[0]).toMatchObject({
    message: expect.stringContaining(scope),
    extensions: { code: 'FORBIDDEN', rule: 'auth.scope' },
  });
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
});

test('the viewer is the installed app, its company and its webhooks', async () => {
  const made = await ask(
    'mutation { createWebhook(input: { url: "http://localhost:3000/hooks", events: ["sms.sent"] }) { webhook { id url events disabledAt } } }',
  );
  const { webhook } = (made.response.data as { createWebhook: { webhook: { id: string } } }).createWebhook;
  const { response } = await ask(`{ viewer { installedApplication {
    id application { id name }
    installerCompany { id name user(phone: "+15555550100") { email subscribedPhone firstName lastName city state zipcode country timezone subscriptions { subscriptionEligibilities { subscription { type channel } eligibility { isEligible } } } } }
    webhooks { id url events disabledAt }
  } } }`);
  expect(response.data).toEqual({
    viewer: {
      installedApplication: {
        id: expect.any(String),
        application: { id: expect.any(String), name: 'Demo app' },
        installerCompany: {
          id: demoCompany,
          name: 'Sandpiper Supply Co.',
          user: {
            email: 'ada@example.com',
            subscribedPhone: '+15555550100',
            firstName: '',
            lastName: '',
            city: '',
            state: '',
            zipcode: '',
            country: '',
            timezone: '',
            subscriptions: {
              subscriptionEligibilities: [
                {
                  subscription: { type: 'TYPE_MARKETING', channel: 'CHANNEL_TEXT' },
                  eligibility: { isEligible: true },
                },
                {
                  subscription: { type: 'TYPE_MARKETING', channel: 'CHANNEL_EMAIL' },
                  eligibility: { isEligible: true },
                },
              ],
            },
          },
        },
        webhooks: [webhook],
      },
    },
  });
});

test('an unknown user is null, without an error', async () => {
  const { response } = await ask(
    '{ viewer { installedApplication { installerCompany { user(email: "unknown@example.com") { id } } } } }',
  );
  expect(response.data).toEqual({ viewer: { installedApplication: { installerCompany: { user: null } } } });
  expect(response.errors).toBeUndefined();
});

test('nodes are found by id, null if unknown or of another company', async () => {
  const user = sandbox.emulator.deps.users.find(demoCompany, { email: 'ada@example.com' })[0]?.id ?? '';
  const query = 'query ($ids: [ID!]!) { nodes(ids: $ids) { __typename id } }';
  const mine = await ask(query, { ids: [demoCompany, user, 'nothing'] });
  expect(mine.response.data).toEqual({
    nodes: [{ __typename: 'Company', id: demoCompany }, { __typename: 'User', id: user }, null],
  });
  const other = await ask(query, { ids: [demoCompany, user] }, { key: 'sandpiper-other-key' });
  expect(other.response.data).toEqual({ nodes: [null, null] });
  expect((await ask('query ($id: ID!) { node(id: $id) { id } }', { id: user })).response.data).toEqual({
    node: { id: user },
  });
});

test('without the scope of webhooks their nodes and lists are forbidden, whether they exist or not', async () => {
  const { body } = await sandbox.call('POST', '/webhooks', {
    json: { url: 'http://localhost:3000/a', events: ['sms.sent'] },
  });
  const { id } = body as { readonly id: string };
  const key = 'sandpiper-readonly-key';
  for (const query of [
    `{ node(id: "${id}") { id } }`,
    `{ node(id: "${toGlobalId('Webhook', 999)}") { id } }`,
    '{ viewer { installedApplication { webhooks { id } } } }',
  ]) {
    const { text, response } = await ask(query, {}, { key });
    expect(response.errors?.[0]?.extensions, query).toMatchObject({ code: 'FORBIDDEN', rule: 'auth.scope' });
    expect(text).not.toContain('localhost:3000/a');
  }
});

test('a webhook is created, changed and deleted, by the id of either API', async () => {
  await sandbox.call('POST', '/webhooks', { json: { url: 'http://localhost:3000/a', events: ['sms.sent'] } });
  const list = '{ viewer { installedApplication { webhooks { id } } } }';
  const [webhook] = (
    (await ask(list)).response.data as { viewer: { installedApplication: { webhooks: { id: string }[] } } }
  ).viewer.installedApplication.webhooks;
  const changed = await ask(
    'mutation ($input: UpdateWebhookInput!) { updateWebhook(input: $input) { webhook { url events disabledAt } } }',
    {
      input: { id: webhook?.id, url: 'http://localhost:3000/b', events: ['email.opened'], disabled: true },
    },
  );
  expect(changed.response.data).toEqual({
    updateWebhook: {
      webhook: { url: 'http://localhost:3000/b', events: ['email.opened'], disabledAt: expect.stringMatching(/Z$/) },
    },
  });
  const gone = await ask('mutation ($id: ID!) { deleteWebhook(input: { id: $id }) { deleted } }', { id: webhook?.id });
  expect(gone.response.data).toEqual({ deleteWebhook: { deleted: true } });
  const again = await ask('mutation ($id: ID!) { deleteWebhook(input: { id: $id }) { deleted } }', { id: webhook?.id });
  expect(again.response.errors?.[0]?.extensions).toMatchObject({ code: 'NOT_FOUND', rule: 'webhooks.unknown' });
});

test('a webhook made without events is listed by REST, too', async () => {
  await ask('mutation { createWebhook(input: { url: "http://localhost:3000/a" }) { webhook { id } } }');
  const { status, body } = await sandbox.call('GET', '/webhooks');
  expect([status, body]).toMatchObject([200, { webhooks: [{ url: 'http://localhost:3000/a', events: [] }] }]);
});

test('a webhook made without events gets none, and one changed without them keeps its own', async () => {
  const answer = '{ webhook { id url events } }';
  const made = await ask(`mutation { createWebhook(input: { url: "http://localhost:3000/a" }) ${answer} }`);
  expect(made.response).toMatchObject({ data: { createWebhook: { webhook: { events: [] } } } });
  const { notes } = sandbox.emulator.recorder.all().at(-1) as { readonly notes: readonly string[] };
  expect(notes.join()).toContain('lists no event types, so nothing is sent to it');
  const { webhook } = (made.response.data as { createWebhook: { webhook: { id: string } } }).createWebhook;
  const change = (more: object) =>
    ask(`mutation ($input: UpdateWebhookInput!) { updateWebhook(input: $input) ${answer} }`, {
      input: { id: webhook.id, url: 'http://localhost:3000/b', disabled: false, ...more },
    });
  await change({ events: ['sms.sent'] });
  for (const more of [{}, { events: null }])
    expect((await change(more)).response.data).toMatchObject({
      updateWebhook: { webhook: { url: 'http://localhost:3000/b', events: ['sms.sent'] } },
    });
});

const wholeVisitor = { phone: '+15555550100', email: null };
const wholeUser = {
  ...wholeVisitor,
  externalIdentifiers: { clientUserId: 'c1', customIdentifiers: [{ name: 'n', value: 'v' }] },
};
const wholeProducts = [
  {
    productId: 'p',
    productVariantId: 'v',
    productImage: 'https://shop.example/p.png',
    productName: 'Shirt',
    productPrices: [{ amount: '19.99', currency: 'USD' }],
    quantity: 1,
  },
];
const occurredNow = new Date().toISOString();
const whole: { readonly [mutation: string]: object } = {
  createCustomEvent: {
    type: 'Shipped',
    properties: '{"a":"b"}',
    externalEventId: 'evt-whole',
    occurredAt: occurredNow,
    user: wholeUser,
  },
  setCustomAttributes: { properties: '{"a":"b"}', user: wholeUser },
  productViewEvent: { occurredAt: occurredNow, visitor: wholeVisitor, products: wholeProducts },
  addToCartEvent: { occurredAt: occurredNow, visitor: wholeVisitor, products: wholeProducts },
  productPurchaseEvent: { occurredAt: occurredNow, visitor: wholeVisitor, products: wholeProducts },
  subscribe: {
    user: { phone: '+15555550100', email: 'ada@example.com' },
    externalIdentifiers: { clientUserId: 'c1', shopifyId: '1', klaviyoId: '2', customIdentifiers: [] },
    signupSourceId: '100001',
    singleOptIn: true,
  },
  unsubscribe: {
    user: { phone: '+15555550100', email: 'ada@example.com' },
    subscriptions: [{ type: 'TYPE_MARKETING', channel: 'CHANNEL_TEXT' }],
    notification: { language: 'en-US', disabled: true },
  },
  createWebhook: { url: 'http://localhost:3000/a', events: ['sms.sent'] },
};

/** The pointers of all that a value of this type may leave out, by its schema. */
function nullables(type: GraphQLInputType, value: unknown, at: readonly (string | number)[] = []): (typeof at)[] {
  const inner = getNullableType(type);
  if (isListType(inner) && Array.isArray(value))
    return value.flatMap((one, index) => nullables(inner.ofType as GraphQLInputType, one, [...at, index]));
  const named = getNamedType(type);
  if (!isInputObjectType(named) || typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => {
    const field = named.getFields()[name]?.type;
    if (!field) throw new Error(`${named.name} has no field ${name}`);
    return [...(isNonNullType(field) ? [] : [[...at, name]]), ...nullables(field, member, [...at, name])];
  });
}

/** A copy with null, or nothing, at a place. */
function without(value: object, place: readonly (string | number)[], how: 'null' | 'absent'): object {
  const copy = structuredClone(value);
  const last = place.at(-1) ?? '';
  let inner = copy as Record<string | number, unknown>;
  for (const step of place.slice(0, -1)) inner = inner[step] as typeof inner;
  if (how === 'null') inner[last] = null;
  else delete inner[last];
  return copy;
}

/** What the platform wants all the same, and says so: whom it is about, and by which unit. */
const needed = new Set(['/user/phone', '/visitor/phone', '/signupSourceId']);

test.each(Object.keys(whole))(
  '%s takes null, and nothing, for each field that its schema lets be left out',
  async (name) => {
    const input = whole[name] ?? {};
    const field = createSchema().getMutationType()?.getFields()[name];
    const type = field?.args[0]?.type as GraphQLInputType;
    const selection = { createWebhook: '{ webhook { id } }', subscribe: '{ subscribeResults { __typename } }' }[name];
    const query = `mutation ($input: ${String(type)}) { ${name}(input: $input) ${selection ?? '{ __typename }'} }`;
    expect((await ask(query, { input })).response.errors).toBeUndefined();
    const places = nullables(type, input).filter((place) => !needed.has(`/${place.join('/')}`));
    expect(places.length).toBeGreaterThan(0);
    for (const place of places)
      for (const how of ['null', 'absent'] as const) {
        const { errors } = (await ask(query, { input: without(input, place, how) })).response;
        expect(errors, `${place.join('/')} ${how}`).toBeUndefined();
      }
  },
);

test("a mutation's input must fit the contract of REST", async () => {
  const mutation = 'mutation ($input: CreateWebhookInput!) { createWebhook(input: $input) { webhook { id } } }';
  const { response } = await ask(mutation, { input: { url: 'localhost:3000/h', events: ['sms.sent'] } });
  expect(response.errors?.[0]?.extensions).toMatchObject({
    rule: 'input.format',
    fix: { edits: [{ place: { in: 'body', at: '/variables/input/url' } }] },
  });
  expect(sandbox.emulator.deps.store.webhooks.size).toBe(0);
});

test.for([
  ['productViewEvent', 'SendProductViewEventInput', 'product-view'],
  ['addToCartEvent', 'SendAddProductToCartEventInput', 'add-to-cart'],
  ['productPurchaseEvent', 'SendProductPurchaseEventInput', 'purchase'],
] as const)('%s is the e-commerce event of REST', async ([field, type, kind]) => {
  const input = {
    occurredAt: '',
    visitor: { phone: '+15555550100' },
    products: [
      {
        productId: 'a',
        productVariantId: 'b',
        productName: 'Shirt',
        productPrices: [{ amount: '19.90' }],
        quantity: '1',
      },
    ],
  };
  const { response } = await ask(
    `mutation ($input: ${type}!) { ${field}(input: $input) { occurredAt visitor { phone email } products { productId productName quantity productPrices { amount currency } } } }`,
    { input },
  );
  expect(response.data?.[field]).toEqual({
    occurredAt: events()[0]?.receivedAt,
    visitor: { phone: '+15555550100', email: null },
    products: [
      { productId: 'a', productName: 'Shirt', quantity: 1, productPrices: [{ amount: '19.90', currency: 'USD' }] },
    ],
  });
  expect(events()[0]).toMatchObject({
    kind,
    body: {
      items: [
        {
          productId: 'a',
          productVariantId: 'b',
          name: 'Shirt',
          quantity: 1,
          price: [{ value: 19.9, currency: 'USD' }],
        },
      ],
    },
  });

  const [product] = input.products;
  const prices = [
    { amount: '5', currency: 'EUR' },
    { amount: '7.5', currency: 'USD' },
  ];
  const whole = { ...product, productImage: 'http://localhost:3000/a.png', productPrices: prices };
  const dated = { ...input, occurredAt: '2021-03-30T16:38:29+0200', products: [whole, product] };
  const told = await ask(
    `mutation ($input: ${type}!) { ${field}(input: $input) { occurredAt products { productVariantId productImage productPrices { amount currency } } } }`,
    { input: dated },
  );
  const [occurredAt, productImage] = ['2021-03-30T14:38:29.000Z', whole.productImage];
  expect(told.response.data?.[field]).toMatchObject({
    occurredAt,
    products: [{ productVariantId: 'b', productImage, productPrices: prices }, { productImage: null }],
  });
  const price = [
    { value: 5, currency: 'EUR' },
    { value: 7.5, currency: 'USD' },
  ];
  expect(events()[1]).toMatchObject({
    occurredAt,
    body: { items: [{ productImage, price }, { productId: 'a' }] },
  });
});

test.each([
  [9_007_199_254_740_994, null],
  ['9223372036854775807', null],
  [-(2 ** 63), null],
  [1e19, 'graphql.variables'],
  ['9223372036854775808', 'graphql.variables'],
  [1.5, 'graphql.variables'],
])('the quantity %j, a Long, has the rule %s', async (quantity, refusedBy) => {
  const products = [{ productId: 'a', productVariantId: 'b', quantity }];
  const { rule } = await ask(productView, { input: { visitor, products } });
  expect([rule, events().length]).toEqual([refusedBy, refusedBy === null ? 1 : 0]);
});

test.each([
  ['a literal', '9007199254740993', undefined],
  ['a literal text', '"9007199254740993"', undefined],
  ['a text', '$quantity', '9007199254740993'],
])('of a Long that loses digits, %s, the request has a note', async (_what, written, quantity) => {
  const declared = quantity === undefined ? '' : '($quantity: Long)';
  const answer = await ask(
    `mutation ${declared} { productViewEvent(input: { visitor: { phone: "+15555550100" }, products: [{ productId: "a", productVariantId: "b", quantity: ${written} }] }) { products { quantity } } }`,
    { quantity },
  );
  expect(answer.response.data).toEqual({ productViewEvent: { products: [{ quantity: 9_007_199_254_740_992 }] } });
  const { notes } = await answer.exchange();
  expect(notes.filter((note) => note.includes('digits'))).toEqual([
    'The number 9007199254740993 was read as 9007199254740992: a number keeps about 16 digits.',
  ]);
});

test('every built-in scalar is known, also one that no field has', async () => {
  const { response } = await ask('{ int: __type(name: "Int") { name } float: __type(name: "Float") { name } }');
  expect(response.data).toEqual({ int: { name: 'Int' }, float: { name: 'Float' } });
  const declared = await ask('query ($n: Int) { __typename @skip(if: false) a: __type(name: "Int") { name } }', {
    n: 1,
  });
  expect(declared.text).not.toContain('Unknown type');
});

test('a fix of an e-commerce event is spelled as GraphQL spells it', async () => {
  const { response } = await ask(
    'mutation ($input: SendProductViewEventInput!) { productViewEvent(input: $input) { occurredAt } }',
    {
      input: { visitor: { phone: '555 555 0100' }, products: [] },
    },
  );
  expect(response.errors?.[0]?.extensions).toMatchObject({
    rule: 'user.phone-e164',
    fix: { edits: [{ place: { in: 'body', at: '/variables/input/visitor/phone' }, value: '+15555550100' }] },
  });
});

test('attributes that are set by GraphQL are read by REST', async () => {
  const { response } = await ask(
    'mutation ($input: SetCustomAttributesInput!) { setCustomAttributes(input: $input) { properties user { email } } }',
    { input: { properties: '{"age": 24}', user: { email: 'ada@example.com' } } },
  );
  expect(response.data).toEqual({
    setCustomAttributes: { properties: '{"age": 24}', user: { email: 'ada@example.com' } },
  });
  expect((await sandbox.call('GET', '/attributes/custom', { query: { email: 'ada@example.com' } })).body).toEqual([
    { name: 'age', value: '24' },
  ]);
});

test('subscribing and unsubscribing answer with prefixed enums and the address', async () => {
  const subscribed = await ask(
    `mutation ($input: SubscribeInput!) { subscribe(input: $input) { subscribeResults {
      type channel destinationAddress { __typename ... on DestinationPhone { value } ... on DestinationEmail { value } }
    } } }`,
    {
      input: {
        user: { phone: '+15555550188', email: 'new@example.com' },
        locale: { language: 'en', country: 'US' },
        type: 'TYPE_MARKETING',
      },
    },
  );
  expect(subscribed.response.data).toEqual({
    subscribe: {
      subscribeResults: [
        {
          type: 'TYPE_MARKETING',
          channel: 'CHANNEL_TEXT',
          destinationAddress: { __typename: 'DestinationPhone', value: '+15555550188' },
        },
        {
          type: 'TYPE_MARKETING',
          channel: 'CHANNEL_EMAIL',
          destinationAddress: { __typename: 'DestinationEmail', value: 'new@example.com' },
        },
      ],
    },
  });
  const ended = await ask(
    'mutation ($input: UnsubscribeInput!) { unsubscribe(input: $input) { unsubscribeResults { type channel } } }',
    {
      input: { user: { phone: '+15555550188' }, subscriptions: [{ type: 'TYPE_MARKETING', channel: 'CHANNEL_TEXT' }] },
    },
  );
  expect(ended.response.data).toEqual({
    unsubscribe: { unsubscribeResults: [{ type: 'TYPE_MARKETING', channel: 'CHANNEL_TEXT' }] },
  });
});

test('subscribing takes identifiers, a unit and the single opt-in, and unsubscribing how the person is told', async () => {
  const user = { phone: '+15145550188' };
  const texts = () => [...sandbox.emulator.deps.store.messages.all()].map(({ text }) => text);
  const customIdentifiers = [{ name: 'loyaltyId', value: 'L-9' }];
  const externalIdentifiers = { clientUserId: 'c-9', shopifyId: 's-9', klaviyoId: 'k-9', customIdentifiers };
  const { response } = await ask(
    `mutation ($input: SubscribeInput!) { subscribe(input: $input) {
      externalIdentifiers { clientUserId shopifyId klaviyoId customIdentifiers { name value } }
      subscribeResults { type created }
    } }`,
    { input: { user, externalIdentifiers, signupSourceId: '100003', singleOptIn: true } },
  );
  const [{ createdAt: created = '' } = {}] = sandbox.emulator.deps.store.subscriptions.records().slice(-1);
  expect(response.data).toEqual({
    subscribe: { externalIdentifiers, subscribeResults: [{ type: 'TYPE_MARKETING', created }] },
  });
  expect(sandbox.emulator.deps.users.find(demoCompany, user)).toMatchObject([
    { clientUserIds: ['c-9'], shopifyIds: ['s-9'], klaviyoIds: ['k-9'], customIdentifiers },
  ]);
  expect(texts().join()).not.toContain('répondez Y');
  const end = 'mutation ($input: UnsubscribeInput!) { unsubscribe(input: $input) { unsubscribeResults { type } } }';
  const told = texts().length;
  await ask(end, { input: { user, notification: { disabled: true } } });
  expect(texts()).toHaveLength(told);
  const both = { user: { ...user, email: 'ada@example.com' } };
  const never = [
    { type: 'TYPE_CHECKOUT_ABANDONED', channel: 'CHANNEL_TEXT', value: user.phone },
    { type: 'TYPE_CHECKOUT_ABANDONED', channel: 'CHANNEL_EMAIL', value: both.user.email },
  ];
  const ended = await ask(
    `mutation ($input: UnsubscribeInput!) { unsubscribe(input: $input) { unsubscribeResults {
      type channel created destinationAddress { ... on DestinationPhone { value } ... on DestinationEmail { value } }
    } } }`,
    { input: { ...both, subscriptions: never.map(({ type, channel }) => ({ type, channel })) } },
  );
  expect(ended.response.data).toEqual({
    unsubscribe: {
      unsubscribeResults: never.map(({ value, ...one }) => ({ ...one, created: null, destinationAddress: { value } })),
    },
  });
  await ask(end, { input: { user, notification: { language: 'fr-CA' } } });
  expect(texts().slice(told)).toEqual([expect.stringContaining('désabonné')]);
});

test('an unknown field is an error with status 200', async () => {
  const { status, response } = await ask('{ viewer { installedApplication { name } } }');
  expect(status).toBe(200);
  expect(response.data).toBeUndefined();
  expect(response.errors?.[0]?.extensions).toMatchObject({
    code: 'GRAPHQL_VALIDATION_FAILED',
    rule: 'graphql.validation',
  });
});

test('the control API has the same schema as introspection, without a recorded request', async () => {
  const introspected = await ask(getIntrospectionQuery());
  const before = sandbox.emulator.recorder.size;
  const { sdl } = (await sandbox.control('GET', '/control/graphql-schema')).body as { sdl: string };
  expect(sandbox.emulator.recorder.size).toBe(before);
  const schema = buildClientSchema(introspected.response.data as unknown as IntrospectionQuery);
  expect(printSchema(lexicographicSortSchema(buildSchema(sdl)))).toBe(printSchema(lexicographicSortSchema(schema)));
});

test.for([null, 'no-such-key'])('introspection works with the key %j, everything else is unauthorized', async (key) => {
  const introspection = await ask(getIntrospectionQuery(), {}, { key });
  expect(introspection.status).toBe(200);
  expect(introspection.response.data).toHaveProperty('__schema');
  const byFragments =
    'query { ...Roots ... on Query { __typename } } fragment Roots on Query { __schema { __typename } }';
  expect((await ask(byFragments, {}, { key })).response.data).toHaveProperty('__schema');
  for (const query of [
    '{ ...Caller } fragment Caller on Query { __typename viewer { __typename } }',
    '{ ... on Query { viewer { __typename } } }',
    '{ viewer { installedApplication { id } } }',
    '{ __typename viewer { __typename } }',
    'broken',
    '{ nothing }',
    createCustomEvent,
  ]) {
    const { status, response } = await ask(query, {}, { key });
    expect(status).toBe(401);
    expect(response.errors).toHaveLength(1);
    expect(response.extensions.traceId).toMatch(/^[0-9a-f]{16}$/);
  }
});

test('several requests in one body are refused', async () => {
  const answer = await sandbox.call('POST', '/graphql', {
    json: [{ query: '{ __typename }' }, { query: '{ __typename }' }],
  });
  expect([answer.status, answer.rule]).toEqual([400, 'graphql.batch']);
  expect(answer.text).toContain('The body is a list of 2 queries');
});

test('the hash of a query is refused as a server without persisted queries does, and is not read where the text is beside it', async () => {
  const extensions = { persistedQuery: { version: 1, sha256Hash: 'ab'.repeat(32) } };
  const refused = await sandbox.call('POST', '/graphql', { json: { extensions } });
  expect([refused.status, refused.rule]).toEqual([200, 'graphql.persisted']);
  // Apollo Client looks for the code, urql and Apollo Kotlin for the message.
  expect((refused.body as Response).errors).toMatchObject([
    { message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED' } },
  ]);
  expect((await refused.exchange()).refusal?.message).toContain('Whether the platform answers so is not known');
  expect(await sandbox.call('POST', '/graphql', { json: { extensions }, key: null })).toMatchObject({ status: 401 });
  const answer = await sandbox.call('POST', '/graphql', { json: { query: '{ __typename }', extensions } });
  expect((answer.body as Response).data).toEqual({ __typename: 'Query' });
  const misspelt = await sandbox.call('POST', '/graphql', { json: { qeury: '{ __typename }' } });
  expect([misspelt.rule, (await misspelt.exchange()).refusal?.fix.edits.length]).toEqual(['input.required', 2]);
});

test('operationName chooses the operation', async () => {
  const query = 'query A { a: __typename } query B { b: __typename }';
  const chosen = await sandbox.call('POST', '/graphql', { json: { query, operationName: 'B' } });
  expect((chosen.body as Response).data).toEqual({ b: 'Query' });
});

test('an empty operationName, which clients with nothing to choose send, chooses none', async () => {
  const ask = (query: string) => sandbox.call('POST', '/graphql', { json: { query, operationName: '' } });
  expect((await ask('{ __typename }')).body).toMatchObject({ data: { __typename: 'Query' } });
  const several = await ask('query A { a: __typename } query B { b: __typename }');
  expect((several.body as Response).errors?.[0]?.message).toMatch('say which one in operationName');
});

test.for([
  [
    'a query of fragments that multiply',
    'graphql.aliases',
    `{ ${'...A '} } ${[...'ABCDEFGHIJKL'].map((name, at, all) => `fragment ${name} on Query { ${at === all.length - 1 ? '__typename' : `x: __typename ...${all[at + 1]} node(id: "1") { id } ...${all[at + 1]}`} }`).join(' ')}`,
  ],
  ['a fragment that spreads itself', 'graphql.validation', '{ ...A } fragment A on Query { __typename ...A }'],
  [
    'an unused fragment of 1,700 fields',
    'graphql.fields',
    `{ __typename } fragment A on Query { ${'__typename '.repeat(1_700)} }`,
  ],
  ['ten thousand brackets', 'graphql.nesting', '{a'.repeat(10_000)],
  [
    'a query that spreads thousands of fragments that it lacks',
    'graphql.fields',
    `{ ${Array.from({ length: 2_000 }, (_, at) => `...F${at}`).join(' ')} }`,
  ],
  [
    'a text of thousands of addresses without quotation marks',
    'graphql.syntax',
    `{ viewer(id: [${'a@b.c, '.repeat(2_700)}]) }`,
  ],
] as const)('%s is refused quickly', async ([, rule, query]) => {
  const began = process.cpuUsage();
  const { status, response } = await ask(query);
  expect(status).toBe(200);
  expect(response.errors?.[0]?.extensions.rule).toBe(rule);
  // Processor time, because other processes use the machine, too.
  expect(process.cpuUsage(began).user / 1e6).toBeLessThan(5);
});

/** A query of that many levels of fields. */
function toLevels(count: number): string {
  const [start, turns] = [
    ['viewer', 'installedApplication', 'installerCompany'],
    ['user(phone: "+15555550100")', 'company'],
  ];
  const fields = Array.from({ length: count - 1 }, (_, at) => start[at] ?? turns[(at - start.length) % 2]);
  return `{ ${fields.join(' { ')} { id ${'} '.repeat(count)}`;
}

const repeated = (count: number, of: (at: number) => string) => Array.from({ length: count }, (_, at) => of(at));

test.for([
  ['graphql.size', 20_000, (count: number) => `{ __typename } #${'😀'.repeat(count - 16)}`, null],
  ['graphql.depth', 12, toLevels, null],
  ['graphql.aliases', 50, (count: number) => `{ ${repeated(count, (at) => `a${at}: __typename`).join(' ')} }`, null],
  ['graphql.fields', 500, (count: number) => `{ ${repeated(count, () => '__typename').join(' ')} }`, null],
  ['graphql.ids', 100, (count: number) => `{ nodes(ids: ["${repeated(count, String).join('","')}"]) { id } }`, null],
  // No field takes such a list, so the query is refused for that.
  [
    'graphql.nesting',
    64,
    (count: number) => `{ node(id: ${'['.repeat(count - 2)}${']'.repeat(count - 2)}) { id } }`,
    'graphql.validation',
  ],
] as const)('%s: %i are taken, one more is refused', async ([rule, most, toQuery, otherwise]) => {
  const rulesOf = async (count: number) => {
    const { response } = await ask(toQuery(count));
    return response.errors?.[0]?.extensions.rule ?? null;
  };
  expect([await rulesOf(most), await rulesOf(most + 1)]).toEqual([otherwise, rule]);
});

test('properties whose JSON could change programs, or is too deep, are refused', async () => {
  for (const properties of [
    '{"__proto__":{"a":1}}',
    `{"a":${'['.repeat(500)}${']'.repeat(500)}}`,
    '[1]',
    'null',
    '7',
  ]) {
    const { response } = await ask(createCustomEvent, {
      input: { type: 'Visit', properties, user: { phone: '+15555550100' } },
    });
    expect(response.errors?.[0]?.extensions.rule).toBe('graphql.properties-json');
  }
  expect(events()).toEqual([]);
});

test('the hash of a query that a client sends with GET is refused with the setting to change', async () => {
  const extensions = JSON.stringify({ persistedQuery: { version: 1, sha256Hash: 'ab'.repeat(32) } });
  const answer = await sandbox.call('GET', '/graphql', { query: { variables: '{}', extensions } });
  expect([answer.status, answer.rule]).toEqual([405, 'graphql.get']);
  expect(answer.body).toMatchObject({
    errors: [{ message: expect.stringContaining('useGETForHashedQueries: false in Apollo Client') }],
  });
});

test('a request that is refused before its query is read has a code, the rule and the fix in its error, too', async () => {
  const json = { query: '{ viewer { installedApplication { id } } }' };
  const asked = [
    [await sandbox.call('POST', '/graphql', { json: [json] }), 'BAD_REQUEST'],
    [await sandbox.call('POST', '/graphql', { json: { ...json, variables: [] } }), 'BAD_REQUEST'],
    [await sandbox.call('GET', '/graphql', { query: json }), 'METHOD_NOT_ALLOWED'],
    [await sandbox.call('POST', '/graphql', { json, key: 'nobody' }), 'UNAUTHENTICATED'],
    [
      await sandbox.call('POST', '/graphql', { json, headers: { 'content-type': 'text/plain' } }),
      'UNSUPPORTED_MEDIA_TYPE',
    ],
  ] as const;
  for (const [{ body, rule }, code] of asked) {
    const extensions = {
      code,
      rule,
      section: expect.any(String),
      fix: { say: expect.any(String), edits: expect.any(Array) },
    };
    expect(body).toMatchObject({ errors: [{ extensions }], extensions: { traceId: expect.any(String) } });
    expect(JSON.stringify(body)).not.toContain('sandpiper-demo-key');
  }
});

test('a browser that opens the endpoint is redirected to the inspector', async () => {
  const answer = await sandbox.call('GET', '/graphql', {
    key: null,
    headers: { accept: 'text/html,application/xhtml+xml' },
  });
  expect(answer.status).toBe(302);
  expect(answer.headers.get('location')).toBe(`${sandbox.emulator.inspectorUrl}/#/try/graphql`);
});

test('a query by GET is not offered', async () => {
  const answer = await sandbox.call('GET', '/graphql', { query: { query: '{ __typename }' } });
  expect([answer.status, answer.rule, answer.headers.get('allow')]).toEqual([405, 'graphql.get', 'POST']);
});

test('a query that a client sends with GET is refused with the setting to change, and the fix sends the same query', async () => {
  const input = { type: 'Visit', user: { email: 'ada@example.com' } };
  const query = { query: createCustomEvent, variables: JSON.stringify({ input }), operationName: '' };
  const answer = await sandbox.call('GET', '/graphql', { query });
  expect(answer.body).toMatchObject({
    errors: [{ message: expect.stringMatching(/preferGetMethod: false in urql, useGETForQueries: false in Apollo/) }],
  });
  const { refusal } = await answer.exchange();
  expect(refusal?.fix.edits).toEqual([
    { op: 'set', place: { in: 'method', at: '' }, value: 'POST' },
    ...Object.keys(query).map((at) => ({ op: 'remove', place: { in: 'query', at } })),
    { op: 'replace-body', text: JSON.stringify({ query: createCustomEvent, variables: { input } }) },
  ]);
});

test('a client that asks for a WebSocket is told that the schema has no subscriptions', async () => {
  const request = get(`${sandbox.emulator.apiUrl}/graphql`, {
    headers: { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' },
  });
  const [answer] = (await once(request, 'response')) as [IncomingMessage];
  expect([answer.statusCode, answer.headers['x-sandbox-rule']]).toEqual([405, 'graphql.get']);
  expect(await text(answer)).toContain('The schema has no subscriptions');
});

test('a fragment that a client defers is asked for at once by the fix', async () => {
  const { response } = await ask('{ viewer { ... @defer(label: "a") { installedApplication { id } } } }');
  expect(response.errors?.[0]?.extensions.fix).toEqual({
    say: 'Leave the directive out: a reply is always sent whole.',
    edits: [
      {
        op: 'set',
        place: { in: 'body', at: '/query' },
        value: '{ viewer { ... { installedApplication { id } } } }',
      },
    ],
  });
});

test('what refuses another method or spelling names POST only', async () => {
  const put = await sandbox.call('PUT', '/graphql', { json: { query: '{ __typename }' } });
  expect([put.status, put.headers.get('allow')]).toEqual([405, 'POST']);
  const misspelt = await sandbox.call('GET', '/GRAPHQL');
  expect(misspelt.body).toMatchObject({ message: expect.stringContaining('POST /v1/graphql') });
  await fetch(`${sandbox.emulator.apiUrl}/graphql`, { method: 'HEAD' });
  expect(sandbox.emulator.recorder.all().at(-1)?.refusal?.value).toBe('HEAD');
});

test.for([
  ['query Q($a: String) { __typename }', 'Leave $a out: the query does not use it.'],
  ['{ __typename } fragment F on Query { __typename }', 'Leave F out: the query does not use it.'],
  ['query Q { __typename } query Q { __typename }', 'Give each its own name.'],
  ['{ __typename @unheardOf }', 'Leave @unheardOf out: a query has only @include and @skip.'],
  ['{ qqqqqqqq }', 'Use a field of Query: node, nodes or viewer.'],
  ['subscription { message { id } }', 'Send a query, or create a webhook for what happens later.'],
  ['subscription S { one two three }', 'Send a query, or create a webhook for what happens later.'],
])('the advice for %s fits the error', async ([query = '', say]) => {
  const { response } = await ask(query);
  expect(response.errors?.[0]?.extensions.fix).toMatchObject({ say });
});

test('a name that properties has twice is noted', async () => {
  const input = { type: 'Visit', properties: '{"a":1,"a":2}', user: { email: 'ada@example.com' } };
  const { exchange } = await ask(createCustomEvent, { input });
  expect((await exchange()).notes.join()).toContain('properties has the name "a" more than once');
});

const productView =
  'mutation ($input: SendProductViewEventInput!) { productViewEvent(input: $input) { products { productId productPrices { amount } } } }';
const visitor = { phone: '+15555550100' };

test('prices of an e-commerce event are optional, as in the schema', async () => {
  const products = [{ productId: 'a', productVariantId: 'b' }];
  const { response } = await ask(productView, { input: { visitor, products } });
  expect(response).toMatchObject({ data: { productViewEvent: { products: [{ productId: 'a', productPrices: [] }] } } });
  expect(events()[0]?.body['items']).toEqual([{ productId: 'a', productVariantId: 'b', price: [] }]);
});

test('a refusal names only the fields of the GraphQL request', async () => {
  const unnamed = [{ productId: '', productVariantId: 'b', productName: 'Shirt', productPrices: [{ amount: '1' }] }];
  const { response } = await ask(productView, { input: { visitor, products: unnamed } });
  expect(response.errors?.[0]?.message).toBe('products.0.productId must not be empty.');
  const subscribe = 'mutation ($input: SubscribeInput!) { subscribe(input: $input) { subscribeResults { channel } } }';
  const user = { email: 'ada@example.com' };
  const [nothing] = (await ask(subscribe, { input: { user } })).response.errors ?? [];
  expect(nothing?.message).toContain('signupSourceId');
  expect(nothing?.message).not.toMatch(/signUpSourceId|subscriptionType/);
  const locale = { language: 'en', country: 'US' };
  const [unknown] = (await ask(subscribe, { input: { user, locale, type: 'TYPE_UNKNOWN' } })).response.errors ?? [];
  expect(unknown?.message).toMatch(/^type must be one of "TYPE_MARKETING", .*not "TYPE_UNKNOWN"/);
  const elsewhere = { language: 'de', country: 'DE' };
  const [none] =
    (await ask(subscribe, { input: { user, locale: elsewhere, type: 'TYPE_MARKETING' } })).response.errors ?? [];
  expect(none?.message).toContain('and type TYPE_MARKETING');
  expect(none?.message).not.toMatch(/\bMARKETING\b/);
});

test.each([
  ['{"size":null}', 'attributes.null-value'],
  ['{"favorite color":"purple"}', 'attributes.fixed-values'],
])('where REST proposes no value, the fix of %s does not send it again', async (properties, rule) => {
  const mutation = 'mutation ($input: SetCustomAttributesInput!) { setCustomAttributes(input: $input) { properties } }';
  const { response } = await ask(mutation, { input: { properties, user: visitor } });
  expect(response.errors?.[0]?.extensions).toMatchObject({ rule, fix: { edits: [] } });
});

test('a field that was sent as an empty text is noted as left out, as by REST', async () => {
  const user = { ...visitor, externalIdentifiers: { clientUserId: '' } };
  const { response, exchange } = await ask(createCustomEvent, { input: { type: 'Visit', externalEventId: '', user } });
  expect(response.data).toMatchObject({ createCustomEvent: { externalEventId: expect.stringMatching(uuid) } });
  expect((await exchange()).notes).toEqual([
    'externalEventId was sent as ""; it was read as left out.',
    'user.externalIdentifiers.clientUserId was sent as ""; it was read as left out. Leave it out if there is no value.',
  ]);
});

test('the reply does not repeat identifiers that were read as left out', async () => {
  const externalIdentifiers = { clientUserId: ' ', customIdentifiers: [{ name: 'loyaltyId', value: '' }] };
  const user = { email: 'ada@example.com', phone: ' ', externalIdentifiers };
  const { response } = await ask(createCustomEvent, { input: { type: 'Visit', user } });
  expect(response.data).toMatchObject({
    createCustomEvent: {
      user: {
        email: 'ada@example.com',
        phone: null,
        externalIdentifiers: { clientUserId: null, customIdentifiers: [] },
      },
    },
  });
});

test('a note names only the fields and the values of the GraphQL request', async () => {
  const user = { phone: '+15555550100' };
  const notesOf = async (query: string, input: unknown) => (await (await ask(query, { input })).exchange()).notes;
  const subscribe = 'mutation ($input: SubscribeInput!) { subscribe(input: $input) { subscribeResults { channel } } }';
  expect(await notesOf(subscribe, { user, signupSourceId: '100001', type: 'TYPE_TRANSACTIONAL' })).toEqual([
    'type TYPE_TRANSACTIONAL contradicts sign-up unit 100001, which is for TYPE_MARKETING; the unit counts (assumed).',
  ]);
  const unsubscribe =
    'mutation ($input: UnsubscribeInput!) { unsubscribe(input: $input) { unsubscribeResults { type } } }';
  const subscriptions = [
    { type: 'TYPE_MARKETING', channel: 'CHANNEL_EMAIL' },
    { type: 'TYPE_CHECKOUT_ABANDONED', channel: 'CHANNEL_TEXT' },
  ];
  expect(await notesOf(unsubscribe, { user, subscriptions })).toEqual([
    'TYPE_MARKETING by CHANNEL_EMAIL was not changed: only user.email selects CHANNEL_EMAIL subscriptions.',
    'TYPE_CHECKOUT_ABANDONED by CHANNEL_TEXT was never on file for +15555550100; it is answered as unsubscribed before (assumed).',
  ]);
  expect(await notesOf(productView, { visitor: { ...visitor, email: 'items@example.com' }, products: [] })).toEqual([
    'The event has no products, so there is nothing to build a message on.',
    expect.stringMatching(/^items@example\.com is a new email of person/),
  ]);
});

test('a subscription operation is told that the schema has none', async () => {
  const { response } = await ask('subscription Told { viewer { __typename } }', {});
  expect(response.errors?.[0]).toMatchObject({
    message: 'The schema has no subscriptions. Send a query or a mutation; webhooks tell what happens.',
    extensions: { rule: 'graphql.subscription' },
  });
});

test('an unknown webhook is named by the id that was sent, and no other one is proposed', async () => {
  await sandbox.call('POST', '/webhooks', { json: { url: 'http://localhost:3000/a', events: ['sms.sent'] } });
  const sent = Buffer.from('07:Webhook99999').toString('base64url');
  const { response } = await ask('mutation ($id: ID!) { deleteWebhook(input: { id: $id }) { deleted } }', { id: sent });
  expect(response.errors?.[0]?.message).toContain(`"${sent}"`);
  expect(response.errors?.[0]?.extensions.fix).toMatchObject({ edits: [] });
});

test('a value that is shortened in the message is still an error of its own field', async () => {
  const type = `${'a'.repeat(77)}\\${'"'.repeat(20)}`;
  const { response } = await ask(createCustomEvent, { input: { type, properties: '{}', user: visitor } });
  expect(response.errors?.[0]?.extensions.rule).toBe('custom-events.type-characters');
});

test('CurrencyCode has the codes of ISO 4217, and CURRENCY_UNKNOWN', async () => {
  const { response } = await ask('{ code: __type(name: "CurrencyCode") { enumValues { name } } }');
  const { enumValues } = (response.data as { code: { enumValues: { name: string }[] } }).code;
  const names = new Set(enumValues.map(({ name }) => name));
  for (const code of ['CURRENCY_UNKNOWN', 'USD', 'JPY', 'ZWG']) expect(names).toContain(code);
  expect(names).not.toContain('DEM');
});
