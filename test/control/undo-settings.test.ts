/** Settings are undone and redone like records: faults, limits, pace, clock, the built-in receiver, the clock of webhooks. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createControlClient, type ControlClient } from '../../emulator/control/client/control-client.ts';
import type { UndoRef } from '../../emulator/control/call.ts';
import { freshFolder, opened } from '../support/world.ts';
import { freePort } from '../support/free-port.ts';
import type { Sandbox } from '../support/sandbox.ts';
import type { EmulatorOptions } from '../../emulator/options.ts';

async function connected(
  options: Partial<EmulatorOptions> = {},
): Promise<Sandbox & { readonly client: ControlClient }> {
  const sandbox = await opened({ pace: 'instant', ...options });
  const { inspectorUrl, token } = sandbox.emulator;
  return { ...sandbox, client: createControlClient({ url: inspectorUrl, token }) };
}
const take = (client: ControlClient, undo: UndoRef | undefined) =>
  client.call('POST /control/undo', { body: { id: undo?.id ?? 'none' } });

test('undoing a fault removes it also where requests have used it up, and leaves other faults as they are', async () => {
  const { client, call } = await connected();
  const faults = async () =>
    (await client.call('GET /control/faults')).faults.map(({ operation, hits, active }) => ({
      operation,
      hits,
      active,
    }));
  await client.call('POST /control/faults', { body: { operation: 'GET /webhooks', status: 500, times: 2 } });
  const { undo } = await client.answer('POST /control/faults', { body: { operation: 'GET /me', status: 500 } });
  expect((await call('GET', '/me')).status).toBe(500);
  expect((await call('GET', '/webhooks')).status).toBe(500);
  const other = { operation: 'GET /webhooks', hits: 1, active: true };
  expect(await faults()).toEqual([other, { operation: 'GET /me', hits: 1, active: false }]);
  await take(client, undo);
  expect(await faults()).toEqual([other]);
  await client.call('POST /control/redo');
  expect(await faults()).toEqual([other, { operation: 'GET /me', hits: 1, active: false }]);
});

test('removed faults come back in their order, with what they have counted', async () => {
  const { client, call } = await connected();
  const statuses = async () => [(await call('GET', '/me')).status, (await call('GET', '/me')).status];
  const first = await client.call('POST /control/faults', { body: { operation: 'GET /me', status: 500, every: 2 } });
  await client.call('POST /control/faults', { body: { operation: 'GET /me', status: 429, times: 9 } });
  // The first one has seen one request, which the second one answered.
  expect((await call('GET', '/me')).status).toBe(429);
  const before = await client.call('GET /control/faults');
  const one = await client.answer('DELETE /control/faults/{id}', { params: { id: first.id } });
  expect(one.undo?.code).toBe('fault.removed');
  await take(client, one.undo);
  expect(await client.call('GET /control/faults')).toEqual(before);
  const all = await client.answer('DELETE /control/faults');
  expect(all.undo?.code).toBe('faults.cleared');
  expect(await statuses()).toEqual([200, 200]);
  await take(client, all.undo);
  expect(await client.call('GET /control/faults')).toEqual(before);
  expect(await statuses()).toEqual([500, 429]);
});

test('undoing a change of the limits or of the pace puts the old one back, and redo the new one', async () => {
  const { client } = await connected();
  const settings = async () => [
    (await client.call('GET /control/limits')).mode,
    (await client.call('GET /control/pace')).pace,
    (await client.call('GET /control/settings')).webhookTime,
  ];
  const before = await settings();
  const mode = before[0] === 'off' ? 'real' : 'off';
  const limits = await client.answer('POST /control/limits', { body: { mode } });
  const pace = await client.answer('POST /control/pace', { body: { pace: 'manual' } });
  const time = await client.answer('POST /control/webhook-time', { body: { time: 'virtual' } });
  const after = await settings();
  expect(after).toEqual([mode, 'manual', 'virtual']);
  for (const { undo } of [time, pace, limits]) await take(client, undo);
  expect(await settings()).toEqual(before);
  for (const { undo } of [limits, pace, time])
    expect(await client.call('POST /control/redo')).toMatchObject({ id: undo?.id, code: undo?.code });
  expect(await settings()).toEqual(after);
});

test('the pace that an undo puts back moves what waits for it', async () => {
  const { client, call, emulator } = await connected();
  const { undo } = await client.answer('POST /control/pace', { body: { pace: 'manual' } });
  const json = { subjectEmail: 'mary@example.com' };
  const { id } = (await call('POST', '/privacy/delete-request', { json })).body as { readonly id: string };
  const state = () => emulator.deps.store.privacyRequests.get(id)?.state;
  await emulator.deps.clock.advance(60_000);
  expect(state()).toBe('received');
  await take(client, undo);
  await emulator.deps.clock.advance(1_000);
  expect(state()).toBe('processed');
});

test('undoing a freeze lets the clock run from the time that it shows, and redo freezes it again', async () => {
  const { client } = await connected();
  const freeze = await client.answer('POST /control/clock', { body: { freeze: true } });
  await take(client, freeze.undo);
  const running = await client.call('GET /control/clock');
  expect(running.frozenAt).toBeNull();
  expect(Date.parse(running.now)).toBeGreaterThanOrEqual(Date.parse(freeze.reply.now));
  await client.call('POST /control/redo');
  expect((await client.call('GET /control/clock')).mode).toBe('frozen');
  const unfreeze = await client.answer('POST /control/clock', { body: { freeze: false } });
  await take(client, unfreeze.undo);
  expect((await client.call('GET /control/clock')).mode).toBe('frozen');
});

test('undoing a rate puts the old one back, and time that has passed stays', async () => {
  const { client } = await connected();
  const { undo, reply } = await client.answer('POST /control/clock', { body: { rate: 60 } });
  await take(client, undo);
  const clock = await client.call('GET /control/clock');
  expect(clock.rate).toBe(1);
  expect(Date.parse(clock.now)).toBeGreaterThanOrEqual(Date.parse(reply.now));
  await client.call('POST /control/redo');
  expect((await client.call('GET /control/clock')).rate).toBe(60);
});

test('a stopped receiver is started again at its address, with its answer and what it received', async () => {
  const { client } = await connected();
  await client.call('POST /control/receiver', { body: { status: 503, echo: false } });
  const { url } = await client.call('GET /control/receiver');
  await fetch(url ?? '', { method: 'POST', body: 'one' });
  const before = await client.call('GET /control/receiver');
  const { undo } = await client.answer('DELETE /control/receiver');
  await expect(fetch(url ?? '')).rejects.toThrow('fetch failed');
  await take(client, undo);
  expect(await client.call('GET /control/receiver')).toEqual(before);
  expect((await fetch(url ?? '', { method: 'POST', body: 'two' })).status).toBe(503);
  await client.call('POST /control/redo');
  expect((await client.call('GET /control/receiver')).running).toBe(false);
});

/** Makes the receiver start at a port that no connection of another program gets meanwhile. */
async function startAtFreePort({ emulator: { deps }, client }: Awaited<ReturnType<typeof connected>>): Promise<string> {
  const value = await freePort();
  deps.store.transact(() => deps.store.settings.put({ id: 'receiver-port', value }));
  expect(await client.call('POST /control/receiver')).toMatchObject({ url: `http://127.0.0.1:${value}/` });
  return `http://127.0.0.1:${value}/`;
}

