import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { useSandbox, type Sandbox } from '../support/sandbox.ts';

/** A built inspector of three files. */
const uiDir = mkdtempSync(join(tmpdir(), 'sandpiper-ui-'));
mkdirSync(join(uiDir, 'assets'));
writeFileSync(join(uiDir, 'index.html'), '<!doctype html><title>Sandpiper</title>');
writeFileSync(join(uiDir, 'mark.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
writeFileSync(join(uiDir, 'assets', 'main-1a2b.js'), 'export {};');
afterAll(() => rmSync(uiDir, { recursive: true, force: true }));

const plain = useSandbox();
const withPage = useSandbox({ uiDir });

interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** A request whose path is sent unchanged: fetch would resolve dots and slashes. */
function send(
  sandbox: Sandbox,
  method: string,
  path: string,
  { token, body = '' }: { token?: string; body?: string } = {},
): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(sandbox.emulator.inspectorUrl);
  return new Promise((resolve, reject) => {
    const headers = {
      host,
      'content-type': 'application/json',
      'content-length': String(body.length),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const sent = request({ hostname, port, method, path, headers }, (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Every method and path of the control port, with ids that exist if the demo data has one. */
async function routesOf(sandbox: Sandbox): Promise<readonly (readonly [method: string, path: string])[]> {
  const { paths } = (await sandbox.control('GET', '/control/control-openapi.json')).body as {
    paths: Record<string, Record<string, unknown>>;
  };
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => [method.toUpperCase(), path] as const),
  );
  expect(described.length).toBeGreaterThan(100);
  return [
    ...described,
    ['GET', '/control/stream'],
    ['GET', '/control/uploads/{id}/fixed'],
    ['PUT', '/control/uploads/{id}/file'],
  ].map(([method = '', path = '']) => [method, path.replaceAll(/\{[^}]+\}/g, 'x')] as const);
}

const encoded = (text: string): string =>
  [...text].map((sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

/** Other spellings of a path that some router or proxy treats as the same. */
const spellings: Readonly<Record<string, (path: string) => string>> = {
  'as it is': (path) => path,
  'with a query': (path) => `${path}?secrets=true`,
  'in capitals': (path) => path.toUpperCase(),
  'with one capital': (path) => path.replace('/control', '/Control'),
  'with a capital at the end': (path) => path.slice(0, -1) + path.slice(-1).toUpperCase(),
  'with an encoded letter': (path) => path.replace('/c', '/%63'),
  'encoded throughout': (path) => path.split('/').map(encoded).join('/'),
  'with encoded slashes': (path) => `/${path.slice(1).replaceAll('/', '%2F')}`,
  'encoded twice': (path) => path.replace('/c', '/%2563'),
  'with two slashes first': (path) => `/${path}`,
  'with two slashes between': (path) => path.replace('/control/', '/control//'),
  'with a slash at the end': (path) => `${path}/`,
  'with two slashes at the end': (path) => `${path}//`,
  'with a dot segment first': (path) => `/.${path}`,
  'with a dot segment between': (path) => path.replace('/control/', '/control/./'),
  'from a folder above': (path) => `/assets/..${path}`,
  'from an encoded folder above': (path) => `/assets/%2e%2e${path}`,
  'below a page file': (path) => `/index.html/..${path}`,
  'with a backslash': (path) => path.replace('/control/', '/control\\'),
  'with path parameters': (path) => path.replace('/control/', '/control;a=b/'),
  'with a dot at the end': (path) => `${path}.`,
  'with an extension': (path) => `${path}.js`,
  'with an encoded end': (path) => `${path}%00`,
  'with an encoded question mark': (path) => `${path}%3Fx`,
  'with a fragment': (path) => `${path}#x`,
};

/** Everything that a caller without the token could have changed. */
async function stateOf(sandbox: Sandbox): Promise<string> {
  const { store, clock } = sandbox.emulator.deps;
  const reads = ['/control/faults', '/control/snapshots', '/control/undo', '/control/settings'];
  const seen = await Promise.all(reads.map((path) => sandbox.control('GET', path)));
  return JSON.stringify([store.toDocument(), clock.now(), clock.state(), sandbox.emulator.recorder.all().length, seen]);
}

for (const [page, sandbox] of [
  ['a plain page', plain],
  ['a built page', withPage],
] as const) {
  test(`with ${page}, no spelling of a control route is answered without the token, and nothing happens`, async () => {
    sandbox.emulator.deps.clock.freeze(true);
    const before = await stateOf(sandbox);
    for (const [method, path] of await routesOf(sandbox)) {
      const body = method === 'POST' || method === 'PUT' ? '{"world":"empty"}' : '';
      const answers = await Promise.all(
        Object.entries(spellings).map(async ([how, spell]) => ({
          how,
          ...(await send(sandbox, method, spell(path), { body })),
        })),
      );
      const answered = answers.filter(({ status }) => status !== 401).map(({ how, status }) => `${how}: ${status}`);
      expect(answered, `${method} ${path}`).toEqual([]);
    }
    expect(await stateOf(sandbox)).toBe(before);
  }, 60_000);
}

test('everything but the files of the page needs the token, even paths that do not exist', async () => {
  for (const path of ['/nothing', '/v1/me', '/assets', '/assets/', '/assets/other.js', '/INDEX.html', '/index.html/'])
    expect((await send(withPage, 'GET', path)).status, path).toBe(401);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
    expect((await send(withPage, method, '/')).status, method).toBe(401);
});

test('the files of the page are served without the token, by their exact names', async () => {
  for (const path of ['/', '/index.html', '/mark.svg', '/assets/main-1a2b.js', '/?any=query'])
    for (const method of ['GET', 'HEAD']) expect((await send(withPage, method, path)).status, path).toBe(200);
  expect((await send(plain, 'GET', '/')).status).toBe(200);
  expect((await send(plain, 'GET', '/index.html')).status).toBe(401);
});

test('with the token a control route is found by its exact path only', async () => {
  const { token } = plain.emulator;
  expect((await send(plain, 'GET', '/control/health', { token })).status).toBe(200);
  for (const path of ['/Control/health', '/control/HEALTH', '/control/health/', '//control/health'])
    expect((await send(plain, 'GET', path, { token })).status, path).toBe(404);
});
