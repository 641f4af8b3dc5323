import { once } from 'node:events';
import { connect } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterEach, expect, test } from 'vitest';
import { demoCompany, otherCompany } from '../../emulator/declared-world/demo.ts';
import type { RequestSummary, RequestView, StreamMessage } from '../../emulator/control/calls.ts';
import { postChunked } from '../support/chunked.ts';
import { useSandbox } from '../support/sandbox.ts';
import { beginSlow } from '../support/slow-request.ts';

const sandbox = useSandbox();
const stops: (() => void)[] = [];
afterEach(() => {
  for (const stop of stops.splice(0)) stop();
});

type List = { readonly total: number; readonly upTo: number; readonly requests: readonly RequestSummary[] };

const newest = async (): Promise<RequestView> => {
  const { requests } = (await sandbox.control('GET', '/control/requests?limit=1')).body as List;
  return (await sandbox.control('GET', `/control/requests/${requests.at(-1)?.id}`)).body as RequestView;
};

/** Opens the stream from an event on; `found` is the first matching message. */
async function openStream(
  fits: (message: StreamMessage) => boolean,
  lastEventId?: string,
): Promise<{ found: Promise<{ message: StreamMessage; id: string }> }> {
  const abort = new AbortController();
  stops.push(() => abort.abort());
  const answer = await fetch(`${sandbox.emulator.inspectorUrl}/control/stream`, {
    headers: {
      authorization: `Bearer ${sandbox.emulator.token}`,
      ...(lastEventId ? { 'last-event-id': lastEventId } : {}),
    },
    signal: abort.signal,
  });
  expect(answer.headers.get('content-type')).toContain('text/event-stream');
  return { found: findMessage(answer, fits) };
}

async function findMessage(
  answer: Response,
  fits: (message: StreamMessage) => boolean,
): Promise<{ message: StreamMessage; id: string }> {
  let text = '';
  for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
    text += new TextDecoder().decode(chunk);
    for (const block of text.split('\n\n')) {
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (data === undefined) continue;
      const message = JSON.parse(data) as StreamMessage;
      if (fits(message)) return { message, id: /^id: (.*)$/m.exec(block)?.[1] ?? '' };
    }
  }
  throw new Error(`The stream ended: ${text}`);
}

test('a request is recorded with its raw bytes, operation, timing and what it changed', async () => {
  const raw = '{ "url":"http://localhost:3000/",\n  "events":["sms.sent"] }';
  await sandbox.call('POST', '/webhooks', { raw, headers: { 'content-type': 'application/json', 'X-Mine': 'Yes' } });
  const view = await newest();
  expect(view).toMatchObject({
    method: 'POST',
    url: '/v1/webhooks',
    operation: 'POST /webhooks',
    status: 201,
    rule: null,
    refusal: null,
    request: { body: { encoding: 'utf8', data: raw, bytes: raw.length, truncated: false } },
    changes: [{ kind: 'webhooks', before: null, after: { url: 'http://localhost:3000/' } }],
  });
  expect(view.durationMs).toBeGreaterThan(0);
  expect(view.request.headers.map(([name]) => name.toLowerCase())).toContain('x-mine');
  expect(JSON.parse(view.response.body?.data ?? '')).toMatchObject({ url: 'http://localhost:3000/' });
});

test('a credential is masked in the record unless it is requested', async () => {
  await sandbox.call('GET', '/me');
  const { id } = await newest();
  const plain = JSON.stringify((await sandbox.control('GET', `/control/requests/${id}`)).body);
  expect(plain).not.toContain('sandpiper-demo-key');
  expect(JSON.stringify((await sandbox.control('GET', `/control/requests/${id}?reveal=true`)).body)).toContain(
    'Bearer sandpiper-demo-key',
  );
});

test.each(['Bearer planted-token-4721', 'Basic planted-token-4721', 'planted-token-4721'])(
  'a credential that is refused is masked in the record unless it is requested: %s',
  async (authorization) => {
    await sandbox.call('GET', '/me', { key: null, headers: { authorization, 'x-api-key': 'planted-token-4722' } });
    const { id } = await newest();
    const { body } = await sandbox.control('GET', `/control/requests/${id}`);
    expect(JSON.stringify(body)).not.toContain('planted-token');
    expect(body).toMatchObject({ refusal: { value: expect.stringContaining('…4721') } });
    const whole = await sandbox.control('GET', `/control/requests/${id}?reveal=true`);
    expect(whole.body).toMatchObject({ refusal: { value: expect.stringContaining('planted-token-4721') } });
  },
);