test('a receiver that is stopped and started has its address again, also after a reset and a restart', async () => {
  const dataDir = freshFolder();
  const first = await connected({ dataDir });
  const url = await startAtFreePort(first);
  await first.client.call('DELETE /control/receiver');
  expect((await first.client.call('POST /control/receiver')).url).toBe(url);
  await first.reset();
  await first.close();
  const second = await connected({ dataDir });
  expect((await second.client.call('GET /control/receiver')).running).toBe(false);
  expect((await second.client.call('POST /control/receiver')).url).toBe(url);
  expect((await fetch(url, { method: 'POST', body: 'one' })).status).toBe(200);
});

test('a receiver whose last port is taken starts at another one', async () => {
  const sandbox = await connected();
  const { client } = sandbox;
  const url = await startAtFreePort(sandbox);
  await client.call('DELETE /control/receiver');
  const other = createServer().listen(Number(new URL(url).port), '127.0.0.1');
  onTestFinished(() => void other.close());
  await once(other, 'listening');
  const { url: moved } = await client.call('POST /control/receiver');
  expect(moved).not.toBe(url);
  expect((await fetch(moved ?? '', { method: 'POST', body: 'one' })).status).toBe(200);
});

test('the edits of a receiver say what it was set to', async () => {
  const { client } = await connected();
  await client.call('POST /control/receiver');
  for (const body of [
    { status: 500 },
    { delayMs: 3_000, echo: false },
    { connection: 'reset' },
    { connection: 'refused' },
  ] as const)
    await client.call('POST /control/receiver', { body });
  const { undo } = await client.call('GET /control/undo');
  expect(undo.map(({ says }) => says)).toEqual([
    'The built-in receiver was set to refuse connections.',
    'The built-in receiver was set to close connections after 3,000 ms.',
    'The built-in receiver was set to answer 500 after 3,000 ms without a body.',
    'The built-in receiver was set to answer 500.',
    'The built-in receiver was started.',
  ]);
});

