import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();
afterEach(() => sandbox.reset());

interface Har {
  readonly log: {
    readonly version: string;
    readonly creator: { readonly name: string; readonly version: string };
    readonly entries: readonly {
      readonly startedDateTime: string;
      readonly time: number;
      readonly request: {
        readonly method: string;
        readonly url: string;
        readonly httpVersion: string;
        readonly headers: readonly { readonly name: string; readonly value: string }[];
        readonly queryString: readonly { readonly name: string; readonly value: string }[];
        readonly postData?: { readonly mimeType: string; readonly text: string };
        readonly bodySize: number;
      };
      readonly response: {
        readonly status: number;
        readonly statusText: string;
        readonly content: { readonly size: number; readonly mimeType: string; readonly text?: string };
      };
      readonly _id: string;
      readonly _rule: string | null;
    }[];
  };
}

async function har(json: { readonly ids?: readonly string[]; readonly reveal?: boolean } = {}): Promise<Har> {
  const { status, body } = await sandbox.control('POST', '/control/requests/har', json);
  expect(status).toBe(200);
  return body;
}

/** Sends bytes that are not valid HTTP, until the server closes the connection. */
async function sendBytes(bytes: string): Promise<void> {
  const socket = connect(Number(new URL(sandbox.emulator.apiUrl).port), '127.0.0.1', () => socket.write(bytes));
  socket.resume();
  await once(socket, 'close');
}

