import { beforeEach, expect, test } from 'vitest';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { useSandbox, type CallOptions } from '../support/sandbox.ts';

const sandbox = useSandbox();
beforeEach(() => sandbox.reset());

const user = { phone: '+15555550100' };
const post = (json: unknown, options: CallOptions = {}) => sandbox.call('POST', '/events/custom', { json, ...options });
const events = () => [...sandbox.emulator.deps.store.events.all()];

test('the documented event is stored completely, in UTC, with an empty reply', async () => {
  const properties = {
    mediaUrl: 'https://cdn.example.com/images/sample-image.jpg',
    orderStatusURL: 'https://example.com/orderstatus/54321',
    'Order Id': '54321',
    products: ['productId1', 'productId2'],
    shipment: { carrier: 'fedex', trackingNumber: '12345' },
  };
  const externalEventId = '37fb97a9-6cfd-4983-bd65-68d104d53b70';
  const answer = await post({
    type: 'Order Shipped',
    properties,
    externalEventId,
    occurredAt: '2021-03-30T16:38:29.000+02:00',
    user,
  });
  expect([answer.status, answer.text]).toEqual([200, '']);
  expect(events()).toEqual([
    expect.objectContaining({
      kind: 'custom',
      type: 'Order Shipped',
      externalEventId,
      occurredAt: '2021-03-30T14:38:29.000Z',
      startsJourneys: false,
      body: {
        properties,
        shortened: {
          [properties.mediaUrl]: expect.stringContaining('/l/'),
          [properties.orderStatusURL]: expect.stringContaining('/l/'),
        },
      },
      userId: sandbox.emulator.deps.users.find(demoCompany, user)[0]?.id,
    }),
  ]);
  expect((await answer.exchange()).notes.join()).toContain('only in email messages');
});

test('two types that differ in case are two', async () => {
  await post({ type: 'order shipped', user });
  await post({ type: 'Order Shipped', user });
  expect(events().map(({ type }) => type)).toEqual(['order shipped', 'Order Shipped']);
});

test('the user need not be subscribed, nor be known by phone or email', async () => {
  const answer = await post({ type: 'Visit', user: { externalIdentifiers: { clientUserId: 'visitor-1' } } });
  expect(answer.status).toBe(200);
  expect((await answer.exchange()).notes.join()).toContain('POST /identity-resolution/user-identifiers');
});

test.each([
  [
    '2026-03-30T14:38:29',
    ['occurredAt "2026-03-30T14:38:29" has no offset from UTC; it was read as 2026-03-30T14:38:29.000Z.'],
  ],
  ['20260330T1438', ['occurredAt "20260330T1438" has no offset from UTC; it was read as 2026-03-30T14:38:00.000Z.']],
  ['2026-03-30T14:38:29+0000', []],
  ['2026-03-30T14:38-05', []],
  ['2026-03-30t14:38:29z', []],
])('an occurredAt without an offset is read as UTC with a note: %s', async (occurredAt, notes) => {
  sandbox.emulator.deps.clock.freeze(true);
  await sandbox.emulator.deps.clock.set(Date.parse('2026-03-30T15:00:00Z'));
  expect((await (await post({ type: 'Visit', occurredAt, user })).exchange()).notes).toEqual(notes);
});

test('an occurredAt without a value is read as now, and a note says so', async () => {
  sandbox.emulator.deps.clock.freeze(true);
  for (const occurredAt of [null, '']) {
    const { notes } = await (await post({ type: 'Visit', occurredAt, user })).exchange();
    expect(notes).toEqual([expect.stringContaining('it was read as left out, which means now')]);
  }
  const asNow = { occurredAt: new Date(sandbox.emulator.deps.clock.now()).toISOString(), startsJourneys: true };
  expect(events()).toMatchObject([asNow, asNow]);
});

test.for([
  [
    'a list',
    [
      { name: ' ', value: 'x' },
      { name: 'tier', value: ' ' },
      { name: 'loyaltyId', value: 'L-1' },
    ],
  ],
  ['a map', { ' ': 'x', tier: null, loyaltyId: 'L-1' }],
] as const)(
  'of custom identifiers in %s those without a name or a value are left out, with a note',
  async ([, sent]) => {
    const { notes } = await (
      await post({ type: 'Visit', user: { externalIdentifiers: { customIdentifiers: sent } } })
    ).exchange();
    expect(notes).toContain('Custom identifiers without a name or a value were left out.');
    expect(sandbox.emulator.deps.store.users.records().at(-1)).toMatchObject({
      customIdentifiers: [{ name: 'loyaltyId', value: 'L-1' }],
    });
  },
);

