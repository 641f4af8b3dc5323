import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { moveClock } from '../../emulator/commands/move-clock.ts';
import { createControlClient, type ControlClient } from '../../emulator/control/client/control-client.ts';
import type {
  ClockChangeView,
  ClockView,
  DeliveryDetailView,
  FiredView,
  Reply,
  StreamMessage,
} from '../../emulator/control/calls.ts';
import { deliverySettings } from '../../emulator/delivery/settings.ts';
import { patienceTick } from '../../emulator/delivery/patience.ts';
import type { Webhook } from '../../emulator/records.ts';
import { startReceiver, type Receiver } from '../delivery/support.ts';
import type { Sandbox } from '../support/sandbox.ts';
import { act, freshFolder, opened } from '../support/world.ts';

const start = '2026-03-01T12:00:00.000Z';
const second = 1000;
const day = 86_400 * second;
const after = (ms: number): string => new Date(Date.parse(start) + ms).toISOString();

const change = (sandbox: Sandbox, json: unknown) => act<ClockChangeView>(sandbox, 'POST', '/control/clock', json);
const clockOf = (sandbox: Sandbox) => act<ClockView>(sandbox, 'GET', '/control/clock');
const deliveryOf = (sandbox: Sandbox, id: string) =>
  act<DeliveryDetailView>(sandbox, 'GET', `/control/deliveries/${id}`);

/** A receiver that accepts requests and never replies. */
const hanging = (): Promise<Receiver> => startReceiver(() => {});

/** An emulator whose time is frozen at `start`, with a webhook to each receiver. */
async function frozen(...receivers: readonly Receiver[]): Promise<Sandbox> {
  const sandbox = await opened();
  await freeze(sandbox);
  for (const { url } of receivers) await listen(sandbox, url);
  return sandbox;
}

async function freeze(sandbox: Sandbox): Promise<void> {
  await change(sandbox, { freeze: true });
  await change(sandbox, { set: start });
}

const listen = (sandbox: Sandbox, url: string) =>
  act(sandbox, 'POST', '/control/webhooks', { url, events: ['sms.subscribed'] });

/** Subscribes a person; returns the deliveries of the event. */
async function subscribe(sandbox: Sandbox, phone = '+15555550199'): Promise<readonly string[]> {
  const before = new Set([...sandbox.emulator.deps.store.deliveries.all()].map(({ id }) => id));
  const { status } = await sandbox.call('POST', '/subscriptions', {
    json: { user: { phone }, signUpSourceId: '100001' },
  });
  expect(status).toBe(202);
  return [...sandbox.emulator.deps.store.deliveries.all()].map(({ id }) => id).filter((id) => !before.has(id));
}

/** When the attempts of one delivery are made that no one accepts, in seconds after `start`. */
const wholeSeries = [0, 5, 35, 155, 755, 4355, 15_155, 36_755, 79_955, 123_155, 166_355, 209_555, 252_755];
const toSeconds = (attempts: readonly { readonly at: string }[] = []): readonly number[] =>
  attempts.map(({ at }) => (Date.parse(at) - Date.parse(start)) / second);

