import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect as connectHttp2, constants } from 'node:http2';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { answerBrokenRequests } from '../../emulator/http/broken-requests.ts';
import { defaultChoices } from '../../emulator/http/choices.ts';
import { startSandbox, useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

async function send(text: string | Buffer, port = Number(new URL(sandbox.emulator.apiUrl).port)): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (part) => (answer += part.toString())).on('error', () => {});
  socket.write(text);
  await once(socket, 'close');
  return answer;
}

test.each([
  ['request.http', 400, 'GET /v1/me SPAM/9\r\n\r\n'],
  ['request.head-size', 431, `GET /v1/me HTTP/1.1\r\nhost: localhost\r\nx-long: ${'x'.repeat(20_000)}\r\n\r\n`],
  ['request.tls', 400, Buffer.from('16030100050100000101', 'hex')],
  [
    'request.chunk-extensions',
    413,
    `POST /v1/webhooks HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer sandpiper-demo-key\r\ntransfer-encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n{\r\n0\r\n\r\n`,
  ],
])(
  '%s: a request that the HTTP parser cannot read is answered by a rule, and recorded with it',
  async (rule, status, text) => {
    const before = sandbox.emulator.recorder.size;
    const answer = await send(
      typeof text === 'string' ? text.replace('HOST', new URL(sandbox.emulator.apiUrl).host) : text,
    );
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain(`x-sandbox-rule: ${rule}\r\n`);
    const last = sandbox.emulator.recorder.all().at(-1);
    expect(last).toMatchObject({ status, refusal: { rule: { id: rule } } });
    expect(answer).toContain(`x-sandbox-explain: ${sandbox.emulator.inspectorUrl}/#/requests/${last?.id}\r\n`);
    expect(last?.method).toMatch(/^[A-Z]*$/);
    expect(sandbox.emulator.recorder.size, 'it is one request').toBe(before + 1);
  },
);

test.each([
  [
    'URL',
    `/v1/me?phone=${'5'.repeat(17_000)}`,
    '',
    'The URL is longer than the 16,384 bytes',
    'Send a shorter URL.',
    'path',
  ],
  [
    'headers',
    '/v1/me',
    'x'.repeat(17_000),
    'The URL and the headers are together larger',
    'Send a shorter URL or smaller headers.',
    'header',
  ],
])('a request whose %s is too long is told so', async (_what, url, header, says, fix, at) => {
  const answer = await send(`GET ${url} HTTP/1.1\r\nhost: localhost\r\nx-long: ${header}\r\n\r\n`);
  expect(answer).toContain(says);
  const { refusal } = sandbox.emulator.recorder.all().at(-1) ?? {};
  expect(refusal).toMatchObject({ place: { in: at, at: '' }, fix: { say: fix, edits: [] } });
});

test('a client of HTTP/2 is told by HTTP/2 that it has to use HTTP/1.1, and it is recorded', async () => {
  const { apiUrl, inspectorUrl, recorder } = sandbox.emulator;
  const client = connectHttp2(apiUrl);
  const failed = once(client.request({ ':path': '/v1/me' }), 'error');
  client.on('error', () => {}); // the same one
  const [code, , text] = (await once(client, 'goaway')) as [number, number, Buffer];
  expect(code).toBe(constants.NGHTTP2_HTTP_1_1_REQUIRED);
  const last = recorder.all().at(-1);
  expect(last).toMatchObject({ status: 400, refusal: { rule: { id: 'request.http2' } } });
  expect(text.toString().split('\n')).toEqual([
    'This port speaks HTTP/1.1, but the client began with HTTP/2. Make it use HTTP/1.1.',
    'x-sandbox-rule: request.http2',
    `x-sandbox-explain: ${inspectorUrl}/#/requests/${last?.id}`,
  ]);
  expect(await failed).toMatchObject([{ code: 'ERR_HTTP2_SESSION_ERROR' }]);
});

test.each([
  ['request.host', 403, 'CONNECT evil.example:80 HTTP/1.1\r\nhost: HOST\r\n\r\n'],
  ['request.host', 403, 'CONNECT evil.example:80 HTTP/1.1\r\nhost: evil.example:80\r\n\r\nmore'],
  ['request.host', 403, 'GET /v1/me HTTP/1.1\r\nhost: evil.example\r\nexpect: foo\r\nconnection: close\r\n\r\n'],
  ['request.host', 403, 'GET /v1/me HTTP/1.1\r\nconnection: close\r\n\r\n'],
  ['auth.missing', 401, 'GET /v1/me HTTP/1.1\r\nhost: HOST\r\nexpect: foo\r\nconnection: close\r\n\r\n'],
])('what Node would drop or answer by itself is answered by %s, and recorded once: %#', async (rule, status, text) => {
  const { recorder, apiUrl } = sandbox.emulator;
  const before = recorder.size;
  const answer = await send(text.replace('HOST', new URL(apiUrl).host));
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toContain(`x-sandbox-rule: ${rule}\r\n`);
  expect(recorder.all().at(-1)).toMatchObject({ status, refusal: { rule: { id: rule } } });
  expect(recorder.size).toBe(before + 1);
});

test('in answers that are exact, what the parser cannot read gets no header of ours', async () => {
  const exact = await startSandbox({ choices: { ...defaultChoices, answers: 'exact' } });
  onTestFinished(() => exact.close());
  const answer = await send('GET /v1/me SPAM/9\r\n\r\n', Number(new URL(exact.emulator.apiUrl).port));
  expect(answer).toMatch(/^HTTP\/1\.1 400 /);
  expect(answer).not.toContain('x-sandbox');
});

