import { expect, test } from 'vitest';
import type { SummaryView } from '../../emulator/control/calls.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

async function summary(): Promise<SummaryView> {
  const [company] = sandbox.emulator.deps.store.companies.all();
  return (await sandbox.control('GET', `/control/companies/${company?.id}/summary`)).body;
}

test('a summary counts what a company has, by kind', async () => {
  await sandbox.reset();
  const before = await summary();
  const answer = await sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '+15555550188' }, signUpSourceId: unit() },
  });
  expect(answer.status).toBeLessThan(300);
  const after = await summary();
  expect(after.records['users']).toBe((before.records['users'] ?? 0) + 1);
  expect(before.records['companies']).toBeUndefined();
});

test('a summary names the faults that wait, and no longer those that are used up', async () => {
  await sandbox.reset();
  await sandbox.control('POST', '/control/faults', { operation: 'GET /me', status: 429 });
  expect((await summary()).faults).toEqual([
    { id: expect.any(String), operation: 'GET /me', says: expect.stringContaining('429') },
  ]);
  expect((await sandbox.call('GET', '/me')).status).toBe(429);
  expect((await summary()).faults).toEqual([]);
});

test('a summary says that the server is on loopback', async () => {
  expect(await summary()).toMatchObject({ host: '127.0.0.1', loopback: true });
});

test('deliveries that failed and those that wait are counted apart', async () => {
  await sandbox.reset();
  expect((await summary()).deliveries).toEqual({ waiting: 0, retrying: 0, failed: 0 });
  await sandbox.control('POST', '/control/webhooks', { url: 'http://127.0.0.1:9/none', events: ['sms.subscribed'] });
  await sandbox.call('POST', '/subscriptions', {
    json: { user: { phone: '+15555550189' }, signUpSourceId: unit() },
  });
  await expect.poll(async () => (await summary()).deliveries.retrying).toBe(1);
  await sandbox.control('POST', '/control/clock', { advance: '30d' });
  await expect.poll(async () => (await summary()).deliveries).toEqual({ waiting: 0, retrying: 0, failed: 1 });
});

test('an unknown company has no summary', async () => {
  expect((await sandbox.control('GET', '/control/companies/nobody/summary')).status).toBe(404);
});

function unit(): string {
  const [first] = sandbox.emulator.deps.store.signUpUnits.all();
  return first?.id ?? '';
}
