/** What a merge of the states of two sandboxes gives, whose ids are the same for different things. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { CodesView, Reply, RestoredView } from '../../emulator/control/calls.ts';
import type { Snapshot } from '../../emulator/world/format.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import type { WorldDeclaration } from '../../emulator/declared-world/schema.ts';
import { startReceiver } from '../delivery/support.ts';
import { act, addCodes, opened, upload } from '../support/world.ts';

const exported = (sandbox: Sandbox) => act<Snapshot>(sandbox, 'GET', '/control/export?secrets=true');
const mergeIn = (sandbox: Sandbox, file: Snapshot) => act(sandbox, 'POST', '/control/import?mode=merge', file);
const codesOf = async (sandbox: Sandbox) =>
  (await act<CodesView>(sandbox, 'GET', '/control/offers/54102/codes')).codes.map(({ code }) => code);
const ada = { phone: '+15555550100' };
const uploadsOf = ({ emulator }: Sandbox) => emulator.deps.store.offerUploads.records();
const codeCount = ({ emulator }: Sandbox) => emulator.deps.store.offers.get('54102')?.codeCount;

async function subscribe(sandbox: Sandbox, user: { readonly phone?: string; readonly email?: string }): Promise<void> {
  const json = { user, signUpSourceId: '100001' };
  expect((await sandbox.call('POST', '/subscriptions', { json })).status).toBe(202);
}
async function view(sandbox: Sandbox, phone: string): Promise<void> {
  const json = { type: 'Viewed', properties: { by: phone }, user: { phone } };
  const { status } = await sandbox.call('POST', '/events/custom', { json });
  expect(status).toBe(200);
}

/** Deletes a person at the request of an app. */
async function erase(sandbox: Sandbox, subscriberPhone: string): Promise<void> {
  const { body } = await sandbox.call('POST', '/privacy/delete-request', { json: { subscriberPhone } });
  const { id } = body as { readonly id: string };
  const state = async () => (await sandbox.call('GET', `/privacy/delete-request/${id}`)).body;
  await expect.poll(state).toMatchObject({ processed: true });
}

/** Whose each subscription and each event is, by phone. */
function found({ emulator }: Sandbox) {
  const { store } = emulator.deps;
  const phones = (userId: string) => store.users.get(userId)?.addresses.map(({ value }) => value);
  return {
    subscriptions: store.subscriptions.records().filter(({ userId, address }) => !phones(userId)?.includes(address)),
    events: store.events.records().map(({ userId, body }) => [phones(userId)?.[0], JSON.stringify(body)] as const),
    addresses: store.users.records().flatMap(({ addresses }) => addresses.map(({ value }) => value)),
    ids: store.users.records().map(({ externalId }) => externalId),
  };
}

test('an offer has each code of both states once, and counts them', async () => {
  const [here, other] = [await opened(), await opened()];
  // An offer that is only here is as it was.
  await act(here, 'POST', '/control/offers', { companyId: demoCompany, name: 'Winter', window: 'never-expire' });
  const winter = here.emulator.deps.store.offers.records().at(-1)?.id;
  const json = { codes: ['A1', 'W1'] };
  expect((await here.call('POST', `/coupons/coupon-pool/${winter}/create`, { json })).status).toBe(202);
  await addCodes(other, ['A1', 'A2', 'A3', 'A3']);
  await addCodes(here, ['A1', 'B2', 'B3', 'B4', 'B5']);
  await mergeIn(here, await exported(other));
  expect((await codesOf(here)).toSorted()).toEqual(['A1', 'A2', 'A3', 'B2', 'B3', 'B4', 'B5']);
  expect(codeCount(here)).toBe(7);
  expect(uploadsOf(here)).toMatchObject([
    { codeCount: 2, duplicateCount: 0 },
    { codeCount: 5, duplicateCount: 0 },
    { codeCount: 2, duplicateCount: 2 },
  ]);
  await addCodes(here, ['A2', 'C1']);
  expect([codeCount(here), (await codesOf(here)).length]).toEqual([8, 8]);
});

