import { beforeEach, expect, test } from 'vitest';
import { demoCompany, otherCompany } from '../../emulator/declared-world/demo.ts';
import { startSandbox, useSandbox, type Sandbox } from '../support/sandbox.ts';
import { knownAt } from '../support/people.ts';

const sandbox = useSandbox({ pace: 'realistic' });
const hour = 3_600_000;

beforeEach(async () => {
  await sandbox.reset();
  sandbox.emulator.deps.clock.freeze(true);
});

const request = (json: unknown, key = 'sandpiper-demo-key') =>
  sandbox.call('POST', '/privacy/delete-request', { json, key });
const read = (id: string, key = 'sandpiper-demo-key') => sandbox.call('GET', `/privacy/delete-request/${id}`, { key });
const idOf = ({ body }: { readonly body: unknown }): string => (body as { id: string }).id;
const find = (by: { phone?: string; email?: string; clientUserId?: string }, companyId = demoCompany) =>
  sandbox.emulator.deps.users.find(companyId, by);
const advance = (ms: number) => sandbox.emulator.deps.clock.advance(ms);

test('a request starts, is processed, and is shown masked', async () => {
  const { clock } = sandbox.emulator.deps;
  await clock.set(Date.parse('2031-09-02T17:44:23.875Z'));
  const made = await request({
    subjectPhone: '+13115552368',
    subjectEmail: 'abc@website.com',
    requestMsg: 'The subscriber requested to be removed',
  });
  expect(made.status).toBe(200);
  expect(made.body).toEqual({ id: expect.stringMatching(/^[a-z0-9]{12}$/) });
  const id = idOf(made);
  const shown = {
    id,
    processed: false,
    type: 'DELETE',
    subjectPhone: '+*****2368',
    subjectEmail: 'a**@website.com',
    requestMsg: 'The subscriber requested to be removed',
    requestDateTime: '2031-09-02T17:44:23.875+0000',
    processingStartDateTime: null,
    processingEndDateTime: null,
  };
  expect((await read(id)).body).toEqual(shown);
  await advance(5_000);
  const started = { ...shown, processingStartDateTime: '2031-09-02T17:44:28.875+0000' };
  expect((await read(id)).body).toEqual(started);
  await advance(10_000);
  expect((await read(id, 'sandpiper-readonly-key')).body).toEqual({
    ...started,
    processed: true,
    processingEndDateTime: '2031-09-02T17:44:38.875+0000',
  });
});

test('a subject without a value counts as left out, with a note', async () => {
  const json = { subjectPhone: '+13115552368', subjectEmail: '', subscriberEmail: null };
  const { notes } = await (await request(json)).exchange();
  expect(notes).toEqual([
    'subjectEmail was sent as "" and was read as left out.',
    'subscriberEmail was sent as null and was read as left out.',
  ]);
});

test('at pace instant a request is processed at once', async () => {
  const instant: Sandbox = await startSandbox();
  try {
    const made = await instant.call('POST', '/privacy/delete-request', { json: { subjectEmail: 'ada@example.com' } });
    await instant.emulator.deps.clock.advance(0);
    expect((await instant.call('GET', `/privacy/delete-request/${idOf(made)}`)).body).toMatchObject({
      processed: true,
    });
  } finally {
    await instant.close();
  }
});

test('at pace manual a request moves only by hand, and cannot skip a state', async () => {
  const manual: Sandbox = await startSandbox({ pace: 'manual' });
  try {
    const { clock, privacyRequests } = manual.emulator.deps;
    const id = idOf(
      await manual.call('POST', '/privacy/delete-request', { json: { subjectEmail: 'ada@example.com' } }),
    );
    const processed = async () => (await manual.call('GET', `/privacy/delete-request/${id}`)).body;
    await clock.advance(31 * 24 * hour);
    expect(await processed()).toMatchObject({ processed: false, processingStartDateTime: null });
    expect(() => privacyRequests.fire(id, 'finish', { by: 'hand' })).toThrow('takes no "finish"');
    privacyRequests.fire(id, 'start', { by: 'hand' });
    const done = privacyRequests.fire(id, 'finish', { by: 'hand' });
    expect(done.deletedUserIds).toHaveLength(1);
    expect(await processed()).toMatchObject({ processed: true });
  } finally {
    await manual.close();
  }
});

