import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { execute } from '../../emulator/commands/execute.ts';
import { command as runHere } from '../support/command.ts';
import { run, serve, startIn, stop, type Served } from '../support/process.ts';
import { beginSlow } from '../support/slow-request.ts';

let served: Served;
let data: string;

beforeAll(async () => {
  data = join(mkdtempSync(join(tmpdir(), 'sandpiper-requests-')), 'data');
  served = await serve(['--data', data]);
});
afterAll(async () => {
  await stop(served);
  rmSync(join(data, '..'), { recursive: true, force: true });
});

const command = (...args: readonly string[]) => runHere(...args, '--data', data);
const post = (path: string, json: object) =>
  fetch(served.apiUrl + path, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: JSON.stringify(json),
  });
const subscribe = (locale: object) =>
  post('/subscriptions', { user: { phone: '+15555550123' }, locale, subscriptionType: 'MARKETING' });

test('what was received cannot write a line of its own among those of requests and records', async () => {
  const forged = 'x\n09:00:00 200 POST /fake  forged line';
  await post('/attributes/custom', { user: { phone: '+15555550100' }, properties: { [forged]: 'y' } });
  for (const args of [['logs'], ['records', 'attribute-definitions']]) {
    const { stdout } = await command(...args);
    expect(stdout).toContain(String.raw`x\x0a09:00:00 200 POST /fake  forged line`);
    expect(stdout).not.toMatch(/^09:00:00/m);
  }
});

test('explain says of a refused request the rule, the place and the smallest fix', async () => {
  await subscribe({ language: 'fr', country: 'CA' });
  await subscribe({ language: 'en', country: 'US' });
  const { stdout, stderr, code } = await command('explain', '--refused');
  expect([stderr, code]).toEqual(['', 0]);
  expect(stdout).toMatch(
    /^POST \/v1\/subscriptions → 400\nat {7}\d\d:\d\d:\d\d, \d+ ms\nabout {4}\+15555550123\n\n2 API/,
  );
  expect(stdout).toMatch(/\nrule {5}subscriptions\.one-unit \(specification section 4/);
  expect(stdout).toMatch(
    /\nplace {4}body \/locale\nsent {5}\{"language":"fr","country":"CA"\}\nfix {6}Send signUpSourceId/,
  );
  expect(stdout).toContain('\n         set body /signUpSourceId to "100003"\n');
  expect(stdout).toMatch(/\n\nhttp:\/\/127\.0\.0\.1:\d+\/#\/requests\/req_\w+\n$/);
});

test('explain says why a rule is assumed, and names a rule of Sandpiper itself as one', async () => {
  const headers = { authorization: 'Bearer sandpiper-demo-key', 'x-sandbox-fault': 'status=1' };
  await fetch(`${served.apiUrl}/me`, { headers });
  const { stdout } = await command('explain', '--last');
  expect(stdout).toContain(`
rule     faults.number (Sandpiper itself, assumed)
assumed  It is about a part of Sandpiper that the platform does not have.
`);
});

test('explain shows the line of a refused query with a mark below the place, and the line that the fix changes', async () => {
  const query = 'query Who {\n  viewer {\n    installedAplication {\n      application { name }\n    }\n  }\n}\n';
  await fetch(`${served.apiUrl}/graphql`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  const { stdout } = await command('explain', '--last');
  expect(stdout).toContain(`
place    body /query, line 3, column 5
sent         installedAplication {
             ^
fix      Rename installedAplication to installedApplication.
         change line 3 of body /query to "installedApplication {"
`);
});

test('explain shows the part of a long query in one line that the fix changes', async () => {
  const users = Array.from({ length: 12 }, (_, index) => `u${index}: viewer { __typename }`).join(' ');
  await fetch(`${served.apiUrl}/graphql`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ query: `query Who { ${users} viewer { installedAplication { application { name } } } }` }),
  });
  const { stdout } = await command('explain', '--last');
  expect(stdout).toContain(
    '         set body /query to …"__typename } u11: viewer { __typename } viewer { installedApplication { application { name } } } }"\n',
  );
});