test('an archive has what HAR 1.2 requires for every entry', async () => {
  const user = { phone: '15555550123' };
  await sandbox.call('POST', '/subscriptions', { json: { user, signUpSourceId: '100001' } });
  await sandbox.call('GET', '/subscriptions', { query: { phone: '+15555550100' } });
  const { log } = await har();
  expect(log.version).toBe('1.2');
  expect(log.creator.name).toBe('Sandpiper');
  expect(log.entries).toHaveLength(2);
  for (const entry of log.entries) {
    expect(Date.parse(entry.startedDateTime)).not.toBeNaN();
    expect(entry).toMatchObject({
      time: expect.any(Number),
      cache: {},
      timings: { send: expect.any(Number), wait: expect.any(Number), receive: expect.any(Number) },
      request: { cookies: [], headersSize: -1, httpVersion: 'HTTP/1.1', url: expect.stringMatching(/^http:\/\//) },
      response: {
        cookies: [],
        redirectURL: '',
        headersSize: -1,
        content: { mimeType: expect.stringContaining('json') },
      },
    });
    expect(() => new URL(entry.request.url)).not.toThrow();
  }
  const [refused, found] = log.entries;
  expect(refused).toMatchObject({
    _rule: 'subscriptions.phone-e164',
    request: {
      method: 'POST',
      postData: { mimeType: 'application/json', text: expect.stringContaining('15555550123') },
    },
    response: { status: 400, statusText: 'Bad Request' },
  });
  expect(refused?.request.bodySize).toBe(refused?.request.postData?.text.length);
  expect(found?.request.queryString).toEqual([{ name: 'phone', value: '+15555550100' }]);
  expect(found?.request.postData).toBeUndefined();
});

test('an archive contains only the named requests', async () => {
  await sandbox.call('GET', '/me');
  const wanted = await (await sandbox.call('GET', '/webhooks')).exchange();
  const { entries } = (await har({ ids: [wanted.id] })).log;
  expect(entries.map(({ _id, request }) => [_id, new URL(request.url).pathname])).toEqual([
    [wanted.id, '/v1/webhooks'],
  ]);
});

test('no planted secret is in an archive, wherever it was, unless everything is requested', async () => {
  const { store } = sandbox.emulator.deps;
  const [company] = store.companies.all();
  const { body: made } = await sandbox.control('POST', '/control/credentials', {
    companyId: company?.id,
    secret: 'planted-secret-4711',
  });
  const key = (made as { secret: string }).secret;
  await sandbox.call('GET', '/me', { key });
  await sandbox.call('GET', '/me', { key: 'unknown-key-0815-unknown' });
  await sandbox.call('GET', `/subscriptions?phone=${key}`);
  await sandbox.call('POST', '/events/custom', { json: { type: key, properties: { [key]: `x ${key} y` } } });
  await sandbox.call('POST', '/webhooks', { json: { url: 'http://127.0.0.1:9/', events: ['sms.sent'] } });
  const signingKey = [...store.webhooks.all()][0]?.signingKey ?? '';
  expect(signingKey.length).toBeGreaterThan(10);
  await sandbox.call('POST', '/events/custom', { json: { type: signingKey } });
  await sandbox.call('POST', '/authorization-codes/tokens', {
    key: null,
    form: { grant_type: 'authorization_code', code: 'planted-code-4712', client_secret: 'planted-secret-4713' },
  });
  await sandbox.call('GET', '/me', { headers: { cookie: 'session=planted-cookie-4714' } });
  await sandbox.call('GET', '/me?token=planted-query-4715&signature=planted-query-4716', {
    headers: { 'X-Api-Key': 'planted-header-4717', 'x-auth-token': 'planted-header-4718' },
  });
  await sendBytes(
    'GET /v1/me?api_key=planted-query-4719 HTTP/1.1\r\nAuthorization: Bearer planted-head-4720\r\nBad Header: 1\r\n\r\n',
  );
  const planted = [
    'planted-code',
    'planted-secret',
    'planted-cookie',
    'planted-query',
    'planted-header',
    'planted-head',
  ];
  const secrets = [key, 'unknown-key-0815', signingKey, ...planted];

  const masked = JSON.stringify(await har());
  for (const secret of secrets) expect(masked).not.toContain(secret);
  // Public values and error codes stay.
  expect(masked).toContain('sandpiper-demo-key');
  const whole = JSON.stringify(await har({ reveal: true }));
  for (const secret of secrets) expect(whole).toContain(secret);
});

test('a secret is masked to its end whatever signs are in it, and whatever form its name has', async () => {
  const nested = JSON.stringify({ password: 'ab"SECRET-1-rest', client_secret: 'ab\\\\"SECRET-2\\n-rest' });
  const json = { password: 'ab"SECRET-3-rest', token: 'ab\\\\"SECRET-4-rest', nested, name: 'shown' };
  await sandbox.call('POST', '/events/custom', { json });
  const form = [
    'user[password]=SECRET-5-rest',
    'user%5Bpassword%5D=SECRET-6-rest',
    'client%5Fsecret=SECRET-7-rest',
    'api%5Fkey=SECRET-8-rest',
    '%=shown',
  ].join('&');
  await sandbox.call('POST', '/events/custom', {
    raw: form,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const masked = JSON.stringify(await har());
  expect(masked).not.toContain('SECRET');
  expect(masked.match(/shown/g)).toHaveLength(2);
  expect(JSON.stringify(await har({ reveal: true })).match(/SECRET-\d/g)).toHaveLength(8);
});

test('of two signing keys of which one begins the other both are masked as a whole, and so is one with quotes', async () => {
  for (const signingKey of ['hush-hush', 'hush-hush-and-more', 'with "quotes" in it']) {
    const json = { url: 'http://localhost:9/', events: ['sms.sent'], signingKey };
    expect((await sandbox.control('POST', '/control/webhooks', json)).status).toBe(201);
  }
  const properties = { a: 'hush-hush-and-more', b: 'hush-hush', c: 'with "quotes" in it' };
  const json = { type: 'Visit', user: { phone: '+15555550100' }, properties };
  expect((await sandbox.call('POST', '/events/custom', { json })).status).toBe(200);
  const sent = (await har()).log.entries.at(-1)?.request.postData?.text ?? '{}';
  expect((JSON.parse(sent) as { properties: unknown }).properties).toEqual({ a: '…more', b: '…hush', c: '…n it' });
});

test('bytes that are not text are in base64, and left out while secrets are masked', async () => {
  const raw = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
  await sandbox.call('POST', '/events/custom', { raw, headers: { 'content-type': 'application/json' } });
  const [whole] = (await har({ reveal: true })).log.entries;
  expect(whole?.request.postData).toMatchObject({ text: raw.toString('base64'), comment: 'base64' });
  const [masked] = (await har()).log.entries;
  expect(masked?.request.postData?.text).toBe('');
});

test('the entry of bytes that are not HTTP has a URL, too', async () => {
  await sendBytes('nonsense\r\n\r\n');
  const [entry] = (await har()).log.entries;
  expect(entry).toMatchObject({ _rule: 'request.http', request: { url: new URL('/', sandbox.emulator.apiUrl).href } });
});

test('the answer to HEAD is recorded without a body, as it was sent', async () => {
  const headers = { authorization: 'Bearer sandpiper-demo-key' };
  await fetch(`${sandbox.emulator.apiUrl}/me`, { method: 'HEAD', headers });
  const [entry] = (await har()).log.entries;
  expect(entry?.response).toMatchObject({ status: 200, bodySize: 0, content: { size: 0 } });
  expect(entry?.response.content).not.toHaveProperty('text');
});