test('finishing deletes the person with subscriptions, attribute values and events, and no one else', async () => {
  const { store, users } = sandbox.emulator.deps;
  const user = users.find(demoCompany, { email: 'ada@example.com' })[0];
  const other = users.find(demoCompany, { email: 'grace@example.com' })[0];
  const now = new Date(0).toISOString();
  const heldBy = (userId: string | undefined) =>
    [...store.subscriptions.all(), ...store.attributeValues.all(), ...store.events.all()].filter(
      (one) => one.userId === userId,
    ).length;
  store.transact(() => {
    for (const { id } of [user, other].filter((one) => one !== undefined)) {
      store.attributeValues.put({
        id: `${id}:age`,
        companyId: demoCompany,
        userId: id,
        name: 'age',
        value: '36',
        updatedAt: now,
      });
      store.events.put({
        id: `event ${id}`,
        companyId: demoCompany,
        userId: id,
        kind: 'custom',
        type: 'Order Shipped',
        externalEventId: null,
        occurredAt: now,
        receivedAt: now,
        startsJourneys: false,
        body: {},
      });
    }
  });
  expect([heldBy(user?.id), heldBy(other?.id)]).toEqual([4, 3]);
  await request({ subjectEmail: 'Ada@Example.com' });
  await advance(14_999);
  expect([heldBy(user?.id), store.users.size]).toEqual([4, 5]);
  await advance(1);
  expect([heldBy(user?.id), heldBy(other?.id), store.users.size]).toEqual([0, 3, 4]);
  expect(find({ email: 'ada@example.com' })).toEqual([]);
  const gone = await sandbox.call('GET', '/subscriptions', { query: { phone: '+15555550100' } });
  expect(gone.status).toBe(404);
});

test('deliveries about a person stay when the person is deleted, and those that wait are still sent', async () => {
  const { store, deliveries } = sandbox.emulator.deps;
  const json = { url: 'http://127.0.0.1:9/hook', events: ['custom_attribute.set'] };
  await sandbox.call('POST', '/webhooks', { json });
  const user = { email: 'grace@example.com' };
  await sandbox.call('POST', '/attributes/custom', { json: { user, properties: { size: 'M' } } });
  await deliveries.settled();
  await request({ subscriberEmail: user.email });
  await advance(60_000);
  expect(find(user)).toEqual([]);
  expect([...store.deliveries.all()]).toMatchObject([
    { state: 'retrying', attemptCount: 3, body: expect.stringContaining(user.email) as string },
  ]);
});

test('of the records only deliveries and the requests themselves have an address of who was deleted by one of two', async () => {
  const { store, deliveries } = sandbox.emulator.deps;
  await sandbox.call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/hook', events: ['sms.subscribed'] } });
  const user = { phone: '+15555550777', email: 'zoe@example.com' };
  const link = 'https://shop.example/shirt';
  await sandbox.call('POST', '/subscriptions', { json: { user, signUpSourceId: '100001' } });
  await sandbox.call('POST', '/identity-resolution/user-identifiers', { json: { ...user, clientUserId: 'zoe-1' } });
  await sandbox.call('POST', '/attributes/custom', { json: { user, properties: { nickname: 'zoe-1' } } });
  await sandbox.call('POST', '/events/custom', { json: { type: 'Viewed', properties: { link }, user } });
  await sandbox.control('POST', '/control/messages', {
    subscriber: { phone: user.phone },
    channel: 'TEXT',
    text: link,
  });
  await deliveries.settled();
  const named = () =>
    store.names.filter((name) => {
      const text = JSON.stringify(store.collection(name).records());
      return [user.phone, user.email, 'zoe-1', find(user)[0]?.id ?? link].some((one) => text.includes(one));
    });
  expect(named()).toEqual(
    expect.arrayContaining(['users', 'subscriptions', 'attributeValues', 'events', 'messages', 'shortLinks']),
  );
  const [short = ''] = store.messages.records().flatMap(({ links }) => links.map(({ shortUrl }) => shortUrl));
  const follow = async () => (await fetch(short, { redirect: 'manual' })).status;
  expect(await follow()).toBe(302);
  const first = await request({ subscriberPhone: user.phone });
  const second = await request({ subscriberEmail: user.email });
  await advance(hour);
  expect(named()).toEqual(['privacyRequests', 'deliveries']);
  expect(await follow()).toBe(404);
  const whyOf = (id: string) => store.privacyRequests.get(id)?.history.at(-1)?.why;
  expect(whyOf(idOf(first))).toContain('1 person was deleted, with 2 addresses');
  // The second one is confirmed, too, although the first one left it no one to delete.
  expect((await read(idOf(second))).body).toMatchObject({ processed: true });
  expect(whyOf(idOf(second))).toBe('No one matched, so nothing was deleted.');
});

