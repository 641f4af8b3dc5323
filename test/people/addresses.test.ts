import { beforeEach, expect, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';
import { createDoors } from './support.ts';

const sandbox = useSandbox();
let doors: ReturnType<typeof createDoors>;

/** Ada in the demo data is subscribed to marketing at both. */
const phone = '+15555550100';
const email = 'ada@example.com';
const second = { phone: '+15555550190', email: 'ada.second@example.com' };

beforeEach(async () => {
  await sandbox.reset();
  doors = createDoors(sandbox);
  await doors.listen();
});

const statuses = ({ body }: { readonly body: unknown }): readonly string[] =>
  (body as { subscriptionResponses: { subscriptionCreationStatus: string }[] }).subscriptionResponses.map(
    ({ subscriptionCreationStatus }) => subscriptionCreationStatus,
  );

test('a new number of a known person is newly created, with its own event and message, and a note', async () => {
  const answer = await doors.subscribe({ phone: second.phone, email });
  expect(statuses(answer)).toEqual(['NEWLY_CREATED', 'PREVIOUSLY_CREATED']);
  expect(doors.sent()).toEqual([
    { type: 'sms.subscribed', phone: second.phone, email },
    { type: 'sms.sent', phone: second.phone, email },
  ]);
  expect(doors.texts(second.phone)).toEqual(['Automatic: confirm']);
  expect(doors.texts(phone)).toEqual([]);
  const { notes } = await answer.exchange();
  expect(notes).toEqual([expect.stringContaining(`${second.phone} is a new phone of person`)]);
  // This request subscribed it, so the note must not say that it has no subscriptions.
  expect(notes.join()).not.toContain('has no subscriptions');
});

test('a second email of a known person is newly created, with its own event', async () => {
  const answer = await doors.subscribe({ phone, email: second.email });
  expect(statuses(answer)).toEqual(['PREVIOUSLY_CREATED', 'NEWLY_CREATED']);
  expect(doors.sent().filter(({ type }) => type === 'email.subscribed')).toEqual([
    { type: 'email.subscribed', phone, email: second.email },
  ]);
});

test.for([
  ['REST', () => doors.unsubscribe({ email: second.email })],
  ['GraphQL', () => doors.graphqlUnsubscribe({ email: second.email })],
  [
    'the link in an email',
    async () => {
      await doors.compose({ subscriber: { email: second.email }, channel: 'EMAIL', subject: 'Sale', text: 'Sale' });
      expect(doors.sent()).toMatchObject([{ type: 'email.sent', email: second.email }]);
      return doors.act(doors.latest(second.email), { act: 'unsubscribe' });
    },
  ],
] as const)(
  'unsubscribing a second email by %s ends that one only, and the event names it',
  async ([, unsubscribe]) => {
    await doors.subscribe({ phone, email: second.email });
    doors.sent();
    await unsubscribe();
    expect(doors.sent()).toEqual([{ type: 'email.unsubscribed', phone, email: second.email }]);
    const [ada] = doors.people({ phone });
    expect(doors.subscriptionsOf(ada!)).toEqual([
      `${phone} MARKETING: subscribed`,
      `${email} MARKETING: subscribed`,
      `${second.email} MARKETING: unsubscribed`,
    ]);
  },
);

test.for([
  ['REST', (user: typeof second) => doors.unsubscribe(user)],
  ['GraphQL', (user: typeof second) => doors.graphqlUnsubscribe(user)],
] as const)('the events of an unsubscribe by %s name both addresses of the request', async ([, unsubscribe]) => {
  await doors.subscribe(second);
  await doors.subscribe({ phone, email: second.email });
  doors.sent();
  await unsubscribe({ phone, email: second.email });
  expect(doors.sent()).toEqual(
    ['sms.unsubscribed', 'email.unsubscribed', 'sms.sent'].map((type) => ({ type, phone, email: second.email })),
  );
});

test.for([
  ['REST', (to: string) => doors.unsubscribe({ phone: to })],
  ['GraphQL', (to: string) => doors.graphqlUnsubscribe({ phone: to })],
  ['the reply STOP', (to: string) => doors.act(doors.latest(to), { act: 'reply', text: 'STOP' })],
] as const)('unsubscribing a second phone by %s leaves the first', async ([, unsubscribe]) => {
  await doors.subscribe({ phone: second.phone, email });
  doors.sent();
  await unsubscribe(second.phone);
  expect(doors.sent()).toEqual([
    { type: 'sms.unsubscribed', phone: second.phone, email },
    { type: 'sms.sent', phone: second.phone, email },
  ]);
  expect(await doors.read({ phone })).toEqual(['MARKETING TEXT: true', 'MARKETING EMAIL: true']);
  expect(await doors.read({ phone: second.phone })).toEqual(['MARKETING TEXT: false', 'MARKETING EMAIL: true']);
});

test('START from a second phone renews only its subscriptions', async () => {
  await doors.subscribe({ phone: second.phone, email });
  await doors.unsubscribe({ phone });
  await doors.unsubscribe({ phone: second.phone });
  doors.sent();
  await doors.act(doors.latest(second.phone), { act: 'reply', text: 'START' });
  expect(doors.sent().map(({ type, phone: of }) => [type, of])).toEqual([
    ['sms.subscribed', second.phone],
    ['sms.sent', second.phone],
  ]);
  expect(await doors.read({ phone })).toContain('MARKETING TEXT: false');
});

test('an address that was unsubscribed and is subscribed again is newly created', async () => {
  await doors.subscribe({ phone: second.phone, email });
  await doors.unsubscribe({ phone: second.phone });
  doors.sent();
  expect(statuses(await doors.subscribe({ phone: second.phone }))).toEqual(['NEWLY_CREATED']);
  expect(doors.sent().map(({ type, phone: of }) => [type, of])).toEqual([
    ['sms.subscribed', second.phone],
    ['sms.sent', second.phone],
  ]);
});

test('GraphQL returns the requested address and its subscriptions', async () => {
  await doors.subscribe({ phone, email: second.email });
  await doors.unsubscribe({ email: second.email });
  expect(await doors.graphqlUser({ email: second.email })).toMatchObject({
    email: second.email,
    subscribedPhone: phone,
    subscriptions: [`${phone}: true`, `${second.email}: false`],
  });
  expect(await doors.graphqlUser({ email })).toMatchObject({
    email,
    subscriptions: [`${phone}: true`, `${email}: true`],
  });
  await doors.unsubscribe({ phone });
  for (const by of [{ phone }, { email }]) expect((await doors.graphqlUser(by))?.subscribedPhone).toBe('');
  expect(await doors.graphqlSubscribe({ email: second.email.toUpperCase() })).toEqual({
    subscribe: { subscribeResults: [{ destinationAddress: { value: second.email } }] },
  });
});

test('a read by an address lists on the other channel the subscriptions of all addresses, by REST and GraphQL', async () => {
  await doors.subscribe({ phone: second.phone, email });
  await doors.subscribe({ phone, email: second.email });
  const byEmail = await doors.graphqlUser({ email });
  expect(byEmail?.subscriptions.toSorted()).toEqual([`${phone}: true`, `${second.phone}: true`, `${email}: true`]);
  const byPhone = await doors.graphqlUser({ phone });
  expect(byPhone?.subscriptions.toSorted()).toEqual([`${phone}: true`, `${second.email}: true`, `${email}: true`]);
  // REST does not name addresses, so it has one entry for each type and channel.
  expect(await doors.read({ email })).toEqual(['MARKETING TEXT: true', 'MARKETING EMAIL: true']);
});

test('events about a message have the address that it was sent to', async () => {
  await doors.subscribe({ phone, email: second.email });
  await doors.compose({
    subscriber: { email: second.email },
    channel: 'EMAIL',
    subject: 'Sale',
    text: 'See https://shop.example.com/sale',
  });
  doors.sent();
  const mail = doors.latest(second.email);
  await doors.act(mail, { act: 'open' });
  await doors.act(mail, { act: 'click', link: 0 });
  expect(doors.sent().map(({ type, email: of }) => [type, of])).toEqual([
    ['email.opened', second.email],
    ['email.message_link_click', second.email],
  ]);
});

test('an attribute set for a second address is reported with that address', async () => {
  await doors.identify({ email, phone: second.phone, clientUserId: 'c-ada' });
  doors.sent();
  await sandbox.call('POST', '/attributes/custom', {
    json: { properties: { size: 'M' }, user: { phone: second.phone } },
  });
  expect(doors.sent()).toEqual([{ type: 'custom_attribute.set', phone: second.phone, email }]);
});

test('a message composed without an address is sent to a subscribed address', async () => {
  await doors.subscribe({ phone: second.phone, email });
  await doors.unsubscribe({ phone });
  const { body } = await doors.compose({ subscriber: { email }, channel: 'TEXT', text: 'Hello' });
  expect(body).toMatchObject({ to: second.phone });
  const refused = await doors.compose({ subscriber: { phone }, channel: 'TEXT', text: 'Hello' });
  expect(refused.status).toBe(400);
});

test('an address from an identity request has no subscriptions', async () => {
  await doors.identify({ phone: second.phone, email, clientUserId: 'c-ada' });
  const [ada] = doors.people({ phone: second.phone });
  expect(doors.subscriptionsOf(ada!)).toEqual([`${phone} MARKETING: subscribed`, `${email} MARKETING: subscribed`]);
  expect(ada?.addresses.at(-1)).toMatchObject({
    channel: 'TEXT',
    value: second.phone,
    from: { by: 'request', what: 'POST /identity-resolution/user-identifiers' },
  });
});

test('two people with the same email are merged: each phone keeps its own subscriptions', async () => {
  const [one, other] = ['+15555550191', '+15555550192'];
  await doors.subscribe({ phone: one, email: 'family@example.com' });
  await doors.subscribe({ phone: other, email: 'family@example.com' });
  const [family, ...others] = doors.people({ email: 'family@example.com' });
  expect(others).toEqual([]);
  await doors.unsubscribe({ phone: other });
  expect(doors.subscriptionsOf(family!)).toEqual([
    `${one} MARKETING: subscribed`,
    'family@example.com MARKETING: subscribed',
    `${other} MARKETING: unsubscribed`,
  ]);
  await doors.unsubscribe({ email: 'family@example.com' });
  expect(await doors.read({ phone: one })).toEqual(['MARKETING TEXT: true', 'MARKETING EMAIL: false']);
});

test.for([
  ['an event', () => doors.event({ type: 'Visit', user: { phone: '+15555550101', email: 'grace@example.com' } })],
  ['a subscription', () => doors.subscribe({ phone: '+15555550101', email: 'grace@example.com' }, '100002')],
  [
    'identity',
    async () => {
      await doors.identify({ email: 'grace@example.com', clientUserId: 'c-1' });
      return doors.identify({ phone: '+15555550101', clientUserId: 'c-1' });
    },
  ],
] as const)(
  '%s that names two people makes one of them, with every address and subscription, and says so',
  async ([, merge]) => {
    const [kept] = doors.people({ phone: '+15555550101' });
    const [gone] = doors.people({ email: 'grace@example.com' });
    const answer = await merge();
    const exchange = await answer.exchange();
    expect(exchange.notes.join()).toMatch(
      /person \d+ \(grace@example\.com[^)]*\) was merged into person \d+ \(\+15555550101/,
    );
    expect(exchange.changes).toContainEqual(expect.objectContaining({ kind: 'users', id: gone?.id, after: null }));

    const [one, ...others] = doors.people({ phone: '+15555550101', email: 'grace@example.com' });
    expect([one?.id, others]).toEqual([kept?.id, []]);
    expect(one?.merged).toMatchObject([{ id: gone?.id, externalId: gone?.externalId, from: { by: 'request' } }]);
    expect(one?.addresses.map(({ value, from }) => [value, from.by])).toEqual([
      ['+15555550101', 'demo'],
      ['grace@example.com', 'demo'],
    ]);
    expect(doors.subscriptionsOf(one!)).toContain('grace@example.com MARKETING: subscribed');
    const { body } = await sandbox.control('GET', `/control/people/${one?.id}/history`);
    expect(JSON.stringify(body)).toContain('Became one with grace@example.com');

    // Else a deletion of the one person would leave the address of the other.
    expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).not.toContain(`"userId":"${gone?.id}"`);
  },
);

