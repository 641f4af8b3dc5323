import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import type { FirstStepsView } from '../../emulator/control/calls.ts';
import { useSandbox } from '../support/sandbox.ts';
import { subscribe } from '../support/world.ts';

const sandbox = useSandbox();
afterEach(async () => {
  await sandbox.control('POST', '/control/clock', { real: true });
  await sandbox.reset();
});

const steps = async (): Promise<FirstStepsView> => (await sandbox.control('GET', '/control/first-steps')).body;
const done = async (): Promise<readonly string[]> =>
  Object.entries(await steps()).flatMap(([name, at]) => (at === null ? [] : [name]));

test('steps are ticked when they happen, and only then', async () => {
  expect(await done()).toEqual([]);
  await sandbox.call('GET', '/me');
  expect(await done()).toEqual(['arrived']);
  await subscribe(sandbox, '15555550123');
  expect(await done()).toEqual(['arrived', 'refused']);
  await sandbox.call('GET', '/webhooks');
  expect(await done()).toEqual(['arrived', 'refused']);
  await subscribe(sandbox, '+15555550123');
  expect(await done()).toEqual(['arrived', 'refused', 'mended']);
  await sandbox.control('POST', '/control/clock', { advance: '1h' });
  expect(await done()).toEqual(['arrived', 'refused', 'mended', 'moved']);
});

test('that the clock was moved is noticed, though it was taken back before anyone asked', async () => {
  await sandbox.control('POST', '/control/clock', { freeze: true });
  await sandbox.control('POST', '/control/clock', { freeze: false });
  expect(await done()).toEqual([]);
  await sandbox.control('POST', '/control/clock', { advance: '12h' });
  await sandbox.control('POST', '/control/clock', { rewind: true });
  expect(await done()).toEqual(['moved']);
});

test('an accepted delivery and an opened message are noticed', async () => {
  const server = createServer((_request, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  await sandbox.control('POST', '/control/webhooks', { url, events: ['sms.subscribed'] });
  await sandbox.control('POST', '/control/messages', {
    subscriber: { phone: '+15555550100' },
    channel: 'TEXT',
    text: 'See https://shop.example/',
    force: true,
  });
  expect((await steps()).opened).toBeNull();
  const [message] = [...sandbox.emulator.deps.store.messages.all()];
  const { status } = await sandbox.control('POST', `/control/messages/${message?.id}/acts`, {
    act: 'click',
    link: 0,
  });
  expect(status).toBeLessThan(300);
  expect((await steps()).opened).not.toBeNull();
  expect((await steps()).delivered).toBeNull();
  await subscribe(sandbox, '+15555550123');
  await expect.poll(async () => (await steps()).delivered).not.toBeNull();
});

test('clearing the record keeps the steps; a reset clears them', async () => {
  await sandbox.call('GET', '/me');
  await sandbox.control('DELETE', '/control/requests');
  expect(await done()).toEqual(['arrived']);
  await sandbox.control('POST', '/control/reset', { world: 'demo' });
  expect(await done()).toEqual([]);
});

test('a request that the window sends does not count as one of the integration', async () => {
  const headers = [['authorization', 'Bearer sandpiper-demo-key']];
  await sandbox.control('POST', '/control/send', { method: 'GET', path: '/v1/me', headers });
  expect(await done()).toEqual([]);
  await sandbox.call('GET', '/me');
  expect(await done()).toEqual(['arrived']);
});
