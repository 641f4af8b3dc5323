import { createServer, type IncomingMessage, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import type { ChainView, PersonView } from '../../emulator/control/calls.ts';
import type { Delivery, DeliveryAttempt } from '../../emulator/records.ts';
import { toIso } from '../../emulator/time/duration.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox({ pace: 'manual' });
afterEach(() => sandbox.reset());

async function chain(id: string): Promise<ChainView> {
  const { status, body } = await sandbox.control('GET', `/control/requests/${id}/chain`);
  expect(status).toBe(200);
  return body;
}

/** A handler that does something before it replies; returns its address. */
async function handler(work: (request: IncomingMessage, body: string) => Promise<number>): Promise<string> {
  const server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => void work(request, body).then((status) => response.writeHead(status).end()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
}

async function subscribe(phone = '+15555550123') {
  const answer = await sandbox.call('POST', '/subscriptions', {
    json: { user: { phone }, signUpSourceId: '100001' },
  });
  return answer.exchange();
}

const properties = { welcomed: 'yes' };

test('a chain leads from a request through its delivery to the handler’s calls, and back', async () => {
  const url = await handler(async () => {
    await sandbox.call('POST', '/attributes/custom', { json: { user: { phone: '+15555550123' }, properties } });
    return 500;
  });
  await sandbox.control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  await sandbox.call('GET', '/me');
  const { id } = await subscribe();
  await expect.poll(async () => (await chain(id)).deliveries[0]?.attempts).toHaveLength(1);

  const { cause, deliveries } = await chain(id);
  expect(cause).toBeNull();
  expect(deliveries).toEqual([
    expect.objectContaining({
      type: 'sms.subscribed',
      url,
      state: 'retrying',
      attempts: [expect.objectContaining({ status: 500 })],
    }),
  ]);
  const [call] = deliveries[0]?.calls ?? [];
  expect(call).toMatchObject({
    request: { operation: 'POST /attributes/custom', status: 200 },
    attempt: 1,
    tie: 'time',
  });

  const back = await chain(call?.request.id ?? '');
  expect(back.cause).toMatchObject({
    deliveryId: deliveries[0]?.id,
    type: 'sms.subscribed',
    attempt: 1,
    request: { id, operation: 'POST /subscriptions' },
  });
});

test('a call that passes the trace header on is linked by it, and one for another delivery is not', async () => {
  const url = await handler(async ({ headers }) => {
    const json = { user: { phone: '+15555550123' }, properties };
    await sandbox.call('POST', '/attributes/custom', {
      json,
      headers: { 'x-sandbox-hops': String(headers['x-sandbox-hops']) },
    });
    await sandbox.call('POST', '/attributes/custom', { json, headers: { 'webhook-id': 'another' } });
    return 200;
  });
  await sandbox.control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  const { id } = await subscribe();
  await expect.poll(async () => (await chain(id)).deliveries[0]?.state).toBe('delivered');
  const calls = (await chain(id)).deliveries[0]?.calls ?? [];
  expect(calls.map(({ tie }) => tie)).toEqual(['header']);
});

test('a request did not come of its own delivery, even if that is attempted in the same millisecond', async () => {
  const url = await handler(async () => 200);
  await sandbox.control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  for (let turn = 0; turn < 40; turn++) {
    const { id } = await subscribe(`+155555${50_000 + turn}`);
    await expect.poll(async () => (await chain(id)).deliveries[0]?.state).toBe('delivered');
    const { cause } = await chain(id);
    expect(cause?.request?.id).not.toBe(id);
  }
});

test('a call long after an attempt is not linked to it', async () => {
  const url = await handler(async () => 200);
  await sandbox.control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  const { id } = await subscribe();
  await expect.poll(async () => (await chain(id)).deliveries[0]?.state).toBe('delivered');
  const { deliveries } = await chain(id);
  const [attempt] = deliveries[0]?.attempts ?? [];
  const ended = Date.parse(attempt?.wallAt ?? '') + (attempt?.durationMs ?? 0);
  await expect.poll(() => Date.now() > ended + 1_050).toBe(true);
  const late = await (await sandbox.call('GET', '/me')).exchange();
  expect((await chain(late.id)).cause).toBeNull();
  expect((await chain(id)).deliveries[0]?.calls).toEqual([]);
});

test('a delivery that is no longer tried has no next attempt, in the chain and on the page of the person', async () => {
  const url = await handler(async () => 500);
  await sandbox.control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  const { id } = await subscribe();
  await expect.poll(async () => (await chain(id)).deliveries[0]?.state).toBe('retrying');
  const delivery = (await chain(id)).deliveries[0];
  expect(delivery?.nextAttemptAt).not.toBeNull();

  const { status } = await sandbox.control('POST', `/control/records/deliveries/${delivery?.id}/moves`, {
    event: 'abandon',
  });
  expect(status).toBe(200);
  const user = sandbox.emulator.deps.store.users
    .records()
    .find(({ addresses }) => addresses.some(({ value }) => value === '+15555550123'));
  const person: PersonView = (await sandbox.control('GET', `/control/people/${user?.id}`)).body;
  expect(person.deliveries).toEqual([expect.objectContaining({ state: 'failed', nextAttemptAt: null })]);
  expect((await chain(id)).deliveries).toEqual([expect.objectContaining({ state: 'failed', nextAttemptAt: null })]);
});

const hops = { 'x-sandbox-hops': '1' };

/** An attempt that began so long before the request, and took so long. */
const attempted = (of: string, beforeMs: number, durationMs: number) => ({ of, beforeMs, durationMs });
type Attempted = ReturnType<typeof attempted>;

test.each<[what: string, headers: Record<string, string>, attempts: readonly Attempted[], cause: string, tie: string]>([
  ['the one that was open', {}, [attempted('open', 900, 2_000), attempted('ended', 300, 100)], 'open', 'time'],
  [
    'of open ones the last begun',
    {},
    [attempted('early', 900, 2_000), attempted('late', 300, 2_000), attempted('mid', 600, 2_000)],
    'late',
    'time',
  ],
  ['of ended ones the last begun', {}, [attempted('late', 300, 100), attempted('early', 900, 100)], 'late', 'time'],
  ['none that begins later', {}, [attempted('early', 900, 100), attempted('later', -300, 2_000)], 'early', 'time'],
  [
    'proven if the count of hops is of one',
    hops,
    [attempted('one', 300, 2_000), attempted('one', 900, 2_000)],
    'one',
    'header',
  ],
  [
    'not proven if the count of hops is of several',
    hops,
    [attempted('late', 300, 2_000), attempted('early', 900, 2_000)],
    'late',
    'time',
  ],
])('of several attempts the likeliest is the cause: %s', async (_what, headers, attempts, deliveryId, tie) => {
  const { store } = sandbox.emulator.deps;
  await sandbox.control('POST', '/control/webhooks', { url: 'http://127.0.0.1:1/hook', events: ['sms.subscribed'] });
  await subscribe();
  await expect.poll(() => store.deliveries.records()[0]?.attempts).toHaveLength(1);
  const first = store.deliveries.records()[0] as Delivery;
  const [attempt] = first.attempts as readonly [DeliveryAttempt];
  const { id } = await (await sandbox.call('GET', '/me', { headers })).exchange();
  const wallAt = sandbox.emulator.recorder.all().find((one) => one.id === id)?.wallAt ?? 0;
  const toAttempt = ({ beforeMs, durationMs }: Attempted): DeliveryAttempt => ({
    ...attempt,
    wallAt: toIso(wallAt - beforeMs),
    durationMs,
  });
  const ids = [...new Set(attempts.map(({ of }) => of))];
  store.transact(() => {
    store.deliveries.delete(first.id);
    for (const of of ids) {
      const own = attempts.filter((one) => one.of === of).map(toAttempt);
      store.deliveries.put({ ...first, id: of, attempts: own, attemptCount: own.length });
    }
  });
  expect((await chain(id)).cause).toMatchObject({ deliveryId, tie });
});

test('a chain shows how a record moved on after the request', async () => {
  const answer = await sandbox.call('POST', '/privacy/delete-request', { json: { subjectPhone: '+15555550100' } });
  const { id } = await answer.exchange();
  expect((await chain(id)).later).toEqual([]);
  const request = [...sandbox.emulator.deps.store.privacyRequests.all()].at(-1);
  const { body } = await sandbox.control('GET', `/control/records/privacy-requests/${request?.id}`);
  const open = (body as { moves: readonly { event: string; open: boolean }[] }).moves.find((move) => move.open);
  await sandbox.control('POST', `/control/records/privacy-requests/${request?.id}/moves`, { event: open?.event });
  const { later } = await chain(id);
  expect(later).toEqual([
    expect.objectContaining({
      kind: 'privacy-requests',
      id: request?.id,
      moves: [expect.objectContaining({ from: request?.state, by: 'hand' })],
    }),
  ]);
});

test('a request that is not recorded has no chain', async () => {
  expect((await sandbox.control('GET', '/control/requests/nothing/chain')).status).toBe(404);
});
