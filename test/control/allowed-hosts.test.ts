/** Host names that are allowed while the server runs (docs/security.md, Host, origin and token). */
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { request, type IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import type { SettingsView } from '../../emulator/control/calls.ts';
import { startSandbox, useSandbox, type Sandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
beforeEach(async () => {
  for (const host of await allowed()) await remove(host);
});

const allow = (host: string, on: Sandbox = sandbox) => on.control('POST', '/control/allowed-hosts', { host });
const remove = (host: string) => sandbox.control('DELETE', `/control/allowed-hosts/${encodeURIComponent(host)}`);
const allowed = async (on: Sandbox = sandbox): Promise<readonly string[]> =>
  ((await on.control('GET', '/control/settings')).body as SettingsView).allowedHosts;

/** The status of a request with exactly this Host. */
async function askAs(host: string, { apiUrl }: { readonly apiUrl: string } = sandbox.emulator): Promise<number> {
  const headers = { host, authorization: 'Bearer sandpiper-demo-key' };
  const sent = request(`${apiUrl}/me`, { headers }).end();
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  answer.resume();
  return answer.statusCode ?? 0;
}
async function askControlAs(host: string): Promise<number> {
  const { inspectorUrl, token } = sandbox.emulator;
  const headers = { host, authorization: `Bearer ${token}` };
  const [answer] = (await once(request(`${inspectorUrl}/control/health`, { headers }).end(), 'response')) as [
    IncomingMessage,
  ];
  answer.resume();
  return answer.statusCode ?? 0;
}

test.each([
  ['api', 'api:1'],
  ['Sandpiper', 'sandpiper'],
  ['shop.test', 'SHOP.test:1'],
  ['shop.local', 'shop.local'],
  ['a.b.internal', 'a.b.internal'],
  ['shop.home.arpa', 'shop.home.arpa'],
  ['shop.example', 'shop.example'],
  ['shop.invalid', 'shop.invalid'],
  ['api:9000', 'api:9000'],
  ['localhost:9000', 'localhost:9000'],
  ['127.0.0.1:9000', '127.0.0.1:9000'],
  ['[::1]:9000', '[::1]:9000'],
  ['shop.localhost:9000', 'shop.localhost:9000'],
  ['localhost:80', 'localhost'],
])('%s is allowed on the API’s port, where %s is answered then, and undo refuses it again', async (name, host) => {
  expect(await askAs(host)).toBe(403);
  expect(await allow(name)).toMatchObject({ status: 201 });
  expect(await allowed()).toEqual([name.toLowerCase()]);
  expect(await askAs(host)).toBe(200);
  expect(await askControlAs(host), 'the inspector’s port still refuses it').toBe(403);
  await sandbox.control('POST', '/control/undo', {});
  expect(await askAs(host)).toBe(403);
  await sandbox.control('POST', '/control/redo', {});
  expect(await askAs(host)).toBe(200);
});

test.each([
  'attacker.example.com',
  'example.com',
  'localhost.evil.com',
  'test.evil.com',
  'eviltest.com',
  '127.0.0.1.nip.io',
  '192.168.1.5',
  '169.254.169.254',
  '2130706433',
  '0x7f000001',
  'ai',
  'xn--p1ai',
  'arpa.home.arpa.evil.com',
  'shop.test.',
  'shop.test/',
  'user@shop.test',
  'shop.test, evil.com',
  '*.test',
  '',
  '[::ffff:192.168.1.5]:80',
])('%j is not allowed while the server runs, and nothing is changed', async (host) => {
  const { store } = sandbox.emulator.deps;
  const before = JSON.stringify(store.toDocument());
  expect(await allow(host)).toMatchObject({ status: 400, body: { refusal: { rule: 'control.public-host' } } });
  expect(JSON.stringify(store.toDocument())).toBe(before);
  expect(await askAs('attacker.example.com')).toBe(403);
});

test('a name that is removed is refused again, and one is allowed and removed only once', async () => {
  await allow('api');
  await allow('shop.test');
  expect(await allow('API')).toMatchObject({ status: 409 });
  expect(await remove('api')).toMatchObject({ status: 200, body: { says: 'The host api is refused again.' } });
  expect(await remove('api')).toMatchObject({ status: 404 });
  expect([await askAs('api'), await askAs('shop.test')]).toEqual([403, 200]);
});

test('a name is removed in the letters in which it was allowed', async () => {
  await allow('SHOP.test');
  expect(await allowed()).toEqual(['shop.test']);
  expect((await remove('SHOP.test')).status).toBe(200);
  expect(await allowed()).toEqual([]);
});

test('a port that is allowed for a name is not another port', async () => {
  await allow('api:9000');
  await allow('localhost:9000');
  expect([await askAs('api'), await askAs('api:9001'), await askAs('localhost:9001')]).toEqual([403, 403, 403]);
});

test('a reset keeps the allowed names, and a state that is imported brings none', async () => {
  await allow('api');
  await sandbox.control('POST', '/control/reset', { world: 'demo' });
  expect(await allowed()).toEqual(['api']);
  const { body } = await sandbox.control('GET', '/control/export');
  await remove('api');
  await sandbox.control('POST', '/control/import', body);
  expect(await allowed()).toEqual([]);
  expect(await askAs('api')).toBe(403);
});

test('the state cannot allow a name that someone may own, even when its file was edited', async () => {
  const { store } = sandbox.emulator.deps;
  const value = ['attacker.example.com', 'api', 5];
  store.transact(() => store.settings.put({ id: 'allowed-hosts', value }));
  expect([await askAs('attacker.example.com'), await askAs('api')]).toEqual([403, 200]);
  expect(await allowed()).toEqual(['api']);
});

test('an allowed name outlives a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'sandpiper-hosts-'));
  try {
    const first = await startSandbox({ dataDir });
    await allow('api', first);
    await first.close();
    const second = await startSandbox({ dataDir });
    try {
      expect(await allowed(second)).toEqual(['api']);
      expect(await askAs('api', second.emulator)).toBe(200);
    } finally {
      await second.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});

test('a refusal says whether its name can be allowed while the server runs', async () => {
  for (const [host, here] of [
    ['api', true],
    ['attacker.example.com', false],
  ] as const) {
    await askAs(host);
    const last = sandbox.emulator.recorder.all().at(-1);
    expect(last?.refusal?.facts).toEqual({ allow: host, here });
  }
});