/** Real milliseconds that it took. Bounds are far above what is usual, and far below what waiting would take. */
async function took(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

test('a receiver that never replies does not delay an advance, which ends exactly at its target', async () => {
  const receiver = await hanging();
  const sandbox = await frozen(receiver);
  const [id = ''] = await subscribe(sandbox);
  await receiver.count(1);
  const answer = await change(sandbox, { advance: '30d' });
  expect(answer).toMatchObject({ now: after(30 * day), stopped: false, jump: null });
  expect(answer.waiting).toEqual([{ url: receiver.url, count: 1 }]);
  // The receiver has not been given up.
  expect(await deliveryOf(sandbox, id)).toMatchObject({ state: 'delivering' });
});

test('an advance waits once for many receivers that never reply, not for each of them in turn', async () => {
  const many = 40;
  const seen = new Set<string>();
  // The first attempts are refused, so that the second ones are due at as many different times; then none is answered.
  const receiver = await startReceiver((response, { url }) => {
    if (seen.has(url)) return;
    seen.add(url);
    response.writeHead(503, { 'retry-after': String(60 * seen.size) }).end();
  });
  const sandbox = await frozen();
  for (let n = 0; n < many; n += 1) await listen(sandbox, `${receiver.url}/${n}`);
  await subscribe(sandbox);
  const { clock, deliveries } = sandbox.emulator.deps;
  await deliveries.settled();

  // Counted, not measured: a busy machine makes each wait longer, but not more of them.
  const wait = vi.spyOn(clock, 'afterWall');
  onTestFinished(() => wait.mockRestore());
  await change(sandbox, { advance: '1d' });
  const waits = wait.mock.calls.filter(([ms]) => ms === patienceTick.stepMs).length / patienceTick.steps;
  expect(receiver.got.length).toBe(2 * many);
  expect(waits).toBeLessThanOrEqual(
    deliverySettings.advanceGraceInAllMs / (patienceTick.steps * patienceTick.stepMs) + 2 * many,
  );
});

test('an advance of running time moves the clock by exactly its length, however long it took', async () => {
  const receiver = await hanging();
  const sandbox = await opened();
  await listen(sandbox, receiver.url);
  await subscribe(sandbox);
  await receiver.count(1);
  await change(sandbox, { advance: '30d' });
  expect(await clockOf(sandbox)).toMatchObject({ offsetMs: 30 * day, offset: '30d' });
  await change(sandbox, { advance: '12h' });
  expect(await clockOf(sandbox)).toMatchObject({ offsetMs: 30.5 * day, offset: '30d12h' });
});

test('with one receiver that never replies, the retries of another happen at their times', async () => {
  const refusing = await startReceiver((response) => {
    response.statusCode = 500;
    response.end();
  });
  const sandbox = await frozen(await hanging(), refusing);
  const ids = await subscribe(sandbox);
  await change(sandbox, { advance: '30d' });
  const deliveries = await Promise.all(ids.map((id) => deliveryOf(sandbox, id)));
  const played = deliveries.find(({ url }) => url === refusing.url);
  expect(played?.state).toBe('failed');
  expect(toSeconds(played?.attempts)).toEqual(wholeSeries);
});

test('a receiver that takes as long as an app with a database gets all its retries in one advance, at their times', async () => {
  const receiver = await startReceiver((response) => {
    response.statusCode = 500;
    setTimeout(() => response.end(), 30);
  });
  const sandbox = await frozen(receiver);
  const [id = ''] = await subscribe(sandbox);
  await change(sandbox, { advance: '30d' });
  const { state, attempts } = await deliveryOf(sandbox, id);
  expect(state).toBe('failed');
  expect(toSeconds(attempts).map((one) => Math.floor(one))).toEqual(wholeSeries);
});

test('a late reply counts from its arrival, and an overdue retry is sent at once and says so', async () => {
  let answerLate = (): void => {};
  const receiver = await startReceiver((response, _got, n) => {
    const answer = (status: number): void => {
      response.statusCode = status;
      response.end();
    };
    if (n > 1) answer(200);
    else answerLate = () => answer(503);
  });
  const sandbox = await frozen(receiver);
  const [id = ''] = await subscribe(sandbox);
  await receiver.count(1);
  await change(sandbox, { advance: '1h' });
  expect(await deliveryOf(sandbox, id)).toMatchObject({ state: 'delivering', attemptCount: 0 });
  answerLate();
  await receiver.count(2);
  await sandbox.emulator.deps.deliveries.settled();

  const { state, attempts, history } = await deliveryOf(sandbox, id);
  expect(state).toBe('delivered');
  expect(attempts.map(({ at }) => at)).toEqual([start, after(3600 * second)]);
  const refused = history.find(({ event }) => event === 'refused');
  expect(Date.parse(refused?.at ?? '') - Date.parse(start)).toBeLessThan(60 * second);
  expect(refused?.why).toContain('moved past the time of the next attempt before the answer came');
});

test('a receiver that replies only after an advance gets every event, and the advance does not wait for its replies', async () => {
  const held: ServerResponse[] = [];
  let isHolding = true;
  const receiver = await startReceiver((response) => void (isHolding ? held.push(response) : response.end()));
  const sandbox = await frozen(receiver);
  const { deliveries, store } = sandbox.emulator.deps;
  const { id: webhookId, companyId } = [...store.webhooks.all()].find(({ url }) => url === receiver.url) as Webhook;
  const one = { type: 'sms.subscribed', companyId, webhookId, url: receiver.url, body: '{}', why: '' };
  deliveries.enqueue(Array.from({ length: 50 }, (_one, n) => ({ ...one, eventId: `evt_${n}`, reach: 'loopback' })));
  await change(sandbox, { advance: '1h' });
  isHolding = false;
  for (const response of held) response.end();
  await receiver.count(50);
  await deliveries.settled();
  expect(
    [...store.deliveries.all()].filter(({ eventId }) => /^evt_\d+$/.test(eventId)).map(({ state }) => state),
  ).toEqual(Array.from({ length: 50 }, () => 'delivered'));
});

test('firing an event by hand at a receiver that never replies returns, with the delivery in progress and a note', async () => {
  const receiver = await hanging();
  const sandbox = await frozen();
  const event = { type: 'sms.subscribed', to: receiver.url };
  expect(await act<FiredView>(sandbox, 'POST', '/control/trigger', event)).toMatchObject({
    deliveries: [{ state: 'delivering' }],
    note: expect.stringContaining('The receiver has not answered yet'),
  });
});

test('a reset, a restore and a close cancel running deliveries, and wait for nothing', async () => {
  let broken = 0;
  const receiver = await startReceiver((response) => void response.once('close', () => (broken += 1)));
  const sandbox = await frozen(receiver);
  await act(sandbox, 'POST', '/control/snapshots', { name: 'before' });
  const send = async (count: number): Promise<void> => {
    await subscribe(sandbox);
    await receiver.count(count);
  };
  const isBroken = async (count: number): Promise<void> => {
    await expect.poll(() => broken).toBe(count);
  };

  await send(1);
  expect(await took(() => act(sandbox, 'POST', '/control/snapshots/before/restore', {}))).toBeLessThan(8 * second);
  await isBroken(1);
  await send(2);
  expect(await took(() => act(sandbox, 'POST', '/control/reset', { world: 'demo' }))).toBeLessThan(8 * second);
  await isBroken(2);
  await listen(sandbox, receiver.url);
  await send(3);
  expect(await took(() => sandbox.close())).toBeLessThan(8 * second);
  await isBroken(3);
});

/** Work that falls due after an hour, and runs until it is released. */
function dueSlowly({ emulator }: Sandbox): () => void {
  const { clock } = emulator.deps;
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  clock.at('slow', clock.now() + 3_600_000, 'something slow', () => released);
  clock.at('later', clock.now() + 2 * day, 'something later', () => {});
  onTestFinished(release);
  return release;
}

/** An advance by 30 days that has come as far as the work after an hour, and waits for it. */
async function advanceHalfway(sandbox: Sandbox): Promise<{ readonly advanced: Promise<ClockChangeView> }> {
  dueSlowly(sandbox);
  const advanced = change(sandbox, { advance: '30d' });
  await expect.poll(async () => (await clockOf(sandbox)).now).toBe(after(3600 * second));
  return { advanced };
}

test('an advance reports its progress, and when stopped keeps the time that it has reached', async () => {
  const sandbox = await frozen();
  dueSlowly(sandbox);
  const { inspectorUrl: url, token } = sandbox.emulator;
  const end = new AbortController();
  onTestFinished(() => end.abort());
  const messages = createControlClient({ url, token }).stream(end.signal);
  const first = messages.next();
  const advanced = change(sandbox, { advance: '30d' });
  const jumps: (StreamMessage & { type: 'jump' })['jump'][] = [];
  for (let message = await first; jumps.length < 2; message = await messages.next())
    if (message.value.type === 'jump') jumps.push(message.value.jump);
  const jump = { from: start, to: after(30 * day), now: after(3600 * second), fired: 1, left: 1 };
  expect(jumps).toEqual([jump, jump]);
  expect((await clockOf(sandbox)).jump).toEqual(jump);

  expect(await change(sandbox, { stop: true })).toMatchObject({ stopped: true, now: after(3600 * second), jump: null });
  expect(await advanced).toMatchObject({ stopped: true, now: after(3600 * second), firedCount: 1 });
  expect((await clockOf(sandbox)).now).toBe(after(3600 * second));
  expect(await sandbox.control('POST', '/control/clock', { stop: true })).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('nothing to stop') },
  });
});

