import { beforeEach, expect, test } from 'vitest';
import { demoCompany, otherCompany } from '../../emulator/declared-world/demo.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

beforeEach(() => sandbox.reset());

const link = (json: unknown, key = 'sandpiper-demo-key') =>
  sandbox.call('POST', '/identity-resolution/user-identifiers', { json, key });
const find = (by: { phone?: string; email?: string; clientUserId?: string }) =>
  sandbox.emulator.deps.users.find(demoCompany, by);

test('identifiers are attached to the person who has one of them; the reply is empty', async () => {
  const answer = await link({
    email: 'ada@example.com',
    clientUserId: 'c-1',
    shopifyId: 's-1',
    klaviyoId: 'k-1',
    customIdentifiers: [{ name: 'loyaltyId', value: 'L-1' }],
  });
  expect([answer.status, answer.text]).toEqual([202, '']);
  expect(find({ clientUserId: 'c-1' })).toMatchObject([
    {
      addresses: [{ value: '+15555550100' }, { value: 'ada@example.com' }],
      shopifyIds: ['s-1'],
      klaviyoIds: ['k-1'],
      customIdentifiers: [{ name: 'loyaltyId', value: 'L-1' }],
    },
  ]);
});

test('unknown identifiers create a person', async () => {
  await link({ clientUserId: 'c-9', phone: '+15555550177' });
  expect(find({ phone: '+15555550177' })).toMatchObject([{ clientUserIds: ['c-9'] }]);
});

test('duplicated values merge people, with all their records', async () => {
  await link({ clientUserId: 'c-1', phone: '+15555550101' });
  const answer = await link({ clientUserId: 'c-1', email: 'grace@example.com' });
  expect(find({ phone: '+15555550101', email: 'grace@example.com' })).toHaveLength(1);
  expect((await answer.exchange()).notes.join()).toContain('2 people');
  const read = await sandbox.call('GET', '/subscriptions', { query: { email: 'grace@example.com' } });
  expect((read.body as { subscriptionEligibilities: readonly unknown[] }).subscriptionEligibilities).toHaveLength(3);
});

const phone = '+15555550177';
const email = 'joan@example.com';

test.for([
  { clientUserId: 'c-1' },
  { shopifyId: 's-1' },
  { klaviyoId: 'k-1' },
  { customIdentifiers: [{ name: 'loyaltyId', value: 'L-1' }] },
])('%j finds the person who has it', async (identifier) => {
  await link({ phone, customIdentifiers: [{ name: 'posId', value: 'P-1' }], ...identifier });
  await link({ email, customIdentifiers: [{ name: 'posId', value: 'P-2' }], ...identifier });
  expect(find({ phone, email })).toHaveLength(1);
});

test.for([
  { clientUserId: 'c-2' },
  { shopifyId: 's-1' },
  { klaviyoId: 'k-1' },
  { customIdentifiers: [{ name: 'loyaltyId', value: 'L-1' }] },
  { phone },
  { email },
])('%j is attached to a person of whom everything else is known', async (identifier) => {
  await link({ clientUserId: 'c-1', phone: '+15555550100' });
  await link({ clientUserId: 'c-1', phone: '+15555550100', ...identifier });
  expect(sandbox.emulator.deps.users.find(demoCompany, identifier)).toEqual(find({ phone: '+15555550100' }));
});

test('people who become one have the identifiers of both', async () => {
  const ofNumber = (number: number) => ({
    clientUserId: `c-${number}`,
    shopifyId: `s-${number}`,
    klaviyoId: `k-${number}`,
    customIdentifiers: [{ name: 'loyaltyId', value: `L-${number}` }],
  });
  await link({ phone, ...ofNumber(1) });
  await link({ email, ...ofNumber(2) });
  await link({ phone, email, clientUserId: 'c-1' });
  expect(find({ phone, email })).toMatchObject([
    {
      addresses: [{ value: phone }, { value: email }],
      clientUserIds: ['c-1', 'c-2'],
      shopifyIds: ['s-1', 's-2'],
      klaviyoIds: ['k-1', 'k-2'],
      customIdentifiers: [
        { name: 'loyaltyId', value: 'L-1' },
        { name: 'loyaltyId', value: 'L-2' },
      ],
    },
  ]);
});