test('someone who subscribes again after the deletion is a new person, whom the old request does not delete', async () => {
  const { store } = sandbox.emulator.deps;
  const phone = '+15555550100';
  const [before] = find({ phone });
  await request({ subscriberPhone: phone });
  await advance(hour);
  const again = await sandbox.call('POST', '/subscriptions', { json: { user: { phone }, signUpSourceId: '100001' } });
  expect(again.body).toMatchObject({ subscriptionResponses: [{ subscriptionCreationStatus: 'NEWLY_CREATED' }] });
  await advance(31 * 24 * hour);
  const [after] = find({ phone });
  expect(after?.addresses.map(({ value }) => value)).toEqual([phone]);
  expect(after?.externalId).not.toBe(before?.externalId);
  const messages = store.messages.records().filter(({ userId }) => userId === after?.id);
  expect(messages.map(({ type }) => type)).toEqual(['CONFIRM_OPT_IN']);
});

test('a phone and an email of two people delete both', async () => {
  await request({ subscriberPhone: '+15555550101', subscriberEmail: 'grace@example.com' });
  await advance(hour);
  expect(find({ phone: '+15555550101', email: 'grace@example.com' })).toEqual([]);
  expect(sandbox.emulator.deps.store.users.size).toBe(3);
});

test('a clientUserId finds no one: without a phone or an email the request is refused, and deletes nothing', async () => {
  const { users, store } = sandbox.emulator.deps;
  store.transact(() => {
    users.findOrMake(demoCompany, { email: 'mary@example.com', clientUserId: 'c-1' }, knownAt());
  });
  const beside = await request({ subjectEmail: 'nobody@example.com', clientUserId: 'c-1' });
  expect((await beside.exchange()).notes.join()).toContain('clientUserId was not used');
  const alone = await request({ subjectPhone: '', subjectEmail: '', clientUserId: 'c-1' });
  expect([alone.status, alone.rule]).toEqual([400, 'privacy.subject']);
  await advance(hour);
  expect(find({ clientUserId: 'c-1' })).toHaveLength(1);
});

test('the last entry of its history says what was deleted', async () => {
  await sandbox.call('POST', '/events/custom', { json: { type: 'Visit', user: { email: 'mary@example.com' } } });
  await sandbox.call('POST', '/attributes/custom', {
    json: { properties: { age: '36', vip: true }, user: { email: 'mary@example.com' } },
  });
  const bare = { email: 'bare@example.com', clientUserId: 'bare' };
  await sandbox.call('POST', '/identity-resolution/user-identifiers', { json: bare });
  const whyOf = async (json: object) => {
    const id = idOf(await request(json));
    await advance(15_000);
    const history = sandbox.emulator.deps.store.privacyRequests.get(id)?.history ?? [];
    expect(history.map(({ to }) => to)).toEqual(['received', 'processing', 'processed']);
    return history.at(-1)?.why;
  };
  expect([
    await whyOf({ subscriberEmail: 'jane@example.com' }),
    await whyOf({ subscriberEmail: 'bare@example.com' }),
    await whyOf({ subscriberEmail: 'mary@example.com' }),
    await whyOf({ subscriberEmail: 'grace@example.com', subscriberPhone: '+15555550101' }),
  ]).toEqual([
    'No one matched, so nothing was deleted.',
    '1 person was deleted, with 1 address.',
    '1 person was deleted, with 2 addresses, 2 attribute values, 1 event.',
    '2 people were deleted, with 2 addresses, 3 subscriptions.',
  ]);
});