test.for([[{ phone: second.phone }], [{ email }]])(
  'a deletion request for %j deletes the person with every address, and says how many',
  async ([by]) => {
    await doors.subscribe({ phone: second.phone, email });
    const [ada] = doors.people({ phone });
    const { body } = await doors.erase(by!);
    for (const address of [{ phone }, { email }, { phone: second.phone }]) {
      expect(doors.people(address)).toEqual([]);
      expect(await doors.read(address)).toBe(404);
      expect(await doors.graphqlUser(address)).toBe(null);
    }
    expect(doors.subscriptionsOf(ada!)).toEqual([]);
    expect(doors.texts(second.phone)).toEqual([]);
    const request = sandbox.emulator.deps.store.privacyRequests.get((body as { id: string }).id);
    expect(request?.history.at(-1)?.why).toContain('3 addresses, 3 subscriptions');
  },
);

test('the record of a person shows the source and time of each address', async () => {
  const answer = await doors.subscribe({ phone: second.phone, email });
  const { id } = await answer.exchange();
  const [ada] = doors.people({ phone });
  const { body } = await sandbox.control('GET', `/control/people/${ada?.id}`);
  const { person, subscriptions } = body as { person: { addresses: unknown[] }; subscriptions: unknown[] };
  expect(person.addresses).toMatchObject([
    { value: phone, from: { by: 'demo' } },
    { value: email, from: { by: 'demo' } },
    { value: second.phone, from: { by: 'request', what: 'POST /subscriptions', requestId: id } },
  ]);
  expect(subscriptions).toMatchObject([{ address: phone }, { address: email }, { address: second.phone }]);
});

test.for([
  ['phone', { phone: second.phone }, { email: second.email }],
  ['email', { email: second.email }, { phone: second.phone }],
] as const)(
  'of an attribute that two people had, the newer value stays when they become one, if the %s had the older',
  async ([, older, newer]) => {
    const set = (user: object, tier: string) =>
      sandbox.call('POST', '/attributes/custom', { json: { properties: { tier }, user } });
    await sandbox.control('POST', '/control/clock', { freeze: true });
    await set(older, 'old');
    await sandbox.control('POST', '/control/clock', { advance: '1h' });
    await set(newer, 'new');
    const answer = await sandbox.call('POST', '/identity-resolution/user-identifiers', {
      json: { clientUserId: 'tier-1', ...second },
    });
    expect((await answer.exchange()).notes.join()).toContain('of an attribute that both had, the newer value stays');
    const { body } = await sandbox.call('GET', '/attributes/custom', { query: { phone: second.phone } });
    expect(body).toEqual([{ name: 'tier', value: 'new' }]);
  },
);
