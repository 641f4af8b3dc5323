import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import type { FaultView, RequestSummary, RequestView } from '../../emulator/control/calls.ts';
import { effectNames, effects, type EffectName } from '../../emulator/http/faults/effects.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
afterEach(async () => {
  await sandbox.reset();
});

const webhook = { url: 'http://localhost:3000/webhooks', events: ['sms.sent'] };

async function addFault(fault: object): Promise<FaultView> {
  const { status, body } = await sandbox.control('POST', '/control/faults', fault);
  expect(status, JSON.stringify(body)).toBe(201);
  return body;
}

const listFaults = async (): Promise<readonly FaultView[]> =>
  ((await sandbox.control('GET', '/control/faults')).body as { faults: readonly FaultView[] }).faults;

/** The harness's call checks the OpenAPI document, which names no 503: this one only sends. */
function send(
  method: string,
  path: string,
  options: { json?: unknown; headers?: Record<string, string>; body?: string } = {},
): Promise<Response> {
  const root = path.startsWith('/object-storage') ? sandbox.emulator.authUrl : sandbox.emulator.apiUrl;
  const body = options.body ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
  return fetch(root + path, {
    method,
    headers: {
      authorization: 'Bearer sandpiper-demo-key',
      ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...options.headers,
    },
    ...(body === undefined ? {} : { body }),
  });
}

/** What a client on a raw socket sees: all bytes, and how the connection ended. */
function sendRaw(head: string): Promise<{ text: string; error: string | null }> {
  const { port } = new URL(sandbox.emulator.authUrl);
  return new Promise((resolve) => {
    let text = '';
    const socket = connect(Number(port), '127.0.0.1', () =>
      socket.write(`${head}\r\nHost: localhost:${port}\r\nAuthorization: Bearer sandpiper-demo-key\r\n\r\n`),
    );
    socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk));
    socket.once('error', (error: NodeJS.ErrnoException) => resolve({ text, error: error.code ?? error.message }));
    socket.once('close', () => resolve({ text, error: null }));
  });
}

const newest = async (): Promise<RequestView> => {
  const { requests } = (await sandbox.control('GET', '/control/requests?limit=1')).body as {
    requests: readonly RequestSummary[];
  };
  return (await sandbox.control('GET', `/control/requests/${requests.at(-1)?.id}`)).body;
};

const webhookCount = (): number => sandbox.emulator.deps.store.webhooks.size;

test('without times and every a fault applies to the next request and is used up', async () => {
  const { id } = await addFault({ operation: 'GET /me', status: 500 });
  expect((await sandbox.call('GET', '/me')).status).toBe(500);
  expect((await sandbox.call('GET', '/me')).status).toBe(200);
  expect(await listFaults()).toMatchObject([{ id, active: false, seen: 1, hits: 1, remaining: 0 }]);
});

test('a fault applies to the first N requests of its operation and to no other operation', async () => {
  await addFault({ operation: 'GET /me', status: 500, times: 2 });
  expect((await sandbox.call('GET', '/webhooks')).status).toBe(200);
  const statuses = [];
  for (let sent = 0; sent < 3; sent++) statuses.push((await sandbox.call('GET', '/me')).status);
  expect(statuses).toEqual([500, 500, 200]);
});

test('a fault applies to every Nth request until it is removed', async () => {
  const { id } = await addFault({ operation: 'GET /me', status: 500, every: 3 });
  const statuses = [];
  for (let sent = 0; sent < 7; sent++) statuses.push((await sandbox.call('GET', '/me')).status);
  expect(statuses).toEqual([200, 200, 500, 200, 200, 500, 200]);
  expect(await listFaults()).toMatchObject([{ id, active: true, seen: 7, hits: 2, remaining: null }]);
  expect((await sandbox.control('DELETE', `/control/faults/${id}`)).status).toBe(204);
  expect((await sandbox.control('DELETE', `/control/faults/${id}`)).status).toBe(404);
  expect(await listFaults()).toEqual([]);
});

test('every and times together are the Nth requests, that many times', async () => {
  await addFault({ operation: 'GET /me', status: 500, every: 2, times: 2 });
  const statuses = [];
  for (let sent = 0; sent < 6; sent++) statuses.push((await sandbox.call('GET', '/me')).status);
  expect(statuses).toEqual([200, 500, 200, 500, 200, 200]);
});