test('a receiver is started, changed and cleared, each undone and redone', async () => {
  const { client } = await connected();
  const view = async () => {
    const { running, behaviour, received } = await client.call('GET /control/receiver');
    return [running, behaviour.connection, received.map(({ body }) => body)];
  };
  const started = await client.answer('POST /control/receiver');
  await fetch(started.reply.url ?? '', { method: 'POST', body: 'one' });
  const changed = await client.answer('POST /control/receiver', { body: { connection: 'refused' } });
  const cleared = await client.answer('POST /control/receiver', { body: { forget: true } });
  expect([started, changed, cleared].map(({ undo }) => undo?.code)).toEqual([
    'receiver.started',
    'receiver.changed',
    'receiver.cleared',
  ]);
  expect(await view()).toEqual([true, 'refused', []]);
  await take(client, cleared.undo);
  expect(await view()).toEqual([true, 'refused', ['one']]);
  await take(client, changed.undo);
  expect((await fetch(started.reply.url ?? '', { method: 'POST', body: 'two' })).status).toBe(200);
  await client.call('POST /control/redo');
  await client.call('POST /control/redo');
  expect(await view()).toEqual([true, 'refused', ['two']]);
  await client.call('POST /control/undo', { body: { id: started.undo?.id ?? '', andNewer: true } });
  expect((await view())[0]).toBe(false);
});

test('a setting that has that value already is not changed, so there is nothing to undo', async () => {
  const { client } = await connected();
  const { mode } = await client.call('GET /control/limits');
  await client.call('POST /control/receiver');
  const same = [
    await client.answer('POST /control/limits', { body: { mode } }),
    await client.answer('POST /control/pace', { body: { pace: 'instant' } }),
    await client.answer('POST /control/clock', { body: { freeze: false } }),
    await client.answer('POST /control/clock', { body: { rate: 1 } }),
    await client.answer('POST /control/receiver', { body: { status: 200 } }),
    await client.answer('POST /control/webhook-time', { body: { time: 'wall' } }),
    await client.answer('DELETE /control/faults'),
  ];
  expect(same.map(({ undo }) => undo)).toEqual(same.map(() => undefined));
  expect((await client.call('GET /control/clock')).mode).toBe('real');
});

test('a setting that was changed again is not undone over that change, unless that is undone with it', async () => {
  const { client, control } = await connected();
  const { pace: before } = await client.call('GET /control/pace');
  const first = await client.answer('POST /control/pace', { body: { pace: 'manual' } });
  await client.call('POST /control/pace', { body: { pace: 'realistic' } });
  const early = await control('POST', '/control/undo', { id: first.undo?.id });
  expect(early).toMatchObject({ status: 409, body: { refusal: { rule: 'undo.newer' } } });
  expect((await client.call('GET /control/pace')).pace).toBe('realistic');
  await client.call('POST /control/undo', { body: { id: first.undo?.id ?? '', andNewer: true } });
  expect((await client.call('GET /control/pace')).pace).toBe(before);
});

test('undoing a setting is not a change of its own: what was undone before it can still be redone', async () => {
  const { client } = await connected();
  const { reply: frozen } = await client.answer('POST /control/clock', { body: { freeze: true } });
  await client.call('POST /control/pace', { body: { pace: 'manual' } });
  await client.call('POST /control/undo');
  await client.call('POST /control/undo');
  expect((await client.call('GET /control/undo')).redo.map(({ code }) => code)).toEqual([
    'clock.frozen',
    'pace.changed',
  ]);
  await client.call('POST /control/redo');
  await client.call('POST /control/redo');
  expect((await client.call('GET /control/pace')).pace).toBe('manual');
  expect(Date.parse((await client.call('GET /control/clock')).now)).toBeGreaterThanOrEqual(Date.parse(frozen.now));
  await client.call('POST /control/undo');
  await client.call('POST /control/faults', { body: { operation: '*', status: 500 } });
  expect((await client.call('GET /control/undo')).redo).toEqual([]);
});

test('a rewind takes later changes of settings back too, and its redo brings them', async () => {
  const { client } = await connected();
  const settings = async () => {
    const { mode, rate } = await client.call('GET /control/clock');
    const { faults } = await client.call('GET /control/faults');
    return [mode, rate, faults.map(({ id }) => id)];
  };
  await client.call('POST /control/clock', { body: { freeze: true } });
  const before = await settings();
  await client.call('POST /control/clock', { body: { advance: '1d' } });
  await client.call('POST /control/clock', { body: { freeze: false } });
  await client.call('POST /control/clock', { body: { rate: 2 } });
  await client.call('POST /control/faults', { body: { operation: '*', status: 500 } });
  const after = await settings();
  await client.call('POST /control/clock', { body: { rewind: true } });
  expect(await settings()).toEqual(before);
  expect(await client.call('POST /control/redo')).toMatchObject({ code: 'clock.advanced', later: 3 });
  expect(await settings()).toEqual(after);
});