test('who was merged into a person stays on record when that person becomes part of another', async () => {
  await link({ phone, clientUserId: 'c-1' });
  await link({ email, clientUserId: 'c-2' });
  const [one, other] = [find({ phone })[0], find({ email })[0]];
  await link({ phone, email, clientUserId: 'c-1' });
  await link({ phone: '+15555550100', clientUserId: 'c-1' });
  const [ada] = find({ phone: '+15555550100' });
  expect(ada?.merged.map(({ id }) => id)).toEqual([other?.id, one?.id]);

  await link({ clientUserId: 'c-3', phone: '+15555550101' });
  const [third] = find({ phone: '+15555550101' });
  await link({ clientUserId: 'c-3', phone: '+15555550100' });
  const [whole] = find({ phone: '+15555550100' });
  expect(whole?.merged.map(({ id }) => id)).toEqual([other?.id, one?.id, third?.id]);
});

test.for([
  [{ clientUserId: 'X-1' }, { shopifyId: 'X-1' }],
  [{ shopifyId: 'X-1' }, { klaviyoId: 'X-1' }],
  [{ klaviyoId: 'X-1' }, { clientUserId: 'X-1' }],
  [
    { customIdentifiers: [{ name: 'loyaltyId', value: 'X-1' }] },
    { customIdentifiers: [{ name: 'posId', value: 'X-1' }] },
  ],
  [
    { customIdentifiers: [{ name: 'loyaltyId', value: 'X-1' }] },
    { customIdentifiers: [{ name: 'loyaltyId', value: 'x-1' }] },
  ],
])('%j and %j are of two people', async ([one, other]) => {
  await link({ phone, clientUserId: 'c-1', ...one });
  await link({ email, clientUserId: 'c-2', ...other });
  expect(find({ phone, email })).toHaveLength(2);
});

test.for([
  [{ clientUserId: 'c-1', customIdentifiers: [{ name: 'loyaltyId', value: 'L-1' }] }],
  [{ customIdentifiers: { loyaltyId: 'L-1', posId: 'P-1' } }],
  [{ customIdentifiers: { loyaltyId: 'X-1', posId: 'X-1' } }],
  [
    {
      customIdentifiers: [
        { name: 'loyaltyId', value: 'L-1' },
        { name: 'loyaltyId', value: 'L-2' },
      ],
    },
  ],
  [{ customIdentifiers: [{ name: 'loyaltyId', value: 'L-1' }], klaviyoId: 'k-1' }],
  [{ clientUserId: 'c-1', shopifyId: 's-1' }],
  [{ clientUserId: 'c-1', email: 'grace@example.com' }],
])('%j is enough', async ([json]) => {
  expect((await link(json)).status).toBe(202);
});

test.for([
  [undefined, 'identity.own-identifier'],
  [{}, 'identity.own-identifier'],
  [{ phone: '+15555550101', email: 'grace@example.com' }, 'identity.own-identifier'],
  [{ shopifyId: 's-1', klaviyoId: 'k-1' }, 'identity.own-identifier'],
  [{ clientUserId: 'c-1' }, 'identity.accompanied'],
  [
    {
      customIdentifiers: [
        { name: 'a', value: '1' },
        { name: 'a', value: '1' },
      ],
    },
    'identity.accompanied',
  ],
  [{ clientUserId: 'c-1', phone: null }, 'identity.no-blanks'],
  [{ clientUserId: 'c-1', email: '' }, 'identity.no-blanks'],
  [{ clientUserId: '  ', phone: '+15555550101' }, 'identity.no-blanks'],
  [{ phone: '+15555550101', customIdentifiers: { loyaltyId: ' ' } }, 'identity.no-blanks'],
  [{ clientUserId: 'c-1', customIdentifiers: [{ name: 'loyaltyId', value: '' }] }, 'identity.no-blanks'],
  [{ clientUserId: 'c-1', phone: '+15555550101', customIdentifiers: null }, 'identity.no-blanks'],
  [{ clientUserId: 'c-1', customIdentifiers: { loyaltyId: null } }, 'identity.no-blanks'],
  [{ clientUserId: 'c-1', phone: '15555550101' }, 'identity.phone-e164'],
  [{ clientUserId: 'c-1', email: 'grace' }, 'identity.email'],
  [{ clientUserId: 'c'.repeat(101), phone: '+15555550101' }, 'input.size'],
  [{ clientUserId: 'c-1', customIdentifiers: [{ name: 'loyaltyId', value: 'L'.repeat(101) }] }, 'input.size'],
  [{ clientUserId: 'c-1', customIdentifiers: { loyaltyId: 'L'.repeat(101) } }, 'input.size'],
  [{ clientUserId: 'c-1', customIdentifiers: { ['n'.repeat(101)]: 'L-1' } }, 'input.size'],
  [{ clientUserId: 1, phone: '+15555550101' }, 'input.type'],
  [{ clientUserId: 'c-1', customIdentifiers: { loyaltyId: 1 } }, 'input.type'],
] as const)('%j is refused by %s and links nothing', async ([json, rule]) => {
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument().collections);
  const answer = await link(json);
  expect([answer.status, answer.rule]).toEqual([400, rule]);
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument().collections)).toBe(before);
});

