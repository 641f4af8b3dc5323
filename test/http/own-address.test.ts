/** The address at which a server listens is one of its own: it answers there, and delivers nothing to it. */
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { isLoopbackAddress } from '../../emulator/net/addresses.ts';
import { startSandbox } from '../support/sandbox.ts';

test('a server that listens on another loopback address answers there on both ports', async () => {
  const sandbox = await startSandbox({ host: '127.0.0.2' });
  onTestFinished(sandbox.close);
  expect(sandbox.emulator.apiUrl).toContain('//127.0.0.2:');
  expect((await sandbox.call('GET', '/me')).status).toBe(200);
  expect((await sandbox.control('GET', '/control/health')).status).toBe(200);
});

test('the address at which a server listens is its own with the port only, unless it is allowed by name', async () => {
  const statusOf = (url: string, host: string): Promise<number | undefined> =>
    new Promise((resolve, reject) => {
      const sent = request(url, { method: 'HEAD', headers: { host } }, (answer) => resolve(answer.resume().statusCode));
      sent.on('error', reject).end();
    });
  const start = async (allowHosts: readonly string[]): Promise<readonly string[]> => {
    const sandbox = await startSandbox({ host: '127.0.0.2', allowHosts });
    onTestFinished(sandbox.close);
    return [sandbox.emulator.authUrl, sandbox.emulator.inspectorUrl];
  };
  for (const url of await start([]))
    for (const [host, isRefused] of [
      [new URL(url).host, false],
      ['127.0.0.2', true],
      ['127.0.0.2:1', true],
      ['127.0.0.3', true],
    ] as const)
      expect((await statusOf(url, host)) === 403, `${host} at ${url}`).toBe(isRefused);
  for (const url of await start(['127.0.0.2', '127.0.0.3:1']))
    for (const host of ['127.0.0.2', '127.0.0.2:1', '127.0.0.3:1'])
      expect(await statusOf(url, host), `${host} at ${url}`).not.toBe(403);
});

test('a proxy that sends on the port of its own is told the option that sends ours', async () => {
  const sandbox = await startSandbox();
  onTestFinished(sandbox.close);
  const proxy = createServer((asked, answer) => {
    const sent = request(`${sandbox.emulator.apiUrl}/me`, { headers: asked.headers }, (reply) => {
      answer.writeHead(reply.statusCode ?? 0);
      reply.pipe(answer);
    });
    sent.end();
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const reply = await fetch(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}/v1/me`);
  expect(reply.status).toBe(403);
  expect(await reply.text()).toContain('let it send this port (changeOrigin: true)');
});

test('the name of this machine needs no token, however it is written', () => {
  expect(['LOCALHOST', 'Localhost', '127.0.0.9', '::1'].filter((host) => !isLoopbackAddress(host))).toEqual([]);
  expect(['localhost.example', '0.0.0.0', '1.127.0.0'].filter(isLoopbackAddress)).toEqual([]);
});

test('a webhook at the usual port of HTTP does not lead to ourselves', async ({ skip }) => {
  const sandbox = await startSandbox({ port: 80 }).catch(() => null);
  if (sandbox === null) return skip('This user may not listen on port 80, or it is in use.');
  onTestFinished(sandbox.close);
  const json = { url: 'http://127.0.0.1/v1/hook', events: ['email.subscribed'] };
  expect((await sandbox.call('POST', '/webhooks', { json })).status).toBeLessThan(300);
  const user = { email: 'new@example.com' };
  await sandbox.call('POST', '/subscriptions', { json: { user, signUpSourceId: '100001' } });
  await expect
    .poll(() => JSON.stringify([...sandbox.emulator.deps.store.deliveries.all()]))
    .toContain("Sandpiper's own");
  expect(sandbox.emulator.recorder.all().map(({ url }) => url)).not.toContain('/v1/hook');
});