test('a request that matches no one is accepted and processed anyway', async () => {
  const made = await request({ subjectPhone: '+15555550177' });
  await advance(hour);
  expect((await read(idOf(made))).body).toMatchObject({ processed: true, subjectEmail: null });
  expect(sandbox.emulator.deps.store.users.size).toBe(5);
});

test('without phone and email the reply is exactly the documented one', async () => {
  for (const json of [undefined, {}, { requestMsg: 'please' }, { subjectPhone: '', subjectEmail: null }]) {
    const answer = await sandbox.call('POST', '/privacy/delete-request', { json });
    expect([answer.status, answer.text]).toEqual([
      400,
      '{"error":"Must either specify subscriberPhone or subscriberEmail"}',
    ]);
  }
  expect(sandbox.emulator.deps.store.privacyRequests.size).toBe(0);
});

test('both spellings with the same value are accepted, with two values refused', async () => {
  const twice = await request({ subjectEmail: 'ada@example.com', subscriberEmail: 'ada@example.com' });
  expect(twice.status).toBe(200);
  const two = await request({ subjectEmail: 'ada@example.com', subscriberEmail: 'grace@example.com' });
  expect([two.status, two.rule]).toEqual([400, 'privacy.one-subject']);
  await advance(hour);
  expect(find({ email: 'grace@example.com' })).toHaveLength(1);
});

test.for([
  [{ subjectPhone: '5555550100' }, 'privacy.phone-e164'],
  [{ subscriberEmail: 'ada' }, 'privacy.email'],
  [{ subjectEmail: 'ada@example.com;' }, 'privacy.email'],
  [{ subjectEmail: 5 }, 'input.type'],
] as const)('%j is refused by %s and deletes nothing', async ([json, rule]) => {
  const answer = await request(json);
  expect([answer.status, answer.rule]).toEqual([400, rule]);
  expect(Object.keys(answer.body as object)).toEqual(['error']);
  await advance(hour);
  expect(sandbox.emulator.deps.store.users.size).toBe(5);
});

test('a company reads only its own requests and deletes only its own people', async () => {
  const { users, store } = sandbox.emulator.deps;
  store.transact(() => users.findOrMake(otherCompany, { email: 'ada@example.com' }, knownAt()));
  const made = await request({ subjectEmail: 'ada@example.com' }, 'sandpiper-other-key');
  expect([(await read(idOf(made))).status, (await read(idOf(made), 'sandpiper-other-key')).status]).toEqual([404, 200]);
  await advance(hour);
  expect(find({ email: 'ada@example.com' })).toHaveLength(1);
  expect(find({ email: 'ada@example.com' }, otherCompany)).toEqual([]);
});

test('an id that is not alphanumeric is 400, an unknown one 404', async () => {
  const [invalid, unknown] = [await read('not-one'), await read('abc123')];
  expect([invalid.rule, unknown.rule]).toEqual(['input.format', 'privacy.unknown-request']);
  // Section 7 shows `error` only for the 400 of the POST.
  for (const { body } of [invalid, unknown]) expect(body).toEqual({ message: expect.any(String) });
});

test('a read-only key may not delete', async () => {
  expect((await request({ subjectEmail: 'ada@example.com' }, 'sandpiper-readonly-key')).status).toBe(403);
  await advance(hour);
  expect(find({ email: 'ada@example.com' })).toHaveLength(1);
});

test('the two spellings of one address may differ in case, and a masked one begins with a whole character', async () => {
  const made = await request({ subjectEmail: 'Same@example.com', subscriberEmail: 'same@example.com' });
  expect(made.status).toBe(200);
  const other = await request({ subscriberEmail: '😀b@example.com' });
  expect((await read(idOf(other))).body).toMatchObject({ subjectEmail: '😀**@example.com' });
});