test.for([
  ['after tabs', 'query {\n\t\tunknownField\n}'],
  [
    'in a line that is wider than the terminal',
    `query { ${'a: __typename '.repeat(9)} unknownField ${'b: __typename '.repeat(9)}}`,
  ],
] as const)('on a terminal, too, the mark of explain is below the refused field %s', async ([, query]) => {
  await fetch(`${served.apiUrl}/graphql`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ query }),
  });
  let text = '';
  const stdout = Object.assign(
    new Writable({ write: (chunk: Buffer, _encoding, done) => ((text += chunk.toString()), done()) }),
    { isTTY: true, columns: 80 },
  );
  await execute(['explain', '--last', '--data', data], { stdout, stderr: stdout }, new URL('file:///no-worker.js'));
  const lines = text.split('\n');
  const mark = lines.findIndex((line) => line.trim() === '^');
  expect(lines[mark - 1]?.slice(lines[mark]?.indexOf('^'))).toMatch(/^unknownField\b/);
  expect(lines[mark - 1]).toMatch(/^sent {5}.{1,71}$/);
});

test('explain says of an accepted request whom it was about, what it did and what it changed', async () => {
  await subscribe({ language: 'en', country: 'US' });
  const { stdout } = await command('explain', '--last');
  expect(stdout).toMatch(/^POST \/v1\/subscriptions → 202\n/);
  expect(stdout).toMatch(/\nabout {4}\+15555550123 (?:subscribed to MARKETING by text|was subscribed already)/);
  expect(stdout).toMatch(/\n(?:created|changed) {2}subscriptions MD/);
  const { id } = JSON.parse((await command('explain', '--last', '--json')).stdout) as { id: string };
  expect((await command('explain', id)).stdout).toBe(stdout);
});

test('explain says what happened to a person, in order, with the ids of the requests', async () => {
  const sent = { user: { phone: '+15555550166' }, signUpSourceId: '100001' };
  expect((await post('/subscriptions', sent)).status).toBe(202);
  expect((await post('/attributes/custom', { user: sent.user, properties: { 'shoe size': '7' } })).status).toBe(200);
  const { stdout } = await command('explain', '--person', '+15555550166');
  expect(stdout.split('\n')).toEqual([
    expect.stringMatching(/ UTC {2}req_\w+ POST \/subscriptions by Demo app: \+15555550166 subscribed to MARKETING/),
    expect.stringMatching(/^ {2}\S+ \S+ UTC {2}Text to \+15555550166: /),
    expect.stringMatching(/ UTC {2}req_\w+ POST \/attributes\/custom by Demo app: \+15555550166/),
    '',
  ]);
  const [first] = JSON.parse((await command('explain', '--person', '+15555550166', '--json')).stdout) as [object];
  expect(first).toMatchObject({ kind: 'request', status: 202 });
  expect((await command('explain', '--person', 'unknown@example.com')).stdout).toBe(
    'Nothing that happened to unknown@example.com is known. "sandpiper records users" lists the people.\n',
  );
});

test('explain prints a body of a fix without its secrets', async () => {
  await fetch(`${served.authUrl}/v1/authorization-codes/tokens`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      grant_type: 'authorization_code',
      client_secret: 'planted-secret-1',
      code: 'planted-code-1',
    }),
  });
  const { stdout } = await command('explain', '--last');
  expect(stdout).toMatch(/replace the body with grant_type=authorization_code&client_secret=…\S+&code=…/);
  expect(stdout).not.toMatch(/planted-(?:secret|code)-1/);
});

test('secrets in a URL are masked in lines and in JSON', async () => {
  await fetch(`${served.apiUrl}/me?access_token=planted-1-aaaa&page=2&api_key=planted-2-bbbb`);
  for (const words of [['explain', '--last'], ['logs']]) {
    expect((await command(...words)).stdout).toContain('/me?access_token=…aaaa&page=2&api_key=…bbbb ');
    const { stdout } = await command(...words, '--json');
    expect(stdout).toContain('/v1/me?access_token=…aaaa&page=2&api_key=…bbbb"');
    expect(stdout).not.toContain('planted-');
  }
});