test('people with the same id and nothing in common stay two, and people with a common address become one', async () => {
  const [here, other] = [await opened(), await opened()];
  await subscribe(other, { phone: '+15555550401', email: 'one@example.com' });
  await view(other, '+15555550401');
  await subscribe(other, { phone: '+15555550403' });
  await subscribe(other, { phone: '+15555550404' });
  await subscribe(here, { phone: '+15555550402' });
  await view(here, '+15555550402');
  await subscribe(here, { phone: '+15555550401' });
  const before = found(here);
  await mergeIn(here, await exported(other));

  const { subscriptions, events, addresses, ids } = found(here);
  expect(subscriptions).toEqual([]);
  const came = ['one@example.com', '+15555550403', '+15555550404'];
  expect(addresses.toSorted()).toEqual([...before.addresses, ...came].toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  for (const phone of ['+15555550401', '+15555550402']) {
    const own = await here.call('GET', '/subscriptions', { query: { phone } });
    expect(own.status).toBe(200);
    expect(events.filter(([whose]) => whose === phone)).toEqual([[phone, expect.stringContaining(phone)]]);
  }
  // It is a state like any other.
  await act(here, 'POST', '/control/import', await exported(here));
});

test('a file without people may be merged in if its records are of people who are here, but it does not replace a state', async () => {
  const here = await opened();
  await view(here, ada.phone);
  const file = await exported(here);
  const { users, ...collections } = file.collections;
  const body = { ...file, collections };
  expect(users?.length).toBeGreaterThan(0);
  expect(await here.control('POST', '/control/import', body)).toMatchObject({
    status: 400,
    body: {
      message: expect.stringMatching(/belongs to the person "[^"]+", which is not in it/),
    },
  });
  await act(here, 'POST', '/control/import?mode=merge', body);
  expect(found(here).events).toEqual([[ada.phone, expect.stringContaining(ada.phone)]]);
});

test('merging in an older snapshot keeps the addresses that people got since', async () => {
  const sandbox = await opened();
  await subscribe(sandbox, { phone: '+15555550401' });
  await act(sandbox, 'POST', '/control/snapshots', { name: 'older' });
  await subscribe(sandbox, { phone: '+15555550401', email: 'one@example.com' });
  const before = found(sandbox);
  await act(sandbox, 'POST', '/control/snapshots/older/restore', { mode: 'merge' });
  expect(found(sandbox)).toEqual(before);
});

test('two people of a snapshot who became one since stay one', async () => {
  const sandbox = await opened();
  await subscribe(sandbox, { phone: '+15555550401' });
  await subscribe(sandbox, { email: 'one@example.com' });
  await act(sandbox, 'POST', '/control/snapshots', { name: 'two' });
  await subscribe(sandbox, { phone: '+15555550401', email: 'one@example.com' });
  const before = found(sandbox);
  await act(sandbox, 'POST', '/control/snapshots/two/restore', { mode: 'merge' });
  expect(found(sandbox)).toEqual(before);
});

test('two people here are one where what comes has the addresses of both', async () => {
  const [here, other] = [await opened(), await opened()];
  await subscribe(other, { phone: '+15555550401', email: 'one@example.com' });
  await subscribe(here, { phone: '+15555550401' });
  await subscribe(here, { email: 'one@example.com' });
  const { ids } = found(here);
  await mergeIn(here, await exported(other));
  expect(found(here).subscriptions).toEqual([]);
  expect(found(here).ids).toEqual(ids.slice(0, -1));
});

test('a subscription that comes is to the email as its person has it here, and such a state can be saved as a world', async () => {
  const [here, other] = [await opened(), await opened()];
  const user = { email: 'one@example.com' };
  expect((await here.call('POST', '/events/custom', { json: { type: 'Viewed', user } })).status).toBe(200);
  await subscribe(other, { email: 'One@Example.com' });
  await mergeIn(here, await exported(other));
  expect(found(here).subscriptions).toEqual([]);
  const { world } = await act<{ readonly world: WorldDeclaration }>(here, 'GET', '/control/world');
  const again = await opened({ world });
  expect(await again.call('GET', '/subscriptions', { query: user })).toMatchObject({ status: 200 });
});

test.for(['here', 'other'] as const)(
  'of an attribute that a person has in both states the newer value stays: that of %s',
  async (newer) => {
    const sandboxes = { here: await opened(), other: await opened() };
    const user = { phone: '+15555550401' };
    await sandboxes.other.call('POST', '/events/custom', { json: { type: 'Viewed', user: { phone: '+15555550402' } } });
    await act(sandboxes[newer], 'POST', '/control/clock', { advance: '1h' });
    for (const [name, sandbox] of Object.entries(sandboxes)) {
      const json = { user, properties: { size: name } };
      expect((await sandbox.call('POST', '/attributes/custom', { json })).status).toBe(200);
    }
    await mergeIn(sandboxes.here, await exported(sandboxes.other));
    const { body } = await sandboxes.here.call('GET', '/attributes/custom', { query: user });
    expect(JSON.stringify(body)).toContain(`"${newer}"`);
  },
);

test('an attribute that is a number in one state and a text in the other takes the values of both, as a text', async () => {
  const [here, other] = [await opened(), await opened()];
  const set = async (sandbox: Sandbox, phone: string, size: string | number): Promise<void> => {
    const json = { user: { phone }, properties: { size } };
    expect((await sandbox.call('POST', '/attributes/custom', { json })).status).toBe(200);
  };
  await set(here, '+15555550401', 'M');
  await set(other, '+15555550402', 38);
  await mergeIn(here, await exported(other));
  for (const [phone, value] of [['+15555550401', 'M'] as const, ['+15555550402', '38'] as const])
    expect((await here.call('GET', '/attributes/custom', { query: { phone } })).body).toEqual([
      { name: 'size', value },
    ]);
  await set(here, '+15555550402', 'L');
  const { world } = await act<{ readonly world: WorldDeclaration }>(here, 'GET', '/control/world');
  await opened({ world });
});

test('who became another person there and is still here is not said to have become themselves', async () => {
  const [here, other] = [await opened(), await opened()];
  const user = { phone: '+15555550401', email: 'one@example.com' };
  for (const sandbox of [here, other]) {
    await subscribe(sandbox, { phone: user.phone });
    await subscribe(sandbox, { email: user.email });
  }
  await subscribe(other, user);
  await erase(here, user.phone);
  await mergeIn(here, await exported(other));
  const { users } = here.emulator.deps;
  const [{ id, merged } = { id: '', merged: [] }] = users.find(demoCompany, user);
  expect(merged.map((one) => one.id)).not.toContain(id);
});

/** A person whose id is the same in both states, and one who has another id in each. */
const known = { 'the same id': ada, 'another id': { phone: '+15555550401' } };

test.for(
  (['here', 'other'] as const).flatMap((later) =>
    (['the same id', 'another id'] as const).flatMap((ids) =>
      (['subscribe', 'unsubscribe'] as const).map((last) => [last, later, ids] as const),
    ),
  ),
)('after a merge the last %s counts: that of %s, where the person has %s in both', async ([last, later, ids]) => {
  const sandboxes = { here: await opened(), other: await opened() };
  const { here, other } = sandboxes;
  const user = known[ids];
  await subscribe(other, { phone: '+15555550402' });
  await subscribe(here, user);
  await subscribe(other, user);
  const first = last === 'subscribe' ? 'unsubscribe' : 'subscribe';
  for (const [sandbox, what, advance] of [
    [sandboxes[later === 'here' ? 'other' : 'here'], first, '1h'],
    [sandboxes[later], last, '2h'],
  ] as const) {
    await act(sandbox, 'POST', '/control/clock', { advance });
    if (what === 'subscribe') await subscribe(sandbox, user);
    else expect((await sandbox.call('POST', '/subscriptions/unsubscribe', { json: { user } })).status).toBe(202);
  }
  const marketing = ({ emulator }: Sandbox) =>
    emulator.deps.store.subscriptions
      .records()
      .filter(({ address, type }) => address === user.phone && type === 'MARKETING');
  const attemptsIn = (sandbox: Sandbox) => marketing(sandbox).flatMap(({ attempts }) => attempts);
  const attempts = [here, other].flatMap(attemptsIn).toSorted((one, next) => one.at.localeCompare(next.at));
  const file = await exported(other);
  for (const times of [1, 2]) {
    await mergeIn(here, file);
    expect([times, marketing(here).map(({ status }) => status), attemptsIn(here)]).toEqual([
      times,
      [`${last}d`],
      attempts,
    ]);
  }
});

test.for(['here', 'other'] as const)(
  'at one moment of two frozen clocks an unsubscribe counts: that of %s',
  async (where) => {
    const sandboxes = { here: await opened(), other: await opened() };
    for (const sandbox of Object.values(sandboxes)) {
      await act(sandbox, 'POST', '/control/clock', { freeze: true });
      await act(sandbox, 'POST', '/control/clock', { set: '2026-03-01T12:00:00Z' });
      await subscribe(sandbox, ada);
    }
    const { here, other } = sandboxes;
    const json = { user: ada };
    expect((await sandboxes[where].call('POST', '/subscriptions/unsubscribe', { json })).status).toBe(202);
    await mergeIn(here, await exported(other));
    const { subscriptions } = here.emulator.deps.store;
    expect(subscriptions.records().find(({ address }) => address === ada.phone)?.status).toBe('unsubscribed');
  },
);

test('what one person did at the same moment of two frozen clocks is all there after a merge', async () => {
  const [here, other] = [await opened(), await opened()];
  const did = { here: 'Viewed', other: 'Bought' };
  for (const [sandbox, type] of [
    [here, did.here],
    [other, did.other],
  ] as const) {
    await act(sandbox, 'POST', '/control/clock', { freeze: true });
    await act(sandbox, 'POST', '/control/clock', { set: '2026-03-01T12:00:00Z' });
    const { phone } = ada;
    await act(sandbox, 'POST', '/control/messages', { subscriber: { phone }, channel: 'TEXT', text: type });
    expect((await sandbox.call('POST', '/events/custom', { json: { type, user: { phone } } })).status).toBe(200);
  }
  await mergeIn(here, await exported(other));
  const { events, messages } = here.emulator.deps.store;
  expect(events.records().map(({ type }) => type)).toEqual(Object.values(did));
  expect(messages.records().map(({ text }) => text)).toEqual(Object.values(did));
});

test('each short link leads where it led, also if two sandboxes made theirs at the same moment of frozen clocks', async () => {
  const [here, other] = [await opened(), await opened()];
  for (const [sandbox, path] of [
    [here, 'summer'],
    [other, 'winter'],
  ] as const) {
    await act(sandbox, 'POST', '/control/clock', { freeze: true });
    await act(sandbox, 'POST', '/control/clock', { set: '2026-03-01T12:00:00Z' });
    const text = `See https://shop.example/${path}`;
    await act(sandbox, 'POST', '/control/messages', { subscriber: ada, channel: 'TEXT', text });
  }
  await mergeIn(here, await exported(other));
  const { messages, shortLinks } = here.emulator.deps.store;
  const links = messages.records().flatMap((message) => message.links);
  expect(links.map(({ id }) => shortLinks.get(id)?.url)).toEqual([
    'https://shop.example/summer',
    'https://shop.example/winter',
  ]);
});

test('what an app sends while a state is merged in is in the merged state', async () => {
  const [here, other] = [await opened(), await opened()];
  await view(other, '+15555550401');
  const { store } = here.emulator.deps;
  const { replace } = store;
  let tries = 0;
  // The last moment before the merged state takes the place of the present one.
  Object.assign(store, {
    replace: async (...given: Parameters<typeof replace>) => {
      tries += 1;
      if (tries === 1) await view(here, '+15555550402');
      return replace(...given);
    },
  });
  await mergeIn(here, await exported(other));
  expect([
    tries,
    found(here)
      .events.map(([phone]) => phone)
      .toSorted(),
  ]).toEqual([2, ['+15555550401', '+15555550402']]);
});

/** The types of the deliveries that the page of a person lists. */
async function deliveredTo(sandbox: Sandbox, phone: string): Promise<readonly string[]> {
  const { store } = sandbox.emulator.deps;
  const user = store.users.records().find(({ addresses }) => addresses.some(({ value }) => value === phone));
  const page = await act<Reply<'GET /control/people/{id}'>>(sandbox, 'GET', `/control/people/${user?.id ?? ''}`);
  return page.deliveries.map(({ type }) => type);
}

test('a merge loses no delivery: of other events with the same ids, and of two people here who become one', async () => {
  const [here, other] = [await opened(), await opened()];
  for (const sandbox of [here, other])
    await act(sandbox, 'POST', '/control/webhooks', {
      url: 'http://127.0.0.1:9/',
      events: ['sms.subscribed', 'email.subscribed'],
    });
  await subscribe(other, { phone: '+15555550401', email: 'one@example.com' });
  await subscribe(here, { phone: '+15555550401' });
  await subscribe(here, { email: 'one@example.com' });
  const eventsIn = ({ emulator }: Sandbox) => emulator.deps.store.deliveries.records().map(({ eventId }) => eventId);
  const all = [...eventsIn(here), ...eventsIn(other)];
  expect(all.length).toBeGreaterThan(3);
  await mergeIn(here, await exported(other));
  expect(eventsIn(here).toSorted()).toEqual(all.toSorted());
  expect(await deliveredTo(here, '+15555550401')).toEqual(
    expect.arrayContaining(['sms.subscribed', 'email.subscribed']),
  );
});

/** The ids of everything in a sandbox, by kind. */
function idsIn({ emulator: { deps } }: Sandbox): Record<string, readonly string[]> {
  const { store } = deps;
  return Object.fromEntries(
    store.names.map((name) => [
      name,
      store
        .collection(name)
        .records()
        .map(({ id }) => id),
    ]),
  );
}

/** Different people who did things in each of two sandboxes, with the same ids for different things. */
async function twoWithTheSameIds(): Promise<readonly [here: Sandbox, other: Sandbox]> {
  const sandboxes = [await opened(), await opened()] as const;
  for (const [at, sandbox] of sandboxes.entries()) {
    const phone = `+1555555040${at}`;
    await act(sandbox, 'POST', '/control/webhooks', { url: 'http://127.0.0.1:9/', events: ['sms.subscribed'] });
    await subscribe(sandbox, { phone });
    for (const product of ['a', 'b', 'b']) {
      const json = { type: 'Viewed', properties: { product }, user: { phone } };
      await sandbox.call('POST', '/events/custom', { json });
    }
    await addCodes(sandbox, [`CODE-${at}`, 'CODE-OF-BOTH']);
    await upload(sandbox, [`product-${at}`]);
  }
  return sandboxes;
}

test('a file that was merged in adds nothing when it is merged in again, nor does a merge back', async () => {
  const [here, other] = await twoWithTheSameIds();
  const numbered = ['events', 'messages', 'deliveries', 'uploads'];
  const count = (sandbox: Sandbox) => numbered.map((name) => idsIn(sandbox)[name]?.length);
  const both = count(here).map((own, at) => (own ?? 0) + (count(other)[at] ?? 0));
  const file = await exported(other);
  await mergeIn(here, file);
  expect(count(here)).toEqual(both);
  const once = idsIn(here);
  await mergeIn(here, file);
  expect(idsIn(here)).toEqual(once);
  expect((await codesOf(here)).toSorted()).toEqual(['CODE-0', 'CODE-1', 'CODE-OF-BOTH']);
  await mergeIn(other, await exported(here));
  await mergeIn(here, await exported(other));
  expect([count(other), count(here)]).toEqual([both, both]);
  expect(idsIn(here).offerUploads).toEqual(once.offerUploads);
});

test('files that were sent to uploads with the same id are both there after a merge', async () => {
  const [here, other] = [await opened({ pace: 'manual' }), await opened({ pace: 'manual' })];
  for (const [sandbox, id] of [
    [here, 'shirt'],
    [other, 'shoe'],
  ] as const) {
    await act(sandbox, 'POST', '/control/clock', { freeze: true });
    await act(sandbox, 'POST', '/control/clock', { set: '2026-03-01T12:00:00Z' });
    await upload(sandbox, [id]);
  }
  await mergeIn(here, await exported(other));
  const { store } = here.emulator.deps;
  const sent = store.uploads.records().map(({ id }) => readFileSync(store.blobs.path('uploads', id), 'utf8'));
  expect(sent.map((text) => (JSON.parse(text) as { readonly id: string }).id)).toEqual(['shirt', 'shoe']);
});

test('codes that were uploaded at the same moment of two frozen clocks are all there after a merge', async () => {
  const [here, other] = [await opened(), await opened()];
  for (const [sandbox, codes] of [
    [here, ['A1', 'A2']],
    [other, ['A2', 'B1']],
  ] as const) {
    await act(sandbox, 'POST', '/control/clock', { freeze: true });
    await act(sandbox, 'POST', '/control/clock', { set: '2026-03-01T12:00:00Z' });
    await addCodes(sandbox, codes);
  }
  expect(uploadsOf(here).map(({ id }) => id)).toEqual(uploadsOf(other).map(({ id }) => id));
  await mergeIn(here, await exported(other));
  expect([await codesOf(here), codeCount(here)]).toEqual([['A1', 'A2', 'B1'], 3]);
});

test('a merged deletion request names no one else than who was deleted', async () => {
  const [here, other] = [await opened(), await opened()];
  const people = { here: '+15555550401', other: '+15555550402' };
  await subscribe(here, { phone: people.here });
  await subscribe(other, { phone: people.other });
  const idOf = (sandbox: Sandbox, phone: string) =>
    sandbox.emulator.deps.users.find(demoCompany, { phone })[0]?.id ?? '';
  const id = idOf(here, people.here);
  expect(idOf(other, people.other)).toBe(id);
  const deleted = await exported(here);
  await erase(other, people.other);
  const requests = (sandbox: Sandbox) => sandbox.emulator.deps.store.privacyRequests.records();
  expect(requests(other)[0]?.deletedUserIds).toEqual([id]);

  await mergeIn(here, await exported(other));
  expect(requests(here)[0]?.deletedUserIds).toEqual([expect.not.stringContaining(id)]);
  // The other way round, who comes is someone else than who was deleted here.
  await mergeIn(other, deleted);
  expect(idOf(other, people.here)).not.toBe(id);
  expect(requests(other)[0]?.deletedUserIds).toEqual([id]);
});

test('a merge of an older snapshot brings a deleted person back under the same id', async () => {
  const sandbox = await opened();
  await act(sandbox, 'POST', '/control/snapshots', { name: 'older' });
  const idOf = () => sandbox.emulator.deps.users.find(demoCompany, ada)[0]?.id;
  const id = idOf();
  await erase(sandbox, ada.phone);
  expect(idOf()).toBeUndefined();
  await act(sandbox, 'POST', '/control/snapshots/older/restore', { mode: 'merge' });
  expect(idOf()).toBe(id);
});

test('of a delivery and a message that are in both, a merge keeps the version that is further on', async () => {
  const sandbox = await opened();
  const { store, deliveries } = sandbox.emulator.deps;
  const receiver = await startReceiver((response, _got, n) => response.writeHead(n === 1 ? 500 : 200).end());
  await act(sandbox, 'POST', '/control/webhooks', { url: receiver.url, events: ['sms.subscribed'] });
  await act(sandbox, 'POST', '/control/messages', { subscriber: ada, channel: 'TEXT', text: 'https://shop.example/' });
  await subscribe(sandbox, { phone: '+15555550401' });
  await deliveries.settled();
  const older = await exported(sandbox);
  await act(sandbox, 'POST', '/control/clock', { advance: '1d' });
  const [message] = store.messages.records();
  await act(sandbox, 'POST', `/control/messages/${message?.id ?? ''}/acts`, { act: 'click' });
  await deliveries.settled();
  const state = ({ emulator }: Sandbox) => [
    emulator.deps.store.deliveries.records().map((one) => [one.state, one.attemptCount]),
    emulator.deps.store.messages.records().map(({ clicks }) => clicks.length),
    emulator.deps.store.shortLinks.records().map(({ clicks }) => clicks),
  ];
  const further = [[['delivered', 2]], [1, 0], [1]];
  expect(state(sandbox)).toEqual(further);
  const newer = await exported(sandbox);

  const { heldBack } = await act<RestoredView>(sandbox, 'POST', '/control/import?mode=merge', older);
  expect([state(sandbox), heldBack.deliveries]).toEqual([further, 0]);
  await act(sandbox, 'POST', '/control/clock', { advance: '1d' });
  await deliveries.settled();
  expect(receiver.got.length).toBe(2);

  await act(sandbox, 'POST', '/control/import', older);
  expect(state(sandbox)).toEqual([[['paused', 1]], [0, 0], [0]]);
  await mergeIn(sandbox, newer);
  expect(state(sandbox)).toEqual(further);
});

test('a deletion request that waits in a file that is merged in deletes the person with its address here', async () => {
  const [here, other] = [await opened({ pace: 'manual' }), await opened({ pace: 'manual' })];
  const json = { subscriberPhone: ada.phone };
  expect((await other.call('POST', '/privacy/delete-request', { json })).status).toBe(200);
  await mergeIn(here, await exported(other));
  const [request] = here.emulator.deps.store.privacyRequests.records();
  expect(request?.state).toBe('received');
  for (const event of ['start', 'finish'])
    await act(here, 'POST', `/control/records/privacy-requests/${request?.id ?? ''}/moves`, { event });
  expect(here.emulator.deps.users.find(demoCompany, ada)).toEqual([]);
});

test('a file with a waiting deletion request that is merged in again does not bring back whom it deleted', async () => {
  const [here, other] = [await opened({ pace: 'manual' }), await opened({ pace: 'manual' })];
  const late = { phone: '+15555550401' };
  await subscribe(other, late);
  await other.call('POST', '/privacy/delete-request', { json: { subscriberPhone: late.phone } });
  const file = await exported(other);
  await mergeIn(here, file);
  const { users, store } = here.emulator.deps;
  const known = () => users.find(demoCompany, late).length;
  const stored = () => [store.users, store.subscriptions, store.messages].map((one) => one.records().length);
  expect(known()).toBe(1);
  const [request] = store.privacyRequests.records();
  for (const event of ['start', 'finish'])
    await act(here, 'POST', `/control/records/privacy-requests/${request?.id ?? ''}/moves`, { event });
  const before = stored();
  await mergeIn(here, file);
  expect([known(), stored()]).toEqual([0, before]);
  // Without the request, the file knows nothing of the deletion.
  await mergeIn(here, { ...file, collections: { ...file.collections, privacyRequests: [] } });
  expect(known()).toBe(1);
});

test('the answer to a merge says which webhook, app and key are no longer here, as others took their ids', async () => {
  const [here, other] = [await opened(), await opened()];
  for (const [sandbox, name] of [
    [here, 'here'],
    [other, 'other'],
  ] as const) {
    const url = `http://localhost:3000/${name}`;
    await act(sandbox, 'POST', '/control/webhooks', { url, events: ['sms.sent'] });
    await act(sandbox, 'POST', '/control/apps', {
      companyId: demoCompany,
      kind: 'private',
      name: `Shop ${name}`,
      scopes: [],
    });
    await addCodes(sandbox, [name]);
  }
  const own = await exported(here);
  const { replaced } = await act<RestoredView>(here, 'POST', '/control/import?mode=merge', await exported(other));
  const keyOfApp = here.emulator.deps.store.credentials.records().at(-1)?.id ?? '';
  expect(replaced.map(({ kind, was }) => [kind, was])).toEqual([
    ['apps', 'App Shop here'],
    ['credentials', `credential ${keyOfApp}`],
    ['webhooks', 'Webhook http://localhost:3000/here'],
  ]);
  // Nothing but what differs is told, and nothing of what was only here.
  const again = await act<RestoredView>(here, 'POST', '/control/import?mode=merge', await exported(here));
  expect(again.replaced).toEqual([]);
  const whole = await act<RestoredView>(here, 'POST', '/control/import', own);
  expect(whole.replaced).toEqual([]);
});

test('a merge keeps a delivery that was delivered, and not the version that failed after more attempts', async () => {
  const sandbox = await opened();
  const { store, deliveries } = sandbox.emulator.deps;
  const receiver = await startReceiver((response) => response.end());
  await act(sandbox, 'POST', '/control/webhooks', { url: receiver.url, events: ['sms.subscribed'] });
  await subscribe(sandbox, { phone: '+15555550401' });
  await deliveries.settled();
  const delivered = await exported(sandbox);
  const failed: Snapshot = {
    ...delivered,
    collections: {
      ...delivered.collections,
      deliveries: store.deliveries.records().map((one) => ({ ...one, state: 'failed', attemptCount: 9 })),
    },
  };
  const state = () => store.deliveries.records().map((one) => [one.state, one.attemptCount]);
  await mergeIn(sandbox, failed);
  expect(state()).toEqual([['delivered', 1]]);
  await act(sandbox, 'POST', '/control/import', failed);
  expect(state()).toEqual([['failed', 9]]);
  await mergeIn(sandbox, delivered);
  expect(state()).toEqual([['delivered', 1]]);
});