test('the inspector checks the host of such requests too', async () => {
  const port = Number(new URL(sandbox.emulator.inspectorUrl).port);
  expect(await send('CONNECT evil.example:80 HTTP/1.1\r\nhost: evil.example:80\r\n\r\n', port)).toMatch(
    /^HTTP\/1\.1 403 /,
  );
  const get = 'GET / HTTP/1.1\r\nhost: evil.example\r\nexpect: foo\r\nconnection: close\r\n\r\n';
  expect(await send(get, port)).toMatch(/^HTTP\/1\.1 403 /);
});

/** What a server that waits 50 ms for headers answers to some bytes, and the rules of what it records as refused. */
async function sendSlowly(bytes: string): Promise<{ readonly answer: string; readonly refused: readonly string[] }> {
  const refused: string[] = [];
  const server = createServer({ headersTimeout: 50, connectionsCheckingInterval: 20 });
  answerBrokenRequests(server, {
    recorder: { broken: (_bytes, _address, { rule }) => void refused.push(rule.id) as never },
    urls: { inspector: '' },
    answers: 'exact',
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const answer = await send(bytes, (server.address() as AddressInfo).port);
  server.close();
  return { answer, refused };
}

test('headers that do not arrive in time are refused by their rule', async () => {
  const { answer, refused } = await sendSlowly('GET /v1/me HTTP/1.1\r\nhost: ');
  expect(answer).toMatch(/^HTTP\/1\.1 408 /);
  expect(refused).toEqual(['request.head-time']);
});

test('a connection on which nothing is sent is closed, and not recorded', async () => {
  expect(await sendSlowly('')).toEqual({ answer: '', refused: [] });
});

test.each([
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
  ['what is not HTTP', 'GARBAGE\r\n\r\n'],
])(
  'a client of %s that does not end its side after the answer loses the connection a moment later',
  async (_what, text) => {
    const server = createServer();
    answerBrokenRequests(server, {
      recorder: { broken: () => undefined as never },
      urls: { inspector: '' },
      answers: 'exact',
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const accepted = once(server, 'connection') as Promise<[Socket]>;
    const client = connect({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', allowHalfOpen: true });
    onTestFinished(() => {
      client.destroy();
      server.close();
    });
    client.resume().write(text);
    const [socket] = await accepted;
    const closed = once(socket, 'close');
    await once(client, 'end');
    expect(client.writable, 'the client has not ended').toBe(true);
    await closed;
    expect(socket.destroyed).toBe(true);
  },
);

const leftOver = { rule: { id: 'request.leftover' } };

test.each([
  ['too small', -2, 400, 'body.json'],
  ['right, but has a byte after it', 0, 200, undefined],
])(
  'a request whose Content-Length is %s gets its own answer, and what is left is recorded without one',
  async (_what, less, status, rule) => {
    const { recorder, apiUrl } = sandbox.emulator;
    const before = recorder.size;
    const body = '{"type":"Café é","user":{"phone":"+15555550100"}}';
    const head = `POST /v1/events/custom HTTP/1.1\r\nhost: ${new URL(apiUrl).host}\r\nauthorization: Bearer sandpiper-demo-key\r\ncontent-type: application/json\r\n`;
    const bytes = `content-length: ${Buffer.byteLength(body) + less}\r\n\r\n${body}${less === 0 ? '!' : ''}`;
    const answer = await send(head + bytes);
    expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(answer).toContain('onnection: close');
    expect(answer.split('HTTP/1.1 ')).toHaveLength(2);
    if (rule) expect(answer).toContain(`x-sandbox-rule: ${rule}\r\n`);
    const recorded = recorder.all().slice(before);
    expect(recorded.find(({ method }) => method === 'POST')).toMatchObject({ status });
    expect(recorded.filter(({ method }) => method !== 'POST')).toMatchObject([{ status: null, refusal: leftOver }]);
  },
);

test('a header after a thousand others is read', async () => {
  const more = 'a:\r\n'.repeat(1_500);
  const { host } = new URL(sandbox.emulator.apiUrl);
  const last = 'authorization: Bearer sandpiper-demo-key\r\nconnection: close';
  expect(await send(`GET /v1/me HTTP/1.1\r\nhost: ${host}\r\n${more}${last}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 200 /);
});

test('a request line with a whole URL is refused at its place, with the path alone as the fix', async () => {
  const { host } = new URL(sandbox.emulator.apiUrl);
  const rest = `HTTP/1.1\r\nhost: ${host}\r\nauthorization: Bearer sandpiper-demo-key\r\nconnection: close\r\n\r\n`;
  expect(await send(`GET http://${host}/v1/me?a=1 ${rest}`)).toContain('x-sandbox-rule: request.host\r\n');
  const { refusal } = sandbox.emulator.recorder.all().at(-1) ?? {};
  const place = { in: 'path', at: '' };
  expect(refusal).toMatchObject({ place, fix: { edits: [{ op: 'set', place, value: '/v1/me' }] } });
  expect(await send(`GET /v1/me?a=1 ${rest}`)).toMatch(/^HTTP\/1\.1 200 /);

  await send(`GET http://elsewhere.example/v1/me ${rest}`);
  expect(sandbox.emulator.recorder.all().at(-1)?.refusal).toMatchObject({ place, fix: { edits: [] } });
});