test('the star is any operation, and of several faults the oldest applies first', async () => {
  await addFault({ operation: '*', status: 500 });
  await addFault({ operation: 'GET /webhooks', status: 429 });
  expect((await sandbox.call('GET', '/webhooks')).status).toBe(500);
  expect((await send('GET', '/webhooks')).status).toBe(429);
  expect((await sandbox.call('GET', '/webhooks')).status).toBe(200);
});

test('a status is answered in the dialect of the operation, without the operation and without its changes', async () => {
  await addFault({ operation: '*', status: 503, retryAfter: 2, times: 3 });
  const plain = await send('POST', '/webhooks', { json: webhook });
  expect(plain.status).toBe(503);
  expect(plain.headers.get('retry-after')).toBe('2');
  expect(await plain.json()).toEqual({ message: 'Service Unavailable' });
  expect(webhookCount()).toBe(0);
  const token = await send('POST', '/authorization-codes/tokens', {
    body: 'grant_type=authorization_code',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  expect(await token.json()).toEqual({ error: 'server_error', error_description: 'Service Unavailable' });
  const graphql = await send('POST', '/graphql', { json: { query: '{ viewer { id } }' } });
  expect(await graphql.json()).toMatchObject({ errors: [{ message: 'Service Unavailable' }] });
});

test('a fault applies before authentication', async () => {
  await addFault({ operation: 'GET /me', status: 500 });
  expect((await sandbox.call('GET', '/me', { key: null })).status).toBe(500);
});

test('after: the changes stay, and the client gets an error', async () => {
  await addFault({ operation: 'POST /webhooks', status: 500, after: true });
  expect((await sandbox.call('POST', '/webhooks', { json: webhook })).status).toBe(500);
  expect(webhookCount()).toBe(1);
});

test('after: a refusal is replaced, too, and only the record has its rule', async () => {
  await addFault({ operation: 'POST /webhooks', status: 500, after: true });
  const answer = await sandbox.call('POST', '/webhooks', { json: {} });
  expect(answer).toMatchObject({ status: 500, rule: null, body: { message: 'Internal Server Error' } });
  expect(await answer.exchange()).toMatchObject({
    rule: 'input.required',
    fault: { says: 'status 500, after the request was handled' },
  });
});

test('a request with a fault is recorded with the fault, its body and the reply that was sent', async () => {
  const { id } = await addFault({ operation: 'POST /webhooks', status: 500 });
  const answer = await sandbox.call('POST', '/webhooks', { json: webhook });
  expect(answer.headers.get('x-sandbox-fault')).toBe(`${id}: status 500`);
  const view = await answer.exchange();
  expect(view).toMatchObject({
    operation: 'POST /webhooks',
    status: 500,
    failure: null,
    rule: null,
    fault: { id, says: 'status 500' },
    request: { body: { data: JSON.stringify(webhook) } },
    response: { body: { data: '{"message":"Internal Server Error"}' } },
  });
  expect((await listFaults())[0]?.lastRequest).toBe(view.id);
  const { requests } = (await sandbox.control('GET', '/control/requests')).body as {
    requests: readonly RequestSummary[];
  };
  expect(requests.at(-1)?.fault).toEqual({ id, says: 'status 500' });
});

test('a request without a fault says so', async () => {
  const answer = await sandbox.call('GET', '/me');
  expect(answer.headers.get('x-sandbox-fault')).toBeNull();
  expect(await answer.exchange()).toMatchObject({ fault: null, early: null });
});

test('a delay delays the request in real time, even while the clock is frozen', async () => {
  sandbox.emulator.deps.clock.freeze(true);
  await addFault({ operation: 'GET /me', delay: '120ms' });
  const began = performance.now();
  expect((await sandbox.call('GET', '/me')).status).toBe(200);
  expect(performance.now() - began).toBeGreaterThanOrEqual(115);
  expect((await newest()).durationMs).toBeGreaterThanOrEqual(115);
  sandbox.emulator.deps.clock.freeze(false);
});

test('a client that disconnects during a delay is recorded, and its request changes nothing', async () => {
  await addFault({ operation: 'POST /webhooks', delay: '10s' });
  const { feed } = sandbox.emulator.deps;
  const recorded = new Promise<void>((resolve) => {
    const stop = feed.subscribe((event) => {
      if (event.type !== 'request') return;
      stop();
      resolve();
    });
  });
  const answer = fetch(`${sandbox.emulator.apiUrl}/webhooks`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: JSON.stringify(webhook),
    signal: AbortSignal.timeout(150),
  });
  await expect(answer).rejects.toThrow('timeout');
  await recorded;
  expect(await newest()).toMatchObject({ status: null, failure: expect.stringContaining('closed the connection') });
  expect(webhookCount()).toBe(0);
});

test('a cut body announces its whole length, and its changes stay', async () => {
  const whole = (await sandbox.call('POST', '/webhooks', { json: webhook })).text;
  await addFault({ operation: 'GET /webhooks', cut: true });
  const { text } = await sendRaw('GET /v1/webhooks HTTP/1.1');
  const [head = '', body] = text.split('\r\n\r\n');
  const promised = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  expect(head).toMatch(/^HTTP\/1\.1 200 /);
  expect(promised).toBeGreaterThan(whole.length / 2);
  expect(body?.length).toBe(Math.floor(promised / 2));
  expect(await newest()).toMatchObject({
    status: 200,
    failure: expect.stringContaining(`of its ${promised} bytes`),
    response: { body: { bytes: Math.floor(promised / 2) } },
  });

  await addFault({ operation: 'POST /webhooks', cut: true });
  const answer = await send('POST', '/webhooks', { json: webhook });
  await expect(answer.text()).rejects.toThrow('terminated');
  expect(webhookCount()).toBe(2);
});

test('a body is cut after the given number of bytes, and never complete', async () => {
  await addFault({ operation: 'GET /me', cut: 5 });
  await addFault({ operation: 'GET /me', cut: 0 });
  await addFault({ operation: 'GET /me', cut: 100_000 });
  expect((await sendRaw('GET /v1/me HTTP/1.1')).text.split('\r\n\r\n')[1]).toBe('{"app');
  expect((await sendRaw('GET /v1/me HTTP/1.1')).text).toMatch(/content-length: \d\d+\r\n.*\r\n\r\n$/is);
  const { text } = await sendRaw('GET /v1/me HTTP/1.1');
  const promised = Number(/content-length: (\d+)/i.exec(text)?.[1]);
  expect(text.split('\r\n\r\n')[1]).toHaveLength(promised - 1);
});

test('a reply without a body is cut in its headers', async () => {
  const { id } = (await sandbox.call('POST', '/webhooks', { json: webhook })).body as { id: string };
  await addFault({ operation: 'DELETE /webhooks/{webhookId}', cut: true });
  await expect(send('DELETE', `/webhooks/${id}`)).rejects.toThrow('fetch failed');
  expect(await newest()).toMatchObject({ status: null, failure: expect.stringContaining('in its head') });
  expect(webhookCount()).toBe(0);
});

test('a refusal can be cut as well, and a status of a fault', async () => {
  await addFault({ operation: 'GET /me', cut: 4, times: 2 });
  expect((await sendRaw('GET /v1/me?x=1 HTTP/1.1')).text).toContain('\r\n\r\n{"ap');
  const refused = await send('GET', '/me', { headers: { authorization: 'Bearer unknown' } });
  expect(refused.status).toBe(401);
  await expect(refused.text()).rejects.toThrow('terminated');
  const faulted = await send('GET', '/me', { headers: { 'x-sandbox-fault': 'status=503, cut' } });
  expect(faulted.status).toBe(503);
  await expect(faulted.text()).rejects.toThrow('terminated');
});

test('a reset connection is a reset on the wire, without an answer and without changes', async () => {
  await addFault({ operation: 'GET /me', reset: true });
  expect(await sendRaw('GET /v1/me HTTP/1.1')).toEqual({ text: '', error: 'ECONNRESET' });
  expect(await newest()).toMatchObject({
    status: null,
    failure: 'A fault reset the connection.',
    fault: { says: 'connection reset' },
    response: { body: null, headers: {} },
  });

  await addFault({ operation: 'POST /webhooks', reset: true });
  await expect(send('POST', '/webhooks', { json: webhook })).rejects.toThrow('fetch failed');
  expect(webhookCount()).toBe(0);
  expect((await newest()).request.body?.data).toBe(JSON.stringify(webhook));
});

test('reset after: the reply is lost, the changes stay', async () => {
  await addFault({ operation: 'POST /webhooks', reset: true, after: true });
  await expect(send('POST', '/webhooks', { json: webhook })).rejects.toThrow('fetch failed');
  expect(webhookCount()).toBe(1);
});

test('a request gets its own fault by a header, and waiting faults do not count it', async () => {
  await addFault({ operation: 'GET /me', status: 500 });
  const answer = await send('GET', '/me', { headers: { 'x-sandbox-fault': 'status=429, retry-after=7' } });
  expect(answer.status).toBe(429);
  expect(answer.headers.get('retry-after')).toBe('7');
  expect(answer.headers.get('x-sandbox-fault')).toBe('request: status 429, Retry-After 7 s');
  expect((await newest()).fault).toEqual({ id: 'request', says: 'status 429, Retry-After 7 s' });
  expect(await listFaults()).toMatchObject([{ active: true, seen: 0 }]);
});

test('a fault with 401 says how to send a key, as a 401 without one does, except where no key is asked for', async () => {
  const strike = async (method: string, path: string) =>
    (await send(method, path, { headers: { 'x-sandbox-fault': 'status=401' } })).headers.get('www-authenticate');
  const own = (await sandbox.call('GET', '/me', { key: null })).headers.get('www-authenticate');
  expect(own).toMatch(/^Bearer /);
  expect([await strike('GET', '/me'), await strike('POST', '/graphql')]).toEqual([own, own]);
  expect(await strike('POST', '/authorization-codes/tokens')).toBeNull();
});

/** What a client and the store notice of each effect, without and with it. */
const noticed = {
  status: async (answer) => (await answer).status,
  retryAfter: async (answer) => (await answer).headers.get('retry-after'),
  delay: async (answer) => {
    const began = performance.now();
    await answer;
    return performance.now() - began >= 1_900;
  },
  cut: async (answer) =>
    (await answer).text().then(
      () => 'whole',
      () => 'cut',
    ),
  reset: (answer) =>
    answer.then(
      () => 'answered',
      () => 'reset',
    ),
  after: async (answer) => {
    await answer;
    return webhookCount();
  },
} satisfies { readonly [Name in EffectName]: (answer: Promise<Response>) => Promise<unknown> };

test.for(effectNames)('the effect %s changes what a client or the store notices', async (name) => {
  const add = (...items: readonly string[]) =>
    noticed[name](send('POST', '/webhooks', { json: webhook, headers: { 'x-sandbox-fault': items.join(',') } }));
  const other = effects[name].alone === null ? 'status=503' : 'delay=1ms';
  const without = await add(other);
  await sandbox.reset();
  expect(await add(...(name === 'delay' ? [] : [other]), effects[name].example)).not.toEqual(without);
});

test('an invalid header is refused with the allowed items', async () => {
  const answer = await sandbox.call('POST', '/webhooks', {
    json: webhook,
    headers: { 'x-sandbox-fault': 'sattus=503' },
  });
  expect(answer).toMatchObject({
    status: 400,
    rule: 'faults.header',
    body: { message: expect.stringContaining('Did you mean "status"') },
  });
  expect(webhookCount()).toBe(0);
});

test('a refused header names only what a header takes, and an empty item says nothing', async () => {
  for (const header of ['STATUS=503', 'foo']) {
    const answer = await sandbox.call('GET', '/me', { headers: { 'x-sandbox-fault': header } });
    expect(answer.rule).toBe('faults.header');
    expect(answer.text).toContain('It takes status, retry-after, delay, cut, reset, after.');
  }
  const wrong = await sandbox.call('GET', '/me', { headers: { 'x-sandbox-fault': 'status=503, retry-after=soon' } });
  expect(wrong.text).toContain('is not valid: retry-after must be a whole number from 0 to 86400, not ');
  expect((await send('GET', '/me', { headers: { 'x-sandbox-fault': 'status=503,' } })).status).toBe(503);
});

test('a header that is ignored, because there is no operation, is noted', async () => {
  const answer = await sandbox.call('GET', '/mee', { headers: { 'x-sandbox-fault': 'status=503' } });
  expect(answer.status).toBe(404);
  expect((await answer.exchange()).notes).toEqual([
    'The header x-sandbox-fault was ignored: a fault needs an operation.',
  ]);
});

test('the object store supports faults, in its own dialect, before and after the upload link is checked', async () => {
  await addFault({ operation: 'PUT /object-storage/{key}', status: 503 });
  const faulted = await send('PUT', '/object-storage/uploads/x', { body: 'x'.repeat(1_000_000) });
  expect(faulted.status).toBe(503);
  expect(faulted.headers.get('content-type')).toContain('application/xml');
  expect(await faulted.text()).toContain('<Code>ServiceUnavailable</Code>');
  expect(await newest()).toMatchObject({
    operation: 'PUT /object-storage/{key}',
    status: 503,
    fault: { says: 'status 503' },
  });
  const plain = await send('PUT', '/object-storage/uploads/x', { body: 'x' });
  expect(plain.status).toBe(403);
  expect(plain.headers.get('x-ratelimit-limit')).toBeNull();
  await expect(
    send('PUT', '/object-storage/uploads/x', { body: 'x', headers: { 'x-sandbox-fault': 'reset' } }),
  ).rejects.toThrow('fetch failed');
});

test.for([
  [{ operation: 'GET /mee', status: 500 }, 'Did you mean "GET /me"'],
  [{ operation: 'GET /me' }, 'does nothing'],
  [{ operation: 'GET /me', status: 302 }, 'from 400 to 599'],
  [{ operation: 'GET /me', reset: true, status: 500 }, 'has no status'],
  [{ operation: 'GET /me', staus: 500 }, 'Did you mean "status"'],
  [{ operation: 'GET /me', delay: 'soon' }, 'such as 2s'],
  [{ operation: 'GET /me', cut: -1 }, 'cut must be a whole number from 0'],
  [{ status: 500 }, 'operation is required'],
  [{ operation: 'GET /me', status: '500' }, 'status must be'],
] as const)('the control API refuses %j', async ([fault, said]) => {
  const { status, body } = await sandbox.control('POST', '/control/faults', fault);
  expect(status).toBe(400);
  expect((body as { message: string }).message).toContain(said);
  expect(await listFaults()).toEqual([]);
});

test('all faults are removed together, and a reset leaves none', async () => {
  await addFault({ operation: '*', status: 500, every: 1 });
  await sandbox.control('DELETE', '/control/faults');
  expect(await listFaults()).toEqual([]);
  await addFault({ operation: '*', status: 500, every: 1 });
  await sandbox.reset();
  expect((await sandbox.call('GET', '/me')).status).toBe(200);
});

test('faults are not part of the stored state', async () => {
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
  await addFault({ operation: '*', status: 500, every: 1 });
  await sandbox.call('GET', '/me');
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
});

test.each(['/integrations/oauth-install', '/l/abc'])(
  'a fault on %s, which a person opens, is a page with the status and the reason',
  async (path) => {
    const operation = path === '/l/abc' ? 'GET /l/{id}' : `GET ${path}`;
    const { says } = await addFault({ operation, status: 503, retryAfter: 2 });
    const answer = await fetch(sandbox.emulator.authUrl + path);
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('retry-after')]).toEqual([
      503,
      'text/html; charset=utf-8',
      '2',
    ]);
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'");
    const html = await answer.text();
    expect(html).toContain('503 Service Unavailable</h1>');
    expect(html).toContain(says);
    expect(html).toContain(answer.headers.get('x-sandbox-explain') ?? 'nothing');
  },
);

test('a call without a fault is answered with an example that is a fault', async () => {
  const { status, body } = await sandbox.control('POST', '/control/faults');
  const { message } = body as { message: string };
  const [example = ''] = /\{.*\}/.exec(message) ?? [];
  expect(status).toBe(400);
  expect(await addFault(JSON.parse(example) as object)).toMatchObject({ says: 'status 503, Retry-After 2 s' });
});