test('explain without a request, and of one that is not recorded, says what to do', async () => {
  const none = await command('explain');
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('--last')]);
  const gone = await command('explain', 'req_nothing');
  expect([gone.code, gone.stderr]).toEqual([
    1,
    expect.stringMatching(/^sandpiper: No request req_nothing is recorded/),
  ]);
});

test('logs prints the recorded requests that a filter lets through, and goes on with --follow', async () => {
  await subscribe({ language: 'fr', country: 'CA' });
  const { stdout } = await command('logs', '--filter', 'status:4xx operation:"POST /subscriptions"');
  expect(
    stdout
      .trim()
      .split('\n')
      .every((line) => / 400 POST \/subscriptions {2}\+15555550123/.test(line)),
  ).toBe(true);
  await fetch(`${served.apiUrl}/me`, {
    headers: { 'x-sandbox-call-site': 'src/shop.ts:42:9', 'x-sandbox-test': 'the%20shop%20asks' },
  });
  const line = /GET \/me .* at src\/shop\.ts:42:9 in “the shop asks”/;
  for (const filter of ['at:shop.ts:42', 'test:"shop asks"'])
    expect((await command('logs', '--filter', filter)).stdout.trim()).toMatch(new RegExp(`^.*${line.source}.*$`));
  // As the help of --filter says.
  const refused = await command('logs', '--filter', 'status:4xx', '--filter', 'operation:"POST /subscriptions"');
  expect(refused.stdout).toBe(stdout);
  const quoted = await command('logs', '--filter', 'status:"4xx" operation:"POST /subscriptions"');
  expect(quoted.stdout).toBe(stdout);
  const twice = await command('logs', '--filter', 'status:4xx', '--filter', 'status:202');
  expect([twice.code, twice.stderr]).toEqual([2, expect.stringContaining('The filter names status twice.')]);
  const wrong = await command('logs', '--filter', 'colour:red');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('status:4xx')]);

  const following = startIn({}, ['logs', '--follow', '--limit', '1', '--filter', 'status:202', '--data', data]);
  await subscribe({ language: 'en', country: 'US' });
  await following.output(' 202 POST /subscriptions');
  following.process.kill('SIGINT');
  const ended = await following.ended;
  expect([ended.code, ended.stdout.includes(' 400 ')]).toEqual([0, false]);
});

test('logs filters by method, path, body, company and time, and says what is not one of these', async () => {
  await fetch(`${served.apiUrl}/events/custom?Filtered`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: '{"type":"Planted-5"}',
  });
  const fits = async (...filter: readonly string[]) => {
    const { stdout } = await command('logs', ...[...filter, 'path:?filtered'].flatMap((one) => ['--filter', one]));
    return stdout.split('\n').filter((line) => line.includes(' POST /events/custom')).length;
  };
  expect(await fits('method:post')).toBe(1);
  expect(await fits('method:GET')).toBe(0);
  expect(await fits('body:planted-5', 'company:"Sandpiper supply co."', 'since:1h')).toBe(1);
  expect(await fits('body:planted-6')).toBe(0);
  expect(await fits('company:"Dunlin Outfitters"')).toBe(0);
  expect(await fits('until:1h')).toBe(0);
  expect(await fits('until:2100-01-01T00:00:00Z')).toBe(1);
  const time = await command('logs', '--filter', 'since:tomorrow');
  expect([time.code, time.stderr]).toEqual([2, expect.stringContaining('Write how long ago, such as 10m')]);
  const company = await command('logs', '--filter', 'company:Dunlim');
  expect([company.code, company.stderr]).toEqual([2, expect.stringContaining('There is no company "Dunlim".')]);
});

test('logs takes every operation of the platform as a filter, also one of the object store', async () => {
  const { code, stderr } = await command('logs', '--filter', 'operation:"PUT /object-storage/{key}"');
  expect([code, stderr]).toEqual([0, expect.stringContaining('No recorded request fits operation:')]);
  const wrong = await command('logs', '--filter', 'operation:"PUT /object-storage/{kye}"');
  expect([wrong.code, wrong.stderr]).toEqual([
    2,
    expect.stringContaining('There is no operation "PUT /object-storage/{kye}". Did you mean'),
  ]);
});

