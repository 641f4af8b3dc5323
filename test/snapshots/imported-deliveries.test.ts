import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { DeliveryState } from '../../emulator/records.ts';
import type { RestoredView } from '../../emulator/control/calls.ts';
import type { Snapshot } from '../../emulator/world/format.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { act, freshFolder, opened } from '../support/world.ts';

/** A receiver that counts its requests. */
async function receiving(status = 200): Promise<{ readonly url: string; count(): number }> {
  let count = 0;
  const server = createServer((_request, answer) => {
    count += 1;
    answer.writeHead(status).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, count: () => count };
}

/** An export with a webhook of public reach, another one, and a delivery in every state that waits for something. */
async function armed(url: string, ahead = '0s'): Promise<Snapshot> {
  const sandbox = await opened();
  await act(sandbox, 'POST', '/control/webhooks', { url, events: ['sms.subscribed'], reach: 'public' });
  await act(sandbox, 'POST', '/control/webhooks', { url, events: ['email.opened'] });
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  await act(sandbox, 'POST', '/control/clock', { advance: ahead });
  const file = await act<Snapshot>(sandbox, 'GET', '/control/export?secrets=true');
  const [webhook] = file.collections.webhooks ?? [];
  if (!webhook) throw new Error('The export holds no webhook.');
  const at = '2026-03-01T12:00:00.000Z';
  const delivery = (id: string, state: DeliveryState, by: 'work' | 'hand', webhookId: string | null) => ({
    id,
    companyId: (webhook as unknown as { companyId: string }).companyId,
    eventId: `evt_${id}`,
    type: 'sms.subscribed',
    webhookId,
    url,
    reach: 'public',
    body: '{}',
    createdAt: at,
    seriesStartedAt: null,
    seriesAttempts: 0,
    nextAttemptAt: state === 'retrying' ? at : null,
    hops: 1,
    attemptCount: 0,
    attempts: [],
    state,
    enteredAt: at,
    history: [{ from: null, event: 'created', to: state, by, at, why: 'Made by the file.' }],
  });
  const deliveries = [
    delivery('dlv_901', 'queued', 'hand', webhook.id),
    delivery('dlv_902', 'retrying', 'work', webhook.id),
    delivery('dlv_903', 'delivering', 'work', null),
    delivery('dlv_904', 'paused', 'work', webhook.id),
    delivery('dlv_905', 'delivered', 'work', webhook.id),
    delivery('dlv_906', 'failed', 'work', webhook.id),
    delivery('dlv_907', 'paused', 'hand', webhook.id),
  ];
  return { ...file, collections: { ...file.collections, deliveries } };
}

async function expectHeldBack(sandbox: Sandbox, count: () => number): Promise<void> {
  const { deliveries, store, clock } = sandbox.emulator.deps;
  await deliveries.settled();
  await clock.advance(60 * 60_000);
  await deliveries.settled();
  expect(count()).toBe(0);
  expect([...store.deliveries.all()].map(({ state, reach }) => `${state} ${reach}`)).toEqual([
    ...Array<string>(4).fill('paused loopback'),
    'delivered loopback',
    'failed loopback',
    'paused loopback',
  ]);
  const events = store.deliveries.records().map(({ history }) => history.map(({ event }) => event).join());
  expect(events).toEqual([...Array<string>(4).fill('created,pause'), ...Array<string>(3).fill('created')]);
  expect([...store.webhooks.all()].map(({ reach }) => reach)).toEqual(['loopback', 'loopback']);
}

test.each(['replace', 'merge'])(
  'an import (%s) sends nothing by itself, reaches only this machine, and each delivery can be released by hand',
  async (mode) => {
    const { url, count } = await receiving();
    const sandbox = await opened();
    const restored = await act<RestoredView>(sandbox, 'POST', `/control/import?mode=${mode}`, await armed(url));
    expect(restored.heldBack).toEqual({ deliveries: 4, webhooks: 1 });
    await expectHeldBack(sandbox, count);
    await act(sandbox, 'POST', '/control/records/deliveries/dlv_901/moves', { event: 'resume' });
    await sandbox.emulator.deps.deliveries.settled();
    expect(count()).toBe(1);
  },
);

test.each(['replace', 'merge'])('what an import (%s) paused has the time of the clock from then on', async (mode) => {
  const { url } = await receiving();
  const sandbox = await opened();
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  const file = await armed(url, '60d');
  await act(sandbox, 'POST', `/control/import?mode=${mode}`, file);
  const { clock, store } = sandbox.emulator.deps;
  const paused = store.deliveries.get('dlv_901');
  const now = new Date(clock.now()).toISOString();
  expect([paused?.state, paused?.enteredAt, paused?.history.at(-1)?.at]).toEqual(['paused', now, now]);
});

test('a seed sends nothing by itself either, even after a restart, and the start says so', async () => {
  const { url, count } = await receiving();
  const seed = join(freshFolder(), 'seed.json');
  writeFileSync(seed, JSON.stringify(await armed(url)));
  const dataDir = freshFolder();
  const said: string[] = [];
  const first = await opened({ seed, dataDir, onNotice: (text) => said.push(text) });
  await expectHeldBack(first, count);
  expect(said).toEqual([
    expect.stringContaining('4 waiting deliveries are paused and 1 webhook reaches this machine only'),
  ]);
  await first.close();
  await expectHeldBack(await opened({ dataDir }), count);
});

test('our own snapshot continues where it was: its waiting deliveries are sent', async () => {
  const { url, count } = await receiving(500);
  const sandbox = await opened();
  const { deliveries, store, clock } = sandbox.emulator.deps;
  await act(sandbox, 'POST', '/control/clock', { freeze: true });
  await act(sandbox, 'POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  await sandbox.call('POST', '/subscriptions', { json: { user: { phone: '+15555550177' }, signUpSourceId: '100001' } });
  await deliveries.settled();
  await act(sandbox, 'POST', '/control/snapshots', { name: 'mine' });
  const restored = await act<RestoredView>(sandbox, 'POST', '/control/snapshots/mine/restore');
  expect(restored.heldBack).toEqual({ deliveries: 0, webhooks: 0 });
  expect([...store.deliveries.all()].map(({ state }) => state)).toEqual(['retrying']);
  await clock.advance(10_000);
  await deliveries.settled();
  expect(count()).toBe(2);
});