test('a move with a name is stopped by it, also before its turn, and no other one is', async () => {
  const sandbox = await frozen();
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  onTestFinished(() => release());
  sandbox.emulator.deps.clock.at('slow', Date.parse(start) + 3600 * second, 'something slow', () => released);
  const first = change(sandbox, { advance: '1d', name: 'first' });
  await expect.poll(async () => (await clockOf(sandbox)).now).toBe(after(3600 * second));
  const waiting = change(sandbox, { advance: '30d', name: 'second' });
  const stop = (name: string) => sandbox.control('POST', '/control/clock', { stop: true, name });
  expect(await stop('third')).toMatchObject({ status: 409, body: { message: expect.stringContaining('"third"') } });
  await expect.poll(async () => (await stop('second')).status).toBe(200);
  release();
  expect(await first).toMatchObject({ stopped: false, now: after(day) });
  expect(await waiting).toMatchObject({ stopped: true, now: after(day), firedCount: 0 });
  expect(await stop('first')).toMatchObject({ status: 409 });
});

test('an advance that is stopped is not said to have moved time as far as it was meant to', async () => {
  const sandbox = await frozen();
  const { advanced } = await advanceHalfway(sandbox);
  await change(sandbox, { stop: true });
  await advanced;
  const says = `Time was moved to ${after(3600 * second)}, where it was stopped, from ${start}.`;
  const { undo } = await act<Reply<'GET /control/undo'>>(sandbox, 'GET', '/control/undo');
  expect(undo[0]).toMatchObject({ code: 'clock.advanced', says });
  const { groups } = await act<Reply<'GET /control/timeline'>>(sandbox, 'GET', '/control/timeline?kind=clock');
  expect(groups.map((one) => one.says)).toContain('You began to advance the clock by 30 d, and stopped it on the way');
  expect((await clockOf(sandbox)).rewind?.says).toBe(says);
});

