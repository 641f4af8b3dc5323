import { once } from 'node:events';
import { Socket, connect, createServer, type AddressInfo } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { expect, test } from 'vitest';
import { createAuthority } from '../../emulator/production/authority.ts';
import { isExempt } from '../../emulator/production/no-proxy.ts';
import { startProxy } from '../../emulator/production/proxy.ts';

test('a target that resets after its head ends that answer only', async () => {
  const head = 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf';
  const asked: Socket[] = [];
  const target = createServer((socket) => {
    asked.push(socket);
    socket.once('data', () => socket.write(head));
  }).listen(0);
  await once(target, 'listening');
  const { port } = target.address() as AddressInfo;
  const proxy = await startProxy({
    settings: { port, hosts: ['platform.example'], offline: true, report: '' },
    authority: await createAuthority(Date.parse('2026-01-01')),
    upstream: null,
    noProxy: '',
    onBlocked: () => {},
    onNoTunnel: () => {},
  });
  for (const _ of ['once', 'again']) {
    const client = connect(Number(new URL(proxy.url).port), '127.0.0.1');
    client.write('GET https://platform.example/v1/me HTTP/1.1\r\nhost: platform.example\r\n\r\n');
    const [answer] = (await once(client, 'data')) as [Buffer];
    expect(String(answer)).toMatch(/^HTTP\/1\.1 200 OK/);
    asked.at(-1)?.resetAndDestroy();
    await once(client.resume(), 'close');
  }
  await proxy.close();
  target.close();
});

test('a client may send its body to the end when its answer has ended already', async () => {
  const body = 'x'.repeat(20 * 1024 * 1024);
  const head = 'POST /v1/events/custom HTTP/1.1\r\nhost: platform.example\r\nconnection: close\r\n\r\n';
  let received = 0;
  let asked = new Socket();
  const target = createServer({ allowHalfOpen: true }, (socket) => {
    asked = socket;
    socket.once('data', () => socket.end('HTTP/1.1 413 Payload Too Large\r\ncontent-length: 0\r\n\r\n'));
    socket.on('data', (chunk) => {
      received += chunk.length;
    });
  }).listen(0);
  await once(target, 'listening');
  const { port } = target.address() as AddressInfo;
  const proxy = await startProxy({
    settings: { port, hosts: ['platform.example'], offline: true, report: '' },
    authority: await createAuthority(Date.now()),
    upstream: null,
    noProxy: '',
    onBlocked: () => {},
    onNoTunnel: () => {},
  });
  const tunnel = connect(Number(new URL(proxy.url).port), '127.0.0.1');
  tunnel.write('CONNECT platform.example:443 HTTP/1.1\r\nhost: platform.example:443\r\n\r\n');
  await once(tunnel, 'data');
  const client = connectTls({ socket: tunnel, servername: 'platform.example', rejectUnauthorized: false });
  await new Promise<void>((resolve, reject) => {
    client.on('error', reject).write(head + body, () => resolve());
  });
  const [answer] = (await once(client, 'data')) as [Buffer];
  expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
  client.end();
  await once(asked, 'end');
  await proxy.close();
  target.close();
  expect(received).toBe(head.length + body.length);
});

test('NO_PROXY exempts by name, address, range and port', () => {
  const exempts = (list: string, ...hosts: readonly string[]) => hosts.map((host) => isExempt(list, host, 443));
  for (const list of ['example.com', '.example.com', '*.example.com', 'a.test, EXAMPLE.com.', 'a.test example.com:443'])
    expect(exempts(list, 'example.com', 'API.example.com.', 'notexample.com', 'com')).toEqual([
      true,
      true,
      false,
      false,
    ]);
  expect(exempts('example.com:8443', 'example.com')).toEqual([false]);
  expect(exempts('*', 'example.com', '192.0.2.1')).toEqual([true, true]);
  expect(exempts('', 'example.com', '')).toEqual([false, false]);
  expect(exempts('10.0.0.0/8,[::1]', '10.1.2.3', '11.1.2.3', '[::1]', '::2')).toEqual([true, false, true, false]);
  expect(exempts('10.0.0.0/99,2001:db8::/32', '10.0.0.0', '2001:db8::1')).toEqual([false, true]);
});