test('logs --follow ends when it is interrupted before it has its first lines', async () => {
  const silent = createServer();
  silent.listen(0, '127.0.0.1');
  onTestFinished(() => {
    silent.close();
    silent.closeAllConnections();
  });
  await once(silent, 'listening');
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const asked = once(silent, 'request');
  const following = startIn({}, ['logs', '--follow', '--url', url, '--token', 'none']);
  await asked;
  following.process.kill('SIGINT');
  expect(await following.ended).toMatchObject({ code: 0, stdout: '', stderr: '' });
});

test.for([
  ['SIGTERM', 0, /The Sandpiper at \S+ has ended\.\n$/],
  ['SIGKILL', 1, /\nsandpiper: .*Sandpiper at \S+ (?:was lost|ended before it had answered)\.\n$/],
] as const)('what follows a server that gets %s ends with %i', async ([signal, code, says]) => {
  const own = await serve();
  const me = () => fetch(`${own.apiUrl}/me`);
  const link = `${own.inspectorUrl}/#token=${own.token}`;
  await me();
  const following = startIn({}, ['logs', '--follow', '--limit', '1', '--url', link]);
  const listening = startIn({}, ['listen', '--url', link]);
  onTestFinished(() => {
    for (const one of [own, following, listening]) one.process.kill('SIGKILL');
  });
  await following.output('GET /me');
  await fetch(`${own.apiUrl}/webhooks`);
  // Not in its first lines, so it came by the stream.
  await following.output('GET /webhooks');
  // The stream may open a moment after the greeting, so requests are sent until one is seen.
  await listening.output('Listening at');
  const state = { over: false };
  const seen = listening.output('GET /me').finally(() => (state.over = true));
  while (!state.over) {
    await me();
    await Promise.race([seen, new Promise((resolve) => setImmediate(resolve))]);
  }
  await stop(own, signal);
  for (const { code: ended, stdout, stderr } of await Promise.all([following.ended, listening.ended]))
    expect([ended, stdout + stderr]).toEqual([code, expect.stringMatching(says)]);
});

test('logs --follow prints a request that ends after later ones', async () => {
  const slow = await beginSlow(served.apiUrl, '/webhooks');
  const following = startIn({}, ['logs', '--follow', '--limit', '1', '--data', data]);
  await subscribe({ language: 'en', country: 'US' });
  await following.output(' 202 POST /subscriptions');
  expect(await slow.end({ url: 'http://localhost:3000/' })).toBe(400);
  await following.output(' 400 POST /webhooks');
  following.process.kill('SIGINT');
  const { code, stdout } = await following.ended;
  expect([code, stdout.match(/ 202 POST | 400 POST /g)]).toEqual([0, [' 202 POST ', ' 400 POST ']]);
});

test('ready --wait ends in time although the clock of the machine is set back meanwhile', async () => {
  const preload = join(data, '..', 'set-back.cjs');
  writeFileSync(preload, 'const { now } = Date; let read = 0; Date.now = () => now() - 3_600_000 * read++;');
  const none = join(data, '..', 'none');
  const env = { NODE_OPTIONS: `--require=${preload}` };
  expect(await run(['ready', '--wait', '300ms', '--data', none], env)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('No Sandpiper serves the data folder') as string,
  });
});

test('ready ends with 0 once an emulator answers, and waits for one that is about to start', async () => {
  expect((await command('ready')).stdout).toBe(`Ready: ${served.apiUrl}\n`);
  const other = join(data, '..', 'other');
  const never = await runHere('ready', '--data', other);
  expect([never.code, never.stderr]).toEqual([
    1,
    expect.stringMatching(/^sandpiper: No Sandpiper serves the data folder/),
  ]);
  const waiting = runHere('ready', '--wait', '60s', '--data', other);
  const later = await serve(['--data', other]);
  expect((await waiting).stdout).toBe(`Ready: ${later.apiUrl}\n`);
  await stop(later);
  expect((await runHere('ready', '--wait', 'soon', '--data', other)).code).toBe(2);
});
