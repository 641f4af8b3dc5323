import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Draft } from '../../renderer/http-text/apply-fix.ts';
import { toCurl, toFetch } from '../../renderer/http-text/copy-as.ts';
import { diffDrafts } from '../../renderer/http-text/diff.ts';
import { toTitle } from '../../renderer/http-text/explain.ts';
import { toLineText } from '../../renderer/http-text/json-lines.ts';

/** What was received last. */
let got: Draft | null = null;
const ofClients = /^(?:host|connection|content-length|expect|user-agent|accept|accept-\w+|sec-fetch-mode)$/;

async function toDraft(request: IncomingMessage): Promise<Draft> {
  const { method = '', url = '', rawHeaders } = request;
  const pairs = rawHeaders.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), rawHeaders[at + 1] ?? ''] as const] : [],
  );
  const bytes = await buffer(request);
  return {
    method,
    url,
    headers: pairs.filter(([name]) => !ofClients.test(name)),
    body: bytes.length === 0 ? null : { encoding: 'base64', data: bytes.toString('base64') },
  };
}

const server = createServer(async (request, response) => {
  got = await toDraft(request);
  response.end('answered');
});
beforeAll(() => once(server.listen(0, '127.0.0.1'), 'listening'));
afterAll(() => server.close());
const base = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

const body = (data: string): Draft['body'] => ({ encoding: 'utf8', data });
const json = ['content-type', 'application/json'] as const;

const drafts: readonly (readonly [what: string, draft: Draft])[] = [
  ['a GET', { method: 'GET', url: '/v1/me?a=1', headers: [['authorization', 'Bearer x']], body: null }],
  ['a POST', { method: 'POST', url: '/', headers: [json], body: body('{"a":"it\'s"}') }],
  ['a POST without a body', { method: 'POST', url: '/', headers: [], body: null }],
  ['a GET with a body', { method: 'GET', url: '/', headers: [json], body: body('{"a":1}') }],
  ['a HEAD', { method: 'HEAD', url: '/', headers: [], body: null }],
  ['a body without a type', { method: 'PUT', url: '/', headers: [], body: body('[1]') }],
  ['bytes without a type', { method: 'POST', url: '/', headers: [], body: { encoding: 'base64', data: 'AP/+' } }],
  [
    'repeated headers',
    {
      method: 'GET',
      url: '/',
      headers: [
        ['x-a', '1'],
        ['x-a', '2'],
      ],
      body: null,
    },
  ],
  ['a header without a value', { method: 'GET', url: '/', headers: [['x-a', '']], body: null }],
  ['a header in UTF-8', { method: 'GET', url: '/', headers: [['x-a', 'JosÃ©']], body: null }],
  ['a body with a NUL', { method: 'POST', url: '/', headers: [json], body: body(`{"a":"50% \\n it's \0 9"}`) }],
  [
    'a body of 1 MB',
    { method: 'POST', url: '/', headers: [json], body: body(`{"a":"%s ${'it’s '.repeat(150_000)}"}`) },
  ],
  ['brackets and dots in the address', { method: 'DELETE', url: '/a/../b?c[]=1&d={e}', headers: [], body: null }],
];

const asBytes = ({ body: sent, ...rest }: Draft): Draft => ({
  ...rest,
  body: sent && { encoding: 'base64', data: Buffer.from(sent.data, sent.encoding).toString('base64') },
});

const run = promisify(execFile);
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);

for (const [what, draft] of drafts)
  test.skipIf(!hasCurl)(`${what}, copied as curl, is the same request`, async () => {
    // As from a terminal: no word of a command may be as long as all of it.
    const shell = run('sh');
    shell.child.stdin?.end(`${toCurl({ base: base(), draft, status: null })} --max-time 20`);
    await shell;
    expect(got).toEqual(asBytes(draft));
  });

async function fetched(draft: Draft): Promise<Draft | null> {
  const code = toFetch({ base: base(), draft, status: null });
  await new Function(`return (async () => { ${code}\nawait response.text(); })()`)();
  return got;
}

for (const [what, draft] of drafts.filter(([name]) => !/with a body|repeated|dots/.test(name)))
  test(`${what}, copied as fetch, is the same request`, async () => {
    expect(await fetched(draft)).toEqual(asBytes(draft));
  });

test('what fetch sends otherwise: repeated headers as one with both values, and no body with GET, which the code says', async () => {
  const headers = [
    ['x-a', '1'],
    ['x-a', '2'],
  ] as const;
  const repeated = await fetched({ method: 'GET', url: '/', headers, body: null });
  expect(repeated?.headers).toEqual([['x-a', '1, 2']]);
  const draft: Draft = { method: 'GET', url: '/', headers: [], body: body('{}') };
  expect(await fetched(draft)).toMatchObject({ method: 'GET', body: null });
  expect(toFetch({ base: base(), draft, status: null })).toMatch(/^\/\/ fetch sends no body with GET/);
});

test('a changed record is called by its name, and by its type only without one', () => {
  const titleOf = (after: object) => toTitle({ id: 'x', kind: 'x', before: null, after } as never);
  expect(titleOf({ name: 'shoe size', type: 'number' })).toBe('shoe size');
  expect(titleOf({ name: null, channel: 'TEXT', type: 'MARKETING' })).toBe('TEXT MARKETING');
});

test('a header that a fix changes is shown as the text that was sent, not byte by byte', () => {
  const before = {
    method: 'GET',
    url: '/v1/me',
    headers: [['x-name', Buffer.from('José').toString('latin1')]] as const,
  };
  const shown = diffDrafts({ ...before, body: null }, { ...before, headers: [], body: null }, []);
  expect(shown.map(({ sign, line }) => `${sign}${toLineText(line)}`)).toEqual(['-x-name: José']);
});