test('secrets in a URL are masked in lists, in the record and in the stream, unless they are requested', async () => {
  const stream = await openStream((message) => message.type === 'requests');
  const path = '/authorization-codes/tokens?client_secret=planted-secret-aaaa&code=planted-code-bbbb&page=2';
  await sandbox.call('POST', path);
  const { id, url } = await newest();
  expect(url).toBe('/v1/authorization-codes/tokens?client_secret=…aaaa&code=…bbbb&page=2');
  const list = await sandbox.control('GET', '/control/requests?limit=1');
  expect(list.body).toMatchObject({ requests: [{ id, url }] });
  expect(JSON.stringify(await stream.found)).not.toContain('planted-');
  const { body } = await sandbox.control('GET', `/control/requests/${id}?reveal=true`);
  expect(body).toMatchObject({ url: `/v1${path}` });
});

test('compressed bytes are recorded as they were sent', async () => {
  const raw = gzipSync(JSON.stringify({ url: 'http://localhost:3000/', events: ['sms.sent'] }));
  const answer = await sandbox.call('POST', '/webhooks', {
    raw,
    headers: { 'content-type': 'application/json', 'content-encoding': 'gzip' },
  });
  expect(answer.status).toBe(201);
  expect(Buffer.from((await newest()).request.body?.data ?? '', 'base64').equals(raw)).toBe(true);
});

test('a refusal is recorded with its rule, section, place and fix, and the reply links to it', async () => {
  const answer = await sandbox.call('POST', '/webhooks', {
    json: { url: 'http://localhost:3000/', events: ['SMS.sent'] },
  });
  const link = answer.headers.get('x-sandbox-explain') ?? '';
  expect(link.startsWith(`${sandbox.emulator.inspectorUrl}/#/requests/`)).toBe(true);
  const { body } = await sandbox.control('GET', `/control/requests/${link.split('/').at(-1)}`);
  expect(body).toMatchObject({
    rule: 'webhooks.event-type',
    refusal: {
      section: '6',
      provenance: 'assumed',
      place: { in: 'body', at: '/events/0' },
      value: 'SMS.sent',
      fix: { edits: [{ op: 'set', place: { in: 'body', at: '/events' }, value: ['sms.sent'] }] },
    },
    changes: [],
  });
});

test('a refused request has a small body in its record, also one whose length was not announced', async () => {
  const body = JSON.stringify({ url: 'http://localhost:9/hook', events: ['sms.sent'] });
  expect((await postChunked(sandbox, '/webhooks', 'sandpiper-readonly-key', body)).status).toBe(403);
  expect((await newest()).request.body).toMatchObject({ data: body, truncated: false });
  expect((await postChunked(sandbox, '/webhooks', 'sandpiper-readonly-key', 'a'.repeat(100_000))).status).toBe(403);
  expect((await newest()).request.body).toBeNull();
});

test('the first bytes of an uploaded file are recorded, and its size', async () => {
  const { body } = await sandbox.call('POST', '/product-catalog/uploads');
  const file = `${'{"id":"P1"}\n'.repeat(10_000)}`;
  expect((await fetch((body as { uploadUrl: string }).uploadUrl, { method: 'PUT', body: file })).status).toBe(200);
  const view = await newest();
  expect(view).toMatchObject({
    operation: 'PUT /object-storage/{key}',
    status: 200,
    request: { body: { bytes: file.length, truncated: true } },
  });
  expect(view.request.body?.data).toBe(file.slice(0, 64 * 1024));
});

test('bytes that are not HTTP are recorded and answered', async () => {
  const { port } = new URL(sandbox.emulator.authUrl);
  const text = await new Promise<string>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => socket.write('GET /v1/me SMTP/9\r\n\r\n'));
    let received = '';
    socket.setEncoding('utf8').on('data', (chunk: string) => (received += chunk));
    socket.on('close', () => resolve(received));
  });
  expect(text).toMatch(/^HTTP\/1\.1 400 /);
  const view = await newest();
  expect(view.request.body?.data).toContain('GET /v1/me SMTP/9');
  expect(view.refusal).toMatchObject({ rule: 'request.http', message: expect.stringContaining('not valid HTTP') });
});

