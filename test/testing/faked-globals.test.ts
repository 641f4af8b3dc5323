import http from 'node:http';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSandbox, type Sandbox } from 'sandpiper/testing';

/** As a test of an app does that waits, tries again later, or must not reach the network. */
let sandbox: Sandbox;

beforeEach(async () => {
  sandbox = await createSandbox();
});
afterEach(async () => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
  await sandbox.close();
});

test('with fake timers events arrive, time is moved and a failed one is sent again', async () => {
  const receiver = await sandbox.receiver();
  receiver.answerWith({ status: 500 }, {});
  await sandbox.control.createWebhook({ url: receiver.url, events: ['email.opened'] });
  vi.useFakeTimers({ now: Date.parse('2001-01-01T00:00:00Z') });
  await sandbox.trigger({ type: 'email.opened' });
  await sandbox.waitForDelivery({ type: 'email.opened', state: 'retrying' });
  await sandbox.clock.advance('1h');
  const { attempts } = await sandbox.waitForDelivery({ type: 'email.opened', state: 'delivered' });
  expect(attempts.map(({ response }) => response?.status)).toEqual([500, 200]);
});

test('with fake timers a wait ends after its real time, and the sandbox can be started and closed', async () => {
  vi.useFakeTimers();
  const other = await createSandbox();
  await expect(other.waitForRequest({ operation: 'GET /me' }, { timeoutMs: 50 })).rejects.toThrow(/50 ms/);
  await other.close();
});

test('a faked date is not that of the sandbox, whose clock is moved by its own calls', async () => {
  vi.useFakeTimers({ now: Date.parse('2001-01-01T00:00:00Z') });
  expect((await sandbox.clock.now()).slice(0, 4)).not.toBe('2001');
});

test('an http.request that the test replaced is not used for calls of the sandbox', async () => {
  const replaced = vi.spyOn(http, 'request').mockImplementation(() => {
    throw new Error('This test must not reach the network.');
  });
  try {
    expect(await sandbox.control.messages()).toEqual(expect.any(Array));
  } finally {
    replaced.mockRestore();
  }
});

test('a fetch that the test replaced is not used for calls of the sandbox', async () => {
  vi.stubGlobal('fetch', () => {
    throw new Error('This test must not reach the network.');
  });
  expect(await sandbox.control.messages()).toEqual(expect.any(Array));
});