test('a fix that leaves blanks out is offered only if what is left names the person', async () => {
  const fixOf = async (json: object) =>
    (await (await sandbox.call('POST', '/identity-resolution/user-identifiers', { json })).exchange()).refusal?.fix;
  const enough = await fixOf({ clientUserId: 'c-1', email: 'ada@example.com', phone: '' });
  expect(enough?.edits).toEqual([{ op: 'remove', place: { in: 'body', at: '/phone' } }]);
  const alone = await fixOf({ clientUserId: '', phone: '+15555550101' });
  expect(alone).toEqual({
    say: 'Leave out clientUserId, and name the person by a clientUserId or a custom identifier, and by one further identifier.',
    edits: [],
  });
});

test('of a map of identifiers a name that is too long is called that, and not its value', async () => {
  const name = 'n'.repeat(101);
  const answer = await link({ clientUserId: 'c-1', customIdentifiers: { [name]: 'L-1' } });
  expect((answer.body as { message: string }).message).toBe(
    `The name customIdentifiers.${name} must have at most 100 characters; it has 101.`,
  );
  expect((await answer.exchange()).refusal?.fix.say).toBe('Send a name of at most 100 characters.');
});

test('one entry without its list is one identifier, wherever it is sent, and no name that people share', async () => {
  const externalIdentifiers = (value: string) => ({ customIdentifiers: { name: 'loyaltyId', value } });
  const linked = await link({ phone, ...externalIdentifiers('L-1') });
  await sandbox.call('POST', '/events/custom', {
    json: { type: 'Visit', user: { email, externalIdentifiers: externalIdentifiers('L-2') } },
  });
  expect(find({ phone, email }).map(({ customIdentifiers }) => customIdentifiers)).toEqual([
    [{ name: 'loyaltyId', value: 'L-1' }],
    [{ name: 'loyaltyId', value: 'L-2' }],
  ]);
  expect((await linked.exchange()).notes.join()).toContain('customIdentifiers was sent as an object');
});

test('one entry without its list is left out as a whole if it has a blank', async () => {
  const answer = await link({ clientUserId: 'c-1', phone, customIdentifiers: { name: 'loyaltyId', value: '' } });
  expect((await answer.exchange()).refusal?.fix).toEqual({
    say: 'Leave out customIdentifiers.',
    edits: [{ op: 'remove', place: { in: 'body', at: '/customIdentifiers' } }],
  });
});

test('without any identifier the fix asks for two, with a phone only for the own one', async () => {
  const sayFix = async (json: unknown) => (await (await link(json)).exchange()).refusal?.fix.say;
  expect(await sayFix({})).toBe(
    'Add the clientUserId that the person has in your system, and the phone or the email address of the person.',
  );
  expect(await sayFix({ phone })).toBe('Add the clientUserId that the person has in your system.');
});

test('all blanks are named at once', async () => {
  const answer = await link({
    clientUserId: 'c-1',
    phone: null,
    customIdentifiers: [{ name: 'loyaltyId', value: '' }],
  });
  expect((answer.body as { message: string }).message).toContain('phone, customIdentifiers.0');
});

test('an identifier of exactly 100 characters is accepted', async () => {
  expect((await link({ clientUserId: 'c'.repeat(100), phone: '+15555550101' })).status).toBe(202);
});

test('a person with the same phone in another company stays separate', async () => {
  await link({ clientUserId: 'c-1', phone: '+15555550100' }, 'sandpiper-other-key');
  expect(find({ clientUserId: 'c-1' })).toEqual([]);
  expect(sandbox.emulator.deps.users.find(otherCompany, { clientUserId: 'c-1' })).toMatchObject([
    { addresses: [{ channel: 'TEXT' }] },
  ]);
});

test('an identifier of only white space does not count, wherever it is sent, and bridges no people', async () => {
  const externalIdentifiers = { clientUserId: ' ', customIdentifiers: [{ name: 'loyaltyId', value: '\t' }] };
  for (const phone of ['+15555556001', '+15555556002']) {
    const user = { phone, externalIdentifiers };
    const event = await sandbox.call('POST', '/events/custom', { json: { type: 'Visit', user } });
    const { notes } = await event.exchange();
    const subscribed = await sandbox.call('POST', '/subscriptions', { json: { user, signUpSourceId: '100001' } });
    expect([event.status, subscribed.status]).toEqual([200, 202]);
    expect(notes.join()).toContain('user.externalIdentifiers.clientUserId was sent as " "');
    expect(find({ phone })).toMatchObject([{ clientUserIds: [], customIdentifiers: [] }]);
  }
});