test('when the server stops, a running advance ends where it is, for its caller and for the next start', async () => {
  const dataDir = freshFolder();
  const sandbox = await opened({ dataDir });
  await freeze(sandbox);
  const { advanced } = await advanceHalfway(sandbox);
  await sandbox.close();
  expect(await advanced).toMatchObject({ stopped: true, now: after(3600 * second) });
  expect((await clockOf(await opened({ dataDir }))).now).toBe(after(3600 * second));
});

test('a reset ends a running advance, and the rewind of a stopped one returns to its start', async () => {
  const sandbox = await frozen();
  const { advanced: stopped } = await advanceHalfway(sandbox);
  await change(sandbox, { rewind: true });
  expect((await stopped).stopped).toBe(true);
  expect((await clockOf(sandbox)).now).toBe(start);

  const { advanced: broken } = await advanceHalfway(sandbox);
  await act(sandbox, 'POST', '/control/reset', { world: 'demo' });
  expect((await broken).stopped).toBe(true);
  expect((await clockOf(sandbox)).mode).toBe('real');
});

test.for([
  ['POST /control/undo', { id: 'undo_0' }],
  ['POST /control/redo', {}],
  ['POST /control/timeline/back', { at: after(90 * day) }],
  ['POST /control/snapshots/never/restore', {}],
  ['POST /control/reset', { world: 'start' }],
] as const)('a running advance goes on where %s is refused', async ([call, json]) => {
  const world = join(freshFolder(), 'world.yaml');
  writeFileSync(world, 'companies:\n  - name: Shop\n');
  const sandbox = await opened({ world });
  writeFileSync(world, 'companies: none\n');
  await freeze(sandbox);
  const { advanced } = await advanceHalfway(sandbox);
  const [method = '', path = ''] = call.split(' ');
  expect((await sandbox.control(method, path, json)).status).toBeGreaterThanOrEqual(400);
  expect((await clockOf(sandbox)).jump).not.toBeNull();
  await change(sandbox, { stop: true });
  expect((await advanced).now).toBe(after(3600 * second));
});

test('a stop that overtakes its own move of time ends it all the same', async () => {
  const sandbox = await frozen();
  const { clock } = sandbox.emulator.deps;
  clock.at('slow', Date.parse(start) + 3600 * second, 'something slow', () => new Promise(() => {}));
  const client = createControlClient({ url: sandbox.emulator.inspectorUrl, token: sandbox.emulator.token });
  let release = (): void => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const held: Pick<ControlClient, 'answer' | 'call'> = {
    async answer(...asked) {
      await released;
      return client.answer(...asked);
    },
    call: (...asked) => client.call(...asked).finally(release),
  };
  const { answer, stop } = moveClock(held, { advance: '30d' });
  await stop();
  expect((await answer).reply).toMatchObject({ stopped: true });
  expect(Date.parse((await clockOf(sandbox)).now)).toBeLessThanOrEqual(Date.parse(after(3600 * second)));
  await stop();
});
