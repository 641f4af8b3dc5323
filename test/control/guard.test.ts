import { request } from 'node:http';
import { connect } from 'node:net';
import { networkInterfaces } from 'node:os';
import { expect, test } from 'vitest';
import { startSandbox, useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

interface RawAnswer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

/** A request with exactly these headers: fetch would change Host and Origin. */
function send(
  url: string,
  {
    method = 'GET',
    headers = {},
    body = '',
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text, headers: answer.headers }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Sends raw bytes, and returns what the server sends until it closes. */
function sendRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.end(bytes));
    let text = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

const portOf = (url: string): number => Number(new URL(url).port);
const both = (): readonly string[] => [sandbox.emulator.inspectorUrl, sandbox.emulator.authUrl];
const authorized = () => ({ authorization: `Bearer ${sandbox.emulator.token}` });

const hosts: readonly (readonly [host: string, allowed: boolean])[] = [
  ['localhost', true],
  ['LOCALHOST', true],
  ['sub.localhost', true],
  ['127.0.0.1', true],
  ['[::1]', true],
  ['localhost.', false],
  ['evil.com', false],
  ['127.0.0.1.nip.io', false],
  ['localhost.evil.com', false],
  ['127.0.0.1@evil.com', false],
  ['127.1', false],
];

test.for(hosts)('the host name %s is accepted on both ports: %s', async ([host, allowed]) => {
  for (const url of both()) {
    const path = url === sandbox.emulator.authUrl ? '/v1/me' : '/control/health';
    const key = url === sandbox.emulator.authUrl ? { authorization: 'Bearer sandpiper-demo-key' } : authorized();
    const answer = await send(url + path, { headers: { ...key, host: `${host}:${portOf(url)}` } });
    expect(answer.status, answer.text).toBe(allowed ? 200 : 403);
    if (allowed) continue;
    expect(answer.text).toContain('--allow-host');
    expect(answer.headers).toMatchObject({ 'x-sandbox-rule': 'request.host' });
  }
});

test('a host with another port, or none, is refused', async () => {
  for (const url of both()) {
    for (const host of ['localhost:1', 'localhost', '127.0.0.1:1', '127.0.0.1'])
      expect((await send(`${url}/`, { headers: { host } })).status, host).toBe(403);
  }
});

test('two Host headers and a whole URL in the request line are refused', async () => {
  for (const url of both()) {
    const port = portOf(url);
    expect(
      await sendRaw(port, `GET / HTTP/1.1\r\nHost: localhost:${port}\r\nHost: evil.com\r\nConnection: close\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 (400|403)/);
    expect(
      await sendRaw(port, `GET http://evil.com/ HTTP/1.1\r\nHost: localhost:${port}\r\nConnection: close\r\n\r\n`),
    ).toMatch(/^HTTP\/1\.1 403/);
    expect(await sendRaw(port, `GET / HTTP/1.1\r\nConnection: close\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403/);
    expect(await sendRaw(port, `GET / HTTP/1.0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 403/);
  }
});

const allowing = useSandbox({ allowHosts: ['', 'sandpiper.test'] });

test('an empty or invalid Host is refused on both ports, whatever other names are allowed', async () => {
  const { authUrl, inspectorUrl, token } = allowing.emulator;
  for (const [url, line] of [
    [authUrl, 'GET /v1/me HTTP/1.1\r\nAuthorization: Bearer sandpiper-demo-key'],
    [inspectorUrl, `GET /control/health HTTP/1.1\r\nAuthorization: Bearer ${token}`],
  ] as const) {
    const allowed = await sendRaw(portOf(url), `${line}\r\nHost: Sandpiper.test\r\nConnection: close\r\n\r\n`);
    expect(allowed).toMatch(/^HTTP\/1\.1 200/);
    for (const host of ['', ' ', '\t', ':', `:${portOf(url)}`, `@:${portOf(url)}`]) {
      const answer = await sendRaw(portOf(url), `${line}\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      expect(answer, JSON.stringify(host)).toMatch(/^HTTP\/1\.1 40[03]/);
    }
  }
});

test('every control route answers 401 without the token, and does nothing', async () => {
  const document = (await sandbox.control('GET', '/control/control-openapi.json')).body as {
    paths: Record<string, Record<string, unknown>>;
  };
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
  );
  expect(routes.length).toBeGreaterThan(8);
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
  for (const [method, path] of [...routes, ['GET', '/control/stream'] as const]) {
    for (const headers of [
      {},
      { authorization: 'Bearer wrong' },
      { authorization: `Basic ${sandbox.emulator.token}` },
    ]) {
      const answer = await send(sandbox.emulator.inspectorUrl + path.replaceAll(/\{[^}]+\}/g, 'x'), {
        method,
        headers: { ...headers, 'content-type': 'application/json' },
        body: method === 'POST' || method === 'PUT' ? JSON.stringify({ world: 'empty' }) : '',
      });
      expect(answer.status, `${method} ${path}`).toBe(401);
    }
  }
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
});

test('an Origin that is not the inspector’s own is refused even with the token, and nothing happens', async () => {
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
  for (const origin of ['https://evil.com', 'null', 'http://localhost:1', 'nonsense', sandbox.emulator.authUrl]) {
    const answer = await send(`${sandbox.emulator.inspectorUrl}/control/reset`, {
      method: 'POST',
      headers: { ...authorized(), origin, 'content-type': 'application/json' },
      body: '{"world":"empty"}',
    });
    expect(answer.status, origin).toBe(403);
  }
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
  const own = await send(`${sandbox.emulator.inspectorUrl}/control/health`, {
    headers: { ...authorized(), origin: sandbox.emulator.inspectorUrl },
  });
  expect(own.status).toBe(200);
});

test('a form cannot reach the control API: its content type is refused, and nothing happens', async () => {
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
  for (const type of ['application/x-www-form-urlencoded', 'text/plain', 'multipart/form-data; boundary=x']) {
    const answer = await send(`${sandbox.emulator.inspectorUrl}/control/reset`, {
      method: 'POST',
      headers: { ...authorized(), 'content-type': type },
      body: '{"world":"empty"}',
    });
    expect(answer.status, type).toBe(415);
  }
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
});

test('no reply allows other origins: no CORS headers, not even for a preflight', async () => {
  for (const url of both()) {
    for (const path of ['/control/reset', '/v1/events/custom']) {
      const answer = await send(url + path, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://evil.com',
          'access-control-request-method': 'POST',
          'access-control-request-headers': 'authorization',
        },
      });
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  }
});

test('control paths do not exist on the API port, nor the API on the control port', async () => {
  const onApi = await send(`${sandbox.emulator.authUrl}/control/health`, { headers: authorized() });
  expect(onApi.status).toBe(404);
  const onControl = await send(`${sandbox.emulator.inspectorUrl}/v1/me`, {
    headers: { authorization: 'Bearer sandpiper-demo-key' },
  });
  expect(onControl.status).toBe(401);
  expect(onControl.text).toContain(sandbox.emulator.apiUrl);
  const withToken = await send(`${sandbox.emulator.inspectorUrl}/v1/me`, { headers: authorized() });
  expect(withToken.status).toBe(404);
});

test('the page for people has a strict policy and no token', async () => {
  const page = await send(`${sandbox.emulator.inspectorUrl}/`);
  expect(page.status).toBe(200);
  expect(page.text).toContain(sandbox.emulator.apiUrl);
  expect(page.text).not.toContain(sandbox.emulator.token);
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.headers).toMatchObject({
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
});

test('other machines cannot connect: only the loopback addresses are listened on', async () => {
  const outside = Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .find(({ internal, family }) => !internal && family === 'IPv4');
  if (!outside) return;
  for (const url of both()) {
    const outcome = await new Promise((resolve) => {
      const socket = connect(portOf(url), outside.address, () => resolve('connected'));
      socket.on('error', (error: NodeJS.ErrnoException) => resolve(error.code));
    });
    expect(outcome).toBe('ECONNREFUSED');
  }
});

test.for(['', ' ', 'with space', 'tab\tin it', 'Schlüssel'])(
  'a token that protects nothing (%j) is refused at the start, in one line',
  async (token) => {
    await expect(startSandbox({ token })).rejects.toThrow(/^The token of --token \(or SANDPIPER_TOKEN\) [^\n]+\.$/);
  },
);