test('a client that disconnects during its body is recorded as such, and changes nothing', async () => {
  const { port } = new URL(sandbox.emulator.authUrl);
  // No webhook of another test changes anything meanwhile by its retries.
  await sandbox.reset();
  await sandbox.control('DELETE', '/control/requests');
  const before = JSON.stringify(sandbox.emulator.deps.store.toDocument());
  const { found: seen } = await openStream(
    (message) =>
      message.type === 'requests' &&
      message.requests.some(({ failure }) => failure?.includes('closed the connection') ?? false),
  );
  await new Promise<void>((resolve) => {
    const socket = connect(Number(port), '127.0.0.1', () => {
      socket.write(
        `POST /v1/webhooks HTTP/1.1\r\nHost: localhost:${port}\r\nAuthorization: Bearer sandpiper-demo-key\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"url":`,
        () => {
          socket.destroy();
          resolve();
        },
      );
    });
  });
  await seen;
  const { requests } = (await sandbox.control('GET', '/control/requests')).body as List;
  expect(requests.map(({ method, status }) => ({ method, status }))).toEqual([{ method: 'POST', status: null }]);
  expect(JSON.stringify(sandbox.emulator.deps.store.toDocument())).toBe(before);
});

test('the list is filtered by method, a part of the path, a part of a body, and company', async () => {
  await sandbox.call('GET', '/me', { query: { n: 'Filtered-1' } });
  await sandbox.call('POST', '/subscriptions', { json: { user: { phone: 'planted-Body-7' } } });
  const urls = async (query: string) =>
    ((await sandbox.control('GET', `/control/requests?${query}`)).body as List).requests.map(({ url }) => url);
  expect(await urls('path=filtered-1')).toEqual(['/v1/me?n=Filtered-1']);
  expect(await urls('path=filtered-1&method=post')).toEqual([]);
  expect(await urls('path=filtered-1&method=get')).toHaveLength(1);
  expect(await urls('body=PLANTED-body-7')).toEqual(['/v1/subscriptions']);
  expect(await urls(`path=filtered-1&companyId=${encodeURIComponent(otherCompany)}`)).toEqual([]);
  expect(await urls(`path=filtered-1&companyId=${encodeURIComponent(demoCompany)}`)).toHaveLength(1);
});

test('the list is filtered by operation, status and rule', async () => {
  await sandbox.call('GET', '/me', { key: null });
  await sandbox.call('GET', '/me');
  const list = async (query: string) =>
    ((await sandbox.control('GET', `/control/requests?${query}`)).body as List).requests;
  expect((await list('rule=auth.missing')).every(({ rule, status }) => rule === 'auth.missing' && status === 401)).toBe(
    true,
  );
  expect(
    (await list('operation=GET+/me&status=2xx')).every(
      ({ operation, status }) => operation === 'GET /me' && status === 200,
    ),
  ).toBe(true);
  expect((await sandbox.control('GET', '/control/requests?limit=many')).status).toBe(400);
});

test('the stream sends requests as they arrive, and a reader that reconnects misses nothing', async () => {
  const first = await openStream((message) => message.type === 'requests');
  await sandbox.call('GET', '/me', { query: { n: '1' } });
  const { id } = await first.found;
  for (const stop of stops.splice(0)) stop();
  await sandbox.call('GET', '/me', { query: { n: '2' } });
  await sandbox.call('GET', '/me', { query: { n: '3' } });
  const { message } = await (await openStream((one) => one.type === 'requests', id)).found;
  expect(message.type === 'requests' && message.requests.map(({ url }) => url)).toEqual(['/v1/me?n=2', '/v1/me?n=3']);
});

test('a request that ends after later ones is sent to a reader that reconnects, and is among what came since', async () => {
  const stream = await openStream((message) => message.type === 'requests');
  const slow = await beginSlow(sandbox.emulator.apiUrl, '/webhooks');
  const { upTo } = (await sandbox.control('GET', '/control/requests?limit=1')).body as List;
  await sandbox.call('GET', '/me', { query: { n: '6' } });
  const { message, id } = await stream.found;
  expect(message.type === 'requests' && message.requests.map(({ url }) => url)).toEqual(['/v1/me?n=6']);
  for (const stop of stops.splice(0)) stop();
  const search = async (after: number) =>
    (await sandbox.control('GET', `/control/body-search?text=planted-slow-4911&after=${after}`)).body as {
      readonly ids: readonly string[];
      readonly upTo: number;
    };
  const none = await search(upTo);
  expect(none.ids).toEqual([]);
  expect(await slow.end({ url: 'planted-slow-4911' })).toBe(400);
  const missed = (await (await openStream((one) => one.type === 'requests', id)).found).message;
  const [row] = missed.type === 'requests' ? missed.requests : [];
  expect(row).toMatchObject({ url: '/v1/webhooks', status: 400 });
  expect((await search(none.upTo)).ids).toEqual([row?.id]);
  const list = async (after: number) =>
    ((await sandbox.control('GET', `/control/requests?after=${after}`)).body as List).requests.map(({ url }) => url);
  // In the order in which they began.
  expect(await list(upTo)).toEqual(['/v1/webhooks', '/v1/me?n=6']);
  expect(await list(none.upTo)).toEqual(['/v1/webhooks']);
});