test.for([{ shopifyId: 's-1' }, { klaviyoId: 'k-1' }])(
  'a user with %j alone is accepted, and a note says that it is not documented',
  async (externalIdentifiers) => {
    const answer = await post({ type: 'Visit', user: { externalIdentifiers } });
    expect(answer.status).toBe(200);
    expect((await answer.exchange()).notes.join()).toContain('not external identifiers of an event');
  },
);

test('a repeated externalEventId gets the same reply and is not stored twice', async () => {
  const json = { type: 'Visit', externalEventId: 'e-1', user };
  await post(json);
  const again = await post({ ...json, properties: { page: 'other' } });
  expect([again.status, again.text]).toEqual([200, '']);
  expect(events()).toMatchObject([{ body: { properties: {} } }]);
  expect((await again.exchange()).notes.join()).toMatch(/dropped as a duplicate.*sent before.*stays as it was/);
});

test('an old event that is dropped as a duplicate is not said to be stored', async () => {
  const json = { type: 'Visit', externalEventId: 'e-1', occurredAt: '2020-01-01T00:00:00Z', user };
  expect((await (await post(json)).exchange()).notes).toEqual([expect.stringContaining('it was stored, but')]);
  expect((await (await post(json)).exchange()).notes).toEqual([expect.stringContaining('dropped as a duplicate')]);
});

test.for([
  ['type', { type: 'Order Shipped' }],
  ['user', { user: { email: 'somebody-new@example.com' } }],
] as const)('the same externalEventId of another %s is another event', async ([, change]) => {
  const json = { type: 'Visit', externalEventId: 'e-1', user };
  await post(json);
  const other = await post({ ...json, ...change });
  expect(events()).toHaveLength(2);
  expect((await other.exchange()).notes.join()).not.toContain('dropped');
});

test('the same externalEventId of another company is another event', async () => {
  const json = { type: 'Visit', externalEventId: 'e-1', user };
  await post(json);
  await post(json, { key: 'sandpiper-other-key' });
  expect(events()).toHaveLength(2);
});

test('201 properties are stored, with a note', async () => {
  const properties = Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`key ${at}`, at]));
  const answer = await post({ type: 'Visit', properties, user });
  expect(answer.status).toBe(200);
  expect(events()[0]?.body['properties']).toEqual(properties);
  expect((await answer.exchange()).notes.join()).toContain('200');
});

test('a URL longer than 1,024 characters is stored, and noted as not shortened', async () => {
  const urlOf = (length: number) => 'https://shop.example.com/'.padEnd(length, 'x');
  const fits = await post({ type: 'Visit', properties: { page: urlOf(1024) }, user });
  expect((await fits.exchange()).notes).toEqual([]);
  const long = await post({ type: 'Visit', properties: { page: urlOf(1025) }, user });
  expect((await long.exchange()).notes.join()).toContain('not shortened');
});

test.for(['"', '{', '}', '[', ']', '\\', '|'])(
  'a property name with %s is refused, but accepted inside a nested object',
  async (character) => {
    const refused = await post({ type: 'Visit', properties: { [`a${character}b`]: 1 }, user });
    expect([refused.status, refused.rule]).toEqual([400, 'custom-events.property-key']);
    expect(events()).toEqual([]);
    expect((await post({ type: 'Visit', properties: { inner: { [`a${character}b`]: 1 } }, user })).status).toBe(200);
  },
);

test.for(["'", '(', ')', ',', '/'])('a property name with %s is accepted', async (character) => {
  expect((await post({ type: 'Visit', properties: { [`a${character}b`]: 1 }, user })).status).toBe(200);
});

test.for([...`"'(){}[]\\|,`])('a type with %s is refused', async (character) => {
  const answer = await post({ type: `Order${character}`, user });
  expect([answer.status, answer.rule]).toEqual([400, 'custom-events.type-characters']);
  expect(events()).toEqual([]);
});

