/** What a merge of the states of two sandboxes gives, whose ids are the same for different things. */
import { expect, test } from 'vitest';
import type { CodesView, Reply } from '../../emulator/control/calls.ts';
import type { Snapshot } from '../../emulator/world/format.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { act, addCodes, opened } from '../support/world.ts';

const exported = (sandbox: Sandbox) => act<Snapshot>(sandbox, 'GET', '/control/export?secrets=true');
const mergeIn = (sandbox: Sandbox, file: Snapshot) => act(sandbox, 'POST', '/control/import?mode=merge', file);
const codesOf = async (sandbox: Sandbox) =>
  (await act<CodesView>(sandbox, 'GET', '/control/offers/54102/codes')).codes.map(({ code }) => code);
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
  await addCodes(other, ['A1', 'A2', 'A3']);
  await addCodes(here, ['A1', 'B2', 'B3', 'B4', 'B5']);
  await mergeIn(here, await exported(other));
  expect((await codesOf(here)).toSorted()).toEqual(['A1', 'A2', 'A3', 'B2', 'B3', 'B4', 'B5']);
  expect(codeCount(here)).toBe(7);
  await addCodes(here, ['A2', 'C1']);
  expect([codeCount(here), (await codesOf(here)).length]).toEqual([8, 8]);
});

test('people with the same id and nothing in common stay two, and people with a common address become one', async () => {
  const [here, other] = [await opened(), await opened()];
  await subscribe(other, { phone: '+15555550401', email: 'one@example.com' });
  await view(other, '+15555550401');
  await subscribe(here, { phone: '+15555550402' });
  await view(here, '+15555550402');
  await subscribe(here, { phone: '+15555550401' });
  const before = found(here);
  await mergeIn(here, await exported(other));

  const { subscriptions, events, addresses, ids } = found(here);
  expect(subscriptions).toEqual([]);
  expect(addresses.toSorted()).toEqual([...before.addresses, 'one@example.com'].toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  for (const phone of ['+15555550401', '+15555550402']) {
    const own = await here.call('GET', '/subscriptions', { query: { phone } });
    expect(own.status).toBe(200);
    expect(events.filter(([whose]) => whose === phone)).toEqual([[phone, expect.stringContaining(phone)]]);
  }
  // It is a state like any other.
  await act(here, 'POST', '/control/import', await exported(here));
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