test('all who watch get each request once, and who comes later only what happens then', async () => {
  const isRequests = (message: StreamMessage): boolean => message.type === 'requests';
  const both = [await openStream(isRequests), await openStream(isRequests)];
  await sandbox.call('GET', '/me', { query: { n: '4' } });
  const late = await openStream(isRequests);
  await sandbox.call('GET', '/me', { query: { n: '5' } });
  const urls = async ({ found }: (typeof both)[number]): Promise<unknown> => {
    const { message } = await found;
    return message.type === 'requests' && message.requests.map(({ url }) => url);
  };
  expect(await Promise.all(both.map(urls))).toEqual([['/v1/me?n=4'], ['/v1/me?n=4']]);
  expect(await urls(late)).toEqual(['/v1/me?n=5']);
});

test('the stream sends which records changed', async () => {
  const changed = await openStream(
    (message) => message.type === 'changes' && message.changes.some(({ kind }) => kind === 'webhooks'),
  );
  await sandbox.call('POST', '/webhooks', { json: { url: 'http://localhost:3000/', events: ['sms.sent'] } });
  const { message } = await changed.found;
  // Changes of one moment come together: those of an earlier test may be among them.
  expect(message).toMatchObject({ changes: expect.arrayContaining([expect.objectContaining({ kind: 'webhooks' })]) });
});

test('a request that ends after later ones is listed where it arrived, and found by its id', async () => {
  await sandbox.control('DELETE', '/control/requests');
  const { host, port } = new URL(sandbox.emulator.authUrl);
  const socket = connect(Number(port), '127.0.0.1');
  stops.push(() => socket.destroy());
  socket.write(
    `POST /v1/webhooks HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer sandpiper-demo-key\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
  );
  // The server says so when the head has arrived.
  expect(String(await once(socket, 'data'))).toContain('100 Continue');
  const quick = (await sandbox.call('GET', '/me', { key: null })).headers.get('x-sandbox-explain');
  socket.write('{}');
  const slow = /x-sandbox-explain: (\S+)/i.exec(String(await once(socket, 'data')))?.[1];
  const ids = [slow, quick].map((address) => address?.split('/').at(-1));
  const { requests } = (await sandbox.control('GET', '/control/requests')).body as List;
  expect(requests.map(({ id }) => id)).toEqual(ids);
  for (const id of ids) expect(await sandbox.control('GET', `/control/requests/${id}`)).toMatchObject({ status: 200 });
});

test('a refusal says where its rule is stated and, if that was assumed, why', async () => {
  await sandbox.call('POST', '/subscriptions', { json: {} });
  expect((await newest()).refusal).toMatchObject({ provenance: 'observed', reason: '' });
  await sandbox.call('POST', '/me', { json: {} });
  expect((await newest()).refusal).toMatchObject({
    source: 'specification section 4',
    provenance: 'assumed',
    reason: expect.stringContaining('Section 4 names one method for each operation'),
  });
  // A field of the schema that was assumed has its own reason.
  const items = [{ productId: '1', productVariantId: '1', price: [{ value: 1, currency: 'euro' }] }];
  await sandbox.call('POST', '/events/ecommerce/purchase', { json: { items, user: { phone: '+15555550100' } } });
  expect((await newest()).refusal).toMatchObject({ reason: expect.stringContaining('ISO 4217') });
});

test('the record can be cleared', async () => {
  await sandbox.call('GET', '/me');
  expect((await sandbox.control('DELETE', '/control/requests')).status).toBe(204);
  expect((await sandbox.control('GET', '/control/requests')).body).toMatchObject({ total: 0, requests: [] });
});

test('an id that is no longer recorded is a 404 that says so', async () => {
  expect(await sandbox.control('GET', '/control/requests/req_x')).toMatchObject({
    status: 404,
    body: { message: expect.stringContaining('req_x') },
  });
});
