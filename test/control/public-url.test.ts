import { request } from 'node:http';
import { expect, test } from 'vitest';
import { startSandbox, useSandbox, type Sandbox } from '../support/sandbox.ts';

const publicUrl = 'http://localhost:8080';
const publicInspectorUrl = 'http://localhost:8081';
const mapped = useSandbox({ publicUrl, publicInspectorUrl });

/** Sends a request to where the server listens, as a mapped port does: with the Host of the address that the client used. */
function sendThrough(
  url: string,
  headers: { readonly [name: string]: string },
  body?: string,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: body === undefined ? 'GET' : 'POST', headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on('error', reject).end(body);
  });
}

const key = { authorization: 'Bearer sandpiper-demo-key' };
const tokenOf = ({ emulator }: Sandbox) => ({ authorization: `Bearer ${emulator.token}` });

test('every link that is sent names the public address', async () => {
  const refused = await mapped.call('POST', '/subscriptions', { json: {} });
  expect(refused.headers.get('x-sandbox-explain')).toMatch(/^http:\/\/localhost:8081\/#\/requests\/req_/);
  const asked = { ...key, host: 'localhost:8080' };
  const upload = await sendThrough(`${mapped.emulator.apiUrl}/product-catalog/uploads`, asked, '');
  expect(upload.text).toContain('"uploadUrl":"http://localhost:8080/object-storage/');
  const problem = await mapped.call('GET', '/integrations/oauth-install', { key: null });
  expect(problem.text).toContain('href="http://localhost:8081/#/requests');
  const withoutToken = await fetch(`${mapped.emulator.inspectorUrl}/control/health`);
  expect(((await withoutToken.json()) as { message: string }).message).toContain(`${publicUrl}/v1`);
  const document = (await mapped.control('GET', '/control/openapi.json')).body as { servers: object };
  expect(document.servers).toMatchObject([{ url: `${publicUrl}/v1` }]);
  expect((await mapped.control('GET', '/control/welcome')).body).toMatchObject({ apiUrl: `${publicUrl}/v1` });
});

test('a client that reaches the port itself gets an upload link that it can use; one behind the public address gets that', async () => {
  const shared = await startSandbox({ publicUrl, publicInspectorUrl, allowHosts: ['sandbox', 'proxied:8082'] });
  try {
    const { apiUrl, deps } = shared.emulator;
    const { port } = new URL(deps.urls.local.auth);
    const linkFor = async (host: string): Promise<string> => {
      const { text } = await sendThrough(`${apiUrl}/product-catalog/uploads`, { ...key, host }, '');
      return (JSON.parse(text) as { uploadUrl: string }).uploadUrl;
    };
    const inside = await linkFor(`Sandbox:${port}`);
    expect(new URL(inside).origin).toBe(`http://sandbox:${port}`);
    const { pathname, search } = new URL(inside);
    const sent = await fetch(deps.urls.local.auth + pathname + search, { method: 'PUT', body: '{}\n' });
    expect(sent.status).toBe(200);
    const origins = await Promise.all(
      [`127.0.0.1:${port}`, 'localhost:8080', 'proxied:8082'].map(async (host) => new URL(await linkFor(host)).origin),
    );
    expect(origins).toEqual([`http://127.0.0.1:${port}`, publicUrl, publicUrl]);
    // An upload that is read later, by another client, is as well.
    const list = await sendThrough(`${apiUrl}/product-catalog/uploads`, { ...key, host: `sandbox:${port}` });
    expect(list.text).toContain(`"uploadUrl":"http://sandbox:${port}/object-storage/`);
  } finally {
    await shared.close();
  }
});

test.for([
  ['localhost:8080', 200, 403],
  ['LocalHost:8080', 200, 403],
  ['localhost:8081', 403, 200],
  ['localhost:8082', 403, 403],
  ['127.0.0.1:8080', 403, 403],
  ['evil.example:8080', 403, 403],
  ['evil.example', 403, 403],
  ['localhost', 403, 403],
] as const)(
  'the host %s is answered with %s by the API, with %s by the control API',
  async ([host, ofApi, ofControl]) => {
    const { apiUrl, inspectorUrl } = mapped.emulator;
    expect((await sendThrough(`${apiUrl}/me`, { ...key, host })).status).toBe(ofApi);
    expect((await sendThrough(`${inspectorUrl}/control/health`, { ...tokenOf(mapped), host })).status).toBe(ofControl);
  },
);

test('a request to another host changes nothing, nor does one of a page of another origin', async () => {
  const { apiUrl, inspectorUrl, deps } = mapped.emulator;
  const json = { 'content-type': 'application/json' };
  const count = () => [deps.store.users.size, deps.store.companies.size];
  const before = count();
  const person = JSON.stringify({ user: { phone: '+15555550177' }, signUpSourceId: '100001' });
  expect(
    (await sendThrough(`${apiUrl}/subscriptions`, { ...key, ...json, host: 'localhost:8081' }, person)).status,
  ).toBe(403);
  const company = JSON.stringify({ name: 'Evil' });
  const post = (headers: { readonly [name: string]: string }) =>
    sendThrough(`${inspectorUrl}/control/companies`, { ...tokenOf(mapped), ...json, ...headers }, company);
  expect((await post({ host: 'localhost:8080' })).status).toBe(403);
  expect((await post({ host: 'localhost:8081', origin: publicUrl })).status).toBe(403);
  expect((await post({ host: 'localhost:8081', origin: 'http://localhost:8082' })).status).toBe(403);
  expect(count()).toEqual(before);
  expect((await post({ host: 'localhost:8081', origin: publicInspectorUrl })).status).toBe(201);
});

test('a public address without a port means the usual one of its scheme', async () => {
  const proxied = await startSandbox({
    publicUrl: 'https://Sandbox.example',
    publicInspectorUrl: 'https://inspector.example',
  });
  try {
    const { apiUrl, inspectorUrl } = proxied.emulator;
    const status = async (host: string) => (await sendThrough(`${apiUrl}/me`, { ...key, host })).status;
    expect([
      await status('sandbox.example'),
      await status('sandbox.example:443'),
      await status('sandbox.example:80'),
      await status('sandbox.example:8080'),
    ]).toEqual([200, 200, 403, 403]);
    const page = { host: 'inspector.example', origin: 'https://inspector.example' };
    expect((await sendThrough(`${inspectorUrl}/control/health`, { ...tokenOf(proxied), ...page })).status).toBe(200);
  } finally {
    await proxied.close();
  }
});

test('what the inspector sends itself reaches the API where it listens', async () => {
  const sent = await mapped.control('POST', '/control/send', {
    method: 'GET',
    path: '/v1/me',
    headers: [['authorization', key.authorization]],
  });
  expect(sent.body).toMatchObject({ status: 200 });
  const { inspectorUrl, deps } = mapped.emulator;
  const [company] = [...deps.store.companies.all()];
  const made = await mapped.control('POST', '/control/uploads', { companyId: company?.id, validateOnly: true });
  const file = await fetch(`${inspectorUrl}/control/uploads/${(made.body as { id: string }).id}/file`, {
    method: 'PUT',
    headers: { ...tokenOf(mapped), 'content-type': 'application/octet-stream' },
    body: '{}\n',
  });
  expect(file.status, await file.text()).toBeLessThan(300);
});

test.for([
  'localhost:8080',
  'http://localhost:8080/v1',
  'http://me:secret@localhost:8080',
  'ftp://localhost',
  'http://',
  '',
])('the public address "%s" is refused', async (address) => {
  await expect(startSandbox({ publicUrl: address })).rejects.toThrow(
    /^--public-url takes an address such as http:\/\/localhost:8080, without a path/,
  );
});
