/** What docs/promises.md promises of safety: a walk for each row, under its name. The state and its files: durability.test.ts. */
import { request } from 'node:http';
import { expect, test } from 'vitest';
import type { FiredView } from '../../emulator/control/calls.ts';
import type { Snapshot } from '../../emulator/world/format.ts';
import { createBench, startReceiver } from '../delivery/support.ts';
import { startSandbox, toRequest, useSandbox } from '../support/sandbox.ts';
import { act, opened } from '../support/world.ts';

const sandbox = useSandbox();

test('No spelling of a control route is answered without the token, and an empty token is refused.', async () => {
  const { hostname, port } = new URL(sandbox.emulator.inspectorUrl);
  // With node:http, because fetch resolves dots and slashes.
  const status = (path: string) =>
    new Promise((resolve, reject) => {
      const sent = request({ hostname, port, path }, (answer) => resolve(answer.resume().statusCode));
      sent.on('error', reject).end();
    });
  for (const path of ['/control/export', '/Control/export', '/control/EXPORT', '/%63ontrol/export', '//control/export'])
    for (const end of ['', '/', '?secrets=true'])
      expect([path + end, await status(path + end)]).toEqual([path + end, 401]);
  for (const path of ['/./control/export', '/x/../control/export', '/control%2Fexport', '/control\\export'])
    expect([path, await status(path)]).toEqual([path, 401]);
  await expect(startSandbox({ token: '' })).rejects.toThrow('The token of --token (or SANDPIPER_TOKEN) is empty');
});

test('Hostile bodies stop at the first fault and hold nothing up.', async () => {
  const headers = { 'content-type': 'application/json' };
  const codes = (raw: string) => sandbox.call('POST', '/coupons/coupon-pool/54102/create', { raw, headers });
  const commas = await codes(`{"codes":[${','.repeat(8 * 1024 * 1024)}]}`);
  expect([commas.rule, commas.text]).toEqual(['body.json', expect.stringContaining('line 1, column 11')]);
  expect((await codes(`{"codes":[${'[],'.repeat(4 * 1024 * 1024)}[]]}`)).rule).toBe('body.too-many');
  expect((await codes('['.repeat(1024 * 1024))).rule).toBe('body.depth');
  // Nearly a number too large, from each of its digits on: looking at them all again and again would take minutes.
  for (const digits of ['1.', `${'1'.repeat(308)}.`, '12345678901234e'])
    expect((await codes(`{"codes":["${digits.repeat(1_000_000 / digits.length)}"]}`)).status).toBeLessThan(500);
});

test('An import sends nothing by itself, and its webhooks reach this machine only.', async () => {
  const receiver = await startReceiver((response) => response.writeHead(500).end());
  const from = await opened();
  await act(from, 'POST', '/control/clock', { freeze: true });
  const webhook = { url: receiver.url, events: ['sms.sent'], reach: 'public' };
  await act(from, 'POST', '/control/webhooks', webhook);
  await act(from, 'POST', '/control/trigger', { type: 'sms.sent' });
  const file = await act<Snapshot>(from, 'GET', '/control/export?secrets=true');

  const to = await opened();
  await act(to, 'POST', '/control/import', file);
  await act(to, 'POST', '/control/clock', { advance: '1h' });
  expect(receiver.got).toHaveLength(1);
  const { deliveries, webhooks } = to.emulator.deps.store;
  expect([...deliveries.all()].map(({ state, reach }) => [state, reach])).toEqual([['paused', 'loopback']]);
  expect([...webhooks.all()].map(({ reach }) => reach)).toEqual(['loopback']);
});

test('A name that is not resolved delays only its own delivery.', async () => {
  const receiver = await startReceiver();
  const silent = new Promise<readonly string[]>(() => {});
  const { webhook, publish, store } = await createBench({
    resolve: (name) => (name === 'good.example' ? Promise.resolve(['127.0.0.1']) : silent),
  });
  for (let n = 0; n < 20; n += 1) webhook(`http://silent${n}.example/`);
  webhook(`http://good.example:${receiver.port}/`);
  publish();
  await receiver.count(1);
  expect([...store.deliveries.all()].filter(({ state }) => state === 'delivering').length).toBeGreaterThanOrEqual(20);
});

test('A page of another site cannot fill the record.', async () => {
  await sandbox.control('DELETE', '/control/requests');
  // As a browser sends what a page posts.
  const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', origin: 'https://other.example' };
  const { events } = sandbox.emulator.deps.store;
  const before = events.size;
  for (let n = 0; n < 10; n += 1) {
    const json = { type: 'Spam', user: { email: 'ada@example.com' } };
    expect((await sandbox.call('POST', '/events/custom', { json, headers })).rule).toBe('request.cross-site');
  }
  expect([events.size, sandbox.emulator.recorder.size]).toEqual([before, 1]);
});

test('Everything that is recorded counts towards its limit, and no export shows a secret.', async () => {
  const limited = await opened({ record: { exchanges: 1_000, bytes: 100_000, days: 30 } });
  for (let n = 0; n < 20; n += 1) await limited.call('GET', '/me', { headers: { 'x-large': 'x'.repeat(8_000) } });
  expect(limited.emulator.recorder.size).toBeLessThan(13);

  const [company] = limited.emulator.deps.store.companies.all();
  const secret = 'planted-secret-4711';
  await act(limited, 'POST', '/control/credentials', { companyId: company?.id, secret });
  await limited.call('GET', `/subscriptions?phone=${secret}`, { key: secret });
  const archive = JSON.stringify(await act(limited, 'POST', '/control/requests/har', {}));
  const world = JSON.stringify(await act(limited, 'GET', '/control/export'));
  expect([archive, world].filter((text) => text.includes(secret))).toEqual([]);
  expect(JSON.stringify(await act(limited, 'GET', '/control/export?secrets=true'))).toContain(secret);
});

test('No delivery leads to a forbidden address, and a loop of deliveries ends.', async () => {
  const to = 'http://169.254.169.254/latest/meta-data/';
  const { deliveries } = await act<FiredView>(sandbox, 'POST', '/control/trigger', { type: 'sms.sent', to });
  expect(deliveries[0]?.attempts[0]?.error).toContain('nothing is ever sent there');

  const set = (round: number) =>
    fetch(
      ...toRequest(sandbox.emulator, 'POST', '/attributes/custom', {
        json: { user: { phone: '+15555550100' }, properties: { round: `r${round}` } },
      }),
    );
  // A handler that causes the event again.
  const receiver = await startReceiver((response, _got, round) => {
    if (round < 1_500) void set(round).finally(() => response.end());
    else response.end();
  });
  await act(sandbox, 'POST', '/control/webhooks', { url: receiver.url, events: ['custom_attribute.set'] });
  await set(0);
  await sandbox.emulator.deps.deliveries.settled();
  expect(receiver.got.length).toBeLessThan(1_100);
  const { notices } = await act<{ notices: { text: string }[] }>(sandbox, 'GET', '/control/notices');
  expect(notices.map(({ text }) => text).join()).toMatch(/loop/i);
});