test('a comma in a type is named in words, and of a type without other characters no new one is made up', async () => {
  const one = await post({ type: 'Order, paid', user });
  expect((one.body as { message: string }).message).toContain('contains a comma, which is not allowed there');
  const two = await post({ type: 'Order, (paid', user });
  expect((two.body as { message: string }).message).toContain('contains a comma and (, which are not allowed there');
  const none = await post({ type: ' ,()', user });
  expect((await none.exchange()).refusal?.fix).toMatchObject({ edits: [] });
});

test('a property that is called mediaUrl may have any value; a note says that it shows no image', async () => {
  for (const mediaUrl of [5, null, { width: 1 }, 'notes about the picture']) {
    const answer = await post({ type: 'Visit', properties: { mediaUrl }, user });
    expect(answer.status).toBe(200);
    const { notes } = await answer.exchange();
    expect(notes.join()).toContain(
      `properties.mediaUrl is ${JSON.stringify(mediaUrl)}, which is not an http or https URL`,
    );
  }
});

const oddKey =
  'A key inside a nested object has a character that keys of properties must not have; it was accepted (assumed).';
const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${at}`, at]));
test.for([
  ['an odd key in an object', { order: { 'a|b': 1 } }, oddKey],
  ['an odd key in an object of a list', { order: [{ id: 1 }, { lines: { 'a|b': 1, id: 2 } }] }, oddKey],
  [
    'a list',
    { order: null, id: 1, list: [1, 'a'] },
    '"list": lists and nested objects can be used only in email messages',
  ],
  [
    '201 keys',
    many(201),
    'The event has 201 properties; beyond 200 of a type they are stored but cannot be used (observed).',
  ],
] as const)('%s is remarked upon once', async ([, properties, remark]) => {
  const { notes } = await (await post({ type: 'Visit', properties, user })).exchange();
  expect(notes.filter((note) => note.startsWith(remark))).toHaveLength(1);
  expect(notes.filter((note) => !note.startsWith(remark) && !note.includes('nested objects can'))).toEqual([]);
});

test.for([[{ order: null, 'a,b': "it's" }], [many(200)], [{ mediaUrl: 'https://cdn.example.com/a.png' }]] as const)(
  '%j has no remark',
  async ([properties]) => {
    expect((await (await post({ type: 'Visit', properties, user })).exchange()).notes).toEqual([]);
  },
);

test.for([
  ['properties', null],
  ['mediaUrl', null],
  ['mediaUrl', ''],
  ['externalEventId', null],
  ['externalEventId', ''],
] as const)('%s sent as %j is read as left out, and a note says so', async ([name, value]) => {
  const answer = await post({ type: 'Visit', [name]: value, user });
  expect(answer.status).toBe(200);
  expect((await answer.exchange()).notes).toContain(
    `${name} was sent as ${JSON.stringify(value)}; it was read as left out.`,
  );
  expect(events()[0]?.body).toEqual({ properties: {} });
});

test('a URL with a user name is one for an image', async () => {
  const link = 'https://u:p@example.com/a.png';
  expect((await post({ type: 'Visit', mediaUrl: link, user })).status).toBe(200);
  expect(events()[0]?.body).toMatchObject({ mediaUrl: link });
});

test.for([
  ['an empty type', { type: '', user }, 'input.size'],
  ['no type', { user }, 'input.required'],
  ['properties as JSON text', { type: 'Visit', properties: '{"a":1}', user }, 'custom-events.properties-object'],
  ['properties as a list', { type: 'Visit', properties: [1], user }, 'input.type'],
  [
    'a mediaUrl at the top that is not a URL',
    { type: 'Visit', mediaUrl: 'ftp://example.com/a.png', user },
    'custom-events.media-url',
  ],
] as const)('%s is refused and nothing is kept', async ([, json, rule]) => {
  const answer = await post(json);
  expect([answer.status, answer.rule]).toEqual([400, rule]);
  expect(events()).toEqual([]);
});

test('the fix for properties as JSON text is the object', async () => {
  const answer = await post({ type: 'Visit', properties: '{"a":1}', user });
  expect((await answer.exchange()).refusal?.fix.edits).toEqual([
    { op: 'set', place: { in: 'body', at: '/properties' }, value: { a: 1 } },
  ]);
});

test('it needs the scope events:write', async () => {
  expect((await post({ type: 'Visit', user }, { key: 'sandpiper-readonly-key' })).rule).toBe('auth.scope');
  expect(events()).toEqual([]);
});
