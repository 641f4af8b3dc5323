import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { createControlClient } from '../../emulator/control/client/control-client.ts';
import { createProgram } from '../../emulator/commands/program.ts';
import { demoCompany } from '../../emulator/declared-world/demo.ts';
import { command as runHere } from '../support/command.ts';
import { useNoProxy } from '../support/no-proxy.ts';
import { run, serve, start, stop, type Served } from '../support/process.ts';

useNoProxy();

let served: Served;
let data: string;
const cleanUps: (() => unknown)[] = [];

beforeAll(async () => {
  data = join(mkdtempSync(join(tmpdir(), 'sandpiper-commands-')), 'data');
  served = await serve(['--data', data]);
});
afterAll(async () => {
  await stop(served);
  rmSync(join(data, '..'), { recursive: true, force: true });
});
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0)) await cleanUp();
});

const command = (...args: readonly string[]) => runHere(...args, '--data', data);
const json = async (...args: readonly string[]) =>
  JSON.parse((await command(...args, '--json')).stdout) as Record<string, unknown>;
const me = () => fetch(`${served.apiUrl}/me`, { headers: { authorization: 'Bearer sandpiper-demo-key' } });

async function receiver(
  afterMs = 0,
): Promise<{ url: string; received: { headers: Record<string, unknown>; body: string }[] }> {
  const received: { headers: Record<string, unknown>; body: string }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      setTimeout(() => response.end('ok'), afterMs);
    });
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as { port: number }).port}/hooks`, received };
}

test('env prints the variables of the running emulator', async () => {
  const { stdout, code } = await command('env');
  expect(code).toBe(0);
  expect(stdout).toContain(`SANDPIPER_API_URL=${served.apiUrl}\n`);
  expect(stdout).toContain('SANDPIPER_API_KEY=sandpiper-demo-key\n');
  expect(await json('env')).toMatchObject({ SANDPIPER_TOKEN: served.token, SANDPIPER_AUTH_URL: served.authUrl });
});

test('trigger sends a signed event to any receiver, with what --set changes', async () => {
  const { url, received } = await receiver();
  const ended = await command(
    'trigger',
    'sms.subscribed',
    '--phone',
    '+15555550100',
    '--to',
    url,
    '--set',
    'subscription.type=TRANSACTIONAL',
    '--wait',
  );
  expect(ended.stderr).toBe('');
  expect(ended.stdout).toMatch(/^\d\d:\d\d:\d\d → sms\.subscribed delivered 200 http/);
  expect(received).toHaveLength(1);
  expect(received[0]?.headers).toMatchObject({ 'x-attentive-hmac-sha256': expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
    type: 'sms.subscribed',
    subscription: { type: 'TRANSACTIONAL' },
    subscriber: { phone: '+15555550100' },
  });
});

test('trigger waits for a receiver that is slow, and prints what it answered', async () => {
  const { url } = await receiver(2_500);
  const { code, stdout, stderr } = await command('trigger', 'email.opened', '--email', 'ada@example.com', '--to', url);
  expect(stderr).toContain('Waiting for the receiver');
  expect(stdout).toContain('delivered');
  expect(code).toBe(0);
});

test('trigger --dry-run shows the bytes and sends nothing', async () => {
  const { url, received } = await receiver();
  const { stdout } = await command('trigger', 'email.opened', '--email', 'ada@example.com', '--to', url, '--dry-run');
  expect(stdout).toContain('x-attentive-hmac-sha256: ');
  expect(stdout).toContain('"type":"email.opened"');
  expect(received).toEqual([]);
});

test('trigger fails with a line that says why: a receiver that does not answer, an unknown event, a wrong path', async () => {
  const refused = await command('trigger', 'email.opened', '--email', 'ada@example.com', '--to', 'http://127.0.0.1:9/');
  expect([refused.code, refused.stdout]).toEqual([1, expect.stringContaining('Nothing listens')]);
  const unknown = await command('trigger', 'email.read', '--to', 'http://127.0.0.1:9/');
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('<event> must be one of')]);
  const set = await command('trigger', 'email.opened', '--set', 'nothing');
  expect([set.code, set.stderr]).toEqual([2, expect.stringContaining('path=value')]);
  // Webhooks of other tests would receive it.
  await command('reset');
  const nobody = await command('trigger', 'email.opened', '--email', 'ada@example.com');
  expect([nobody.code, nobody.stdout]).toEqual([1, expect.stringContaining('was not sent')]);
});

test('a misspelt event and an unknown state are refused in the words of the command line, with the nearest name', async () => {
  const event = await command('trigger', 'emial.opened');
  expect([event.code, event.stderr]).toEqual([2, expect.stringContaining('Did you mean "email.opened"?')]);
  const state = await command('deliveries', '--state', 'deliverd');
  expect([state.code, state.stderr]).toEqual([
    2,
    expect.stringMatching(/"deliverd" is not possible for --state\. .*delivered/),
  ]);
});

test('a misspelt kind or move of a record is answered with the nearest name, an unknown id with the command that lists them', async () => {
  const kind = await command('records', 'offer');
  expect([kind.code, kind.stderr]).toEqual([
    2,
    expect.stringContaining('There are no records of kind "offer". Did you mean "offers"? Kinds: companies, apps, '),
  ]);
  for (const [called, meant] of [
    ['subscribers', 'users'],
    ['people', 'users'],
    ['api-keys', 'credentials'],
    ['unit', 'sign-up-units'],
    ['attributes', 'attribute-definitions'],
    ['catalog-uploads', 'uploads'],
  ] as const)
    expect((await command('records', called)).stderr).toContain(
      `There are no records of kind "${called}". Did you mean "${meant}"? `,
    );
  const other = await command('records', 'weather');
  expect(other.stderr).toContain('There are no records of kind "weather". Kinds: companies, apps, ');
  const id = await command('records', 'offers', '999');
  expect(id.stderr).toBe(
    'sandpiper: There is no record 999 of kind "offers". "sandpiper records offers" lists them.\n',
  );
  const move = await command('fire', 'offers', '54100', 'syncd');
  expect(move.stderr).toMatch(
    /^sandpiper: <event>: There is no move "syncd" of offers\. Did you mean "synced"\? Moves: /,
  );
});

test('a wrong token is one line that names the option and the variable', async () => {
  const { code, stderr } = await runHere('clock', '--url', served.inspectorUrl, '--token', 'wrong');
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^sandpiper: .* has another token\. .*--token or SANDPIPER_TOKEN.*\n$/),
  ]);
  expect(stderr).not.toContain('Authorization');
});

test('a snapshot of the same name is refused with the option that saves over it', async () => {
  await command('snapshot', 'save', 'twice');
  const again = await command('snapshot', 'save', 'twice');
  expect([again.code, again.stderr]).toEqual([1, expect.stringContaining('--overwrite')]);
  expect((await command('snapshot', 'save', 'twice', '--overwrite')).code).toBe(0);
  await command('snapshot', 'delete', 'twice');
});

test('a fault applies to the next request only, is listed, and can be removed', async () => {
  expect((await command('fault', 'GET /me', '--status', '503', '--retry-after', '2')).stdout).toMatch(
    /^The next GET \/me is answered with 503 and Retry-After 2 s\.\n"sandpiper fault --clear flt_\d+" removes it\.\n$/,
  );
  expect([(await me()).status, (await me()).status]).toEqual([503, 200]);
  expect((await command('fault')).stdout).toContain(
    'The next GET /me is answered with 503 and Retry-After 2 s. Used up.',
  );
  await command('fault', '*', '--status', '500', '--times', '100');
  await command('fault', '--clear');
  expect((await me()).status).toBe(200);
  const wrong = await command('fault', 'GET /mee', '--status', '500');
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('GET /me')]);
  const unknown = await command('fault', '--clear', 'flt_999');
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    'sandpiper: There is no fault flt_999. "sandpiper fault" lists them.\n',
  ]);
});

test('limits are turned on and off, and an unknown mode is refused', async () => {
  expect((await command('limits', 'real')).stdout).toMatch(/^Rate limits are real: /);
  expect((await command('limits', 'off')).stdout).toMatch(/^Rate limits are off: /);
  expect((await command('limits', 'some')).code).not.toBe(0);
});

test('reset restores the demo data, in real time', async () => {
  await command('advance', '400d');
  await fetch(`${served.apiUrl}/webhooks`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: '{"url":"http://localhost:3000/","events":["sms.sent"]}',
  });
  expect((await command('reset')).stdout).toMatch(
    /^Everything was reset to the demo world\. "sandpiper undo undo_\d+" reverts that\.$/m,
  );
  expect((await command('clock')).stdout).toMatch(/^It is .* UTC, real time\.$/m);
  const answer = await fetch(`${served.apiUrl}/webhooks`, { headers: { authorization: 'Bearer sandpiper-demo-key' } });
  expect(await answer.json()).toEqual({ webhooks: [] });
});

test('the clock is advanced, set and rewound', async () => {
  const before = (await json('advance', '0s')) as { now: string };
  const later = (await json('advance', '30d')) as { now: string };
  expect(Date.parse(later.now) - Date.parse(before.now)).toBeGreaterThanOrEqual(30 * 86_400_000);
  expect((await command('advance', '--rewind')).stdout).toMatch(/^It is /);
  expect((await command('redo')).stdout).toMatch(/^Done again: Time was advanced by 30 d/);
  expect(Date.parse(((await json('clock')) as { now: string }).now)).toBeGreaterThanOrEqual(Date.parse(later.now));
  await command('reset', '--empty');
  expect((await command('advance', '--rewind')).code).toBe(0);
  expect((await command('redo')).stdout).toMatch(/^Done again: .* by 30 d, .* With it, the 1 after it\.$/m);
  expect((await command('undo')).stdout).toMatch(/^Undone: Everything was reset to an empty store/);
  const both = await command('advance', '1d', '--rewind');
  expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('Give one of these: a duration')]);
  expect((await command('advance', 'a while')).code).toBe(2);
});

test('a record is moved by hand; a refused move names the possible ones', async () => {
  expect((await command('pace', 'manual')).stdout).toBe('The pace is manual.\n');
  const made = await fetch(`${served.apiUrl}/privacy/delete-request`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: '{"subjectEmail":"mary@example.com"}',
  });
  const { id } = (await made.json()) as { id: string };
  const early = await command('fire', 'privacy-requests', id, 'finish');
  expect([early.code, early.stderr]).toEqual([1, expect.stringContaining('start')]);
  expect((await command('fire', 'privacy-requests', id, 'start')).stdout).toBe(
    `privacy-requests ${id} is processing.\n`,
  );
  expect((await command('fire', 'privacy-requests', id, 'finish')).stdout).toBe(
    `privacy-requests ${id} is processed.\n`,
  );
});

test('the newest request is explained by the word as by the option', async () => {
  await me();
  const said = (await command('explain', '--last')).stdout;
  expect(said).toContain('GET /v1/me');
  expect((await command('explain', 'last')).stdout).toBe(said);
  expect((await command('explain', 'last', '--refused')).code).toBe(2);
});

test('an event goes as far as --reach says, and where that is not far enough the answer names it', async () => {
  const to = ['sms.sent', '--to', 'http://10.0.0.5/hooks'];
  const near = await command('trigger', ...to);
  expect([near.code, near.stdout]).toEqual([
    1,
    expect.stringMatching(/, but the reach is "loopback"\. .*\nRepeat it with --reach private to let it/),
  ]);
  const { targets } = (await json('trigger', ...to, '--reach', 'private', '--dry-run')) as { targets: unknown };
  expect(targets).toMatchObject([{ webhookId: null, reach: 'private' }]);
});

test('--reach other than that of the webhook at the address is refused, as it would have no effect', async () => {
  cleanUps.push(() => command('reset'));
  const url = 'http://127.0.0.1:9/own-reach';
  const made = await fetch(`${served.apiUrl}/webhooks`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['sms.sent'] }),
  });
  const { id } = (await made.json()) as { readonly id: string };
  const client = createControlClient({ url: served.inspectorUrl, token: served.token });
  const refused = { private: ['loopback', 'public'], loopback: ['private', 'public'] } as const;
  for (const own of ['private', 'loopback'] as const) {
    await client.call('POST /control/webhooks/{id}', { params: { id }, body: { reach: own } });
    for (const [words, asked] of [
      [['trigger', 'sms.sent', '--dry-run', '--to', url], refused[own][0]],
      [['trigger', 'sms.sent', '--dry-run', '--to', id], refused[own][1]],
      [['gym', url, '--count', '1'], refused[own][0]],
    ] as const)
      expect(await command(...words, '--reach', asked)).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          `--reach: A webhook is registered there, ${id}, with the reach "${own}", so "${asked}" has no effect.`,
        ),
      });
    const fired = await json('trigger', 'sms.sent', '--dry-run', '--to', url, '--reach', own);
    expect(fired).toMatchObject({ targets: [{ webhookId: id, reach: own }] });
  }
});

test('undo says what else it removed', async () => {
  const client = createControlClient({ url: served.inspectorUrl, token: served.token });
  await client.call('POST /control/attributes', { body: { companyId: demoCompany, name: 'hat size', type: 'string' } });
  await fetch(`${served.apiUrl}/attributes/custom`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: '{"properties":{"hat size":"7"},"user":{"email":"ada@example.com"}}',
  });
  expect((await command('undo')).stdout).toBe(
    'Undone: The attribute “hat size” was created. Also removed, as made since then: 1 attribute value.\n',
  );
});

test('the state is saved, listed, restored, exported, imported and reverted', async () => {
  await command('reset');
  expect((await command('snapshot', 'save', 'clean')).stdout).toBe('The snapshot "clean" is saved.\n');
  expect((await command('snapshot', 'save', 'longer-name')).code).toBe(0);
  expect((await command('snapshot', 'list')).stdout).toMatch(/^clean {8}\d{4}-.*\nlonger-name {2}\d{4}-/);
  expect((await command('snapshot', 'delete', 'longer-name')).stdout).toBe('The snapshot "longer-name" is deleted.\n');
  await command('reset', '--empty');
  expect((await me()).status).toBe(401);
  expect((await command('snapshot', 'restore', 'clean')).stdout).toContain('The snapshot "clean" is restored.');
  expect((await me()).status).toBe(200);
  expect((await command('undo')).stdout).toBe('Undone: The snapshot "clean" was restored.\n');
  expect((await me()).status).toBe(401);
  expect((await command('redo')).stdout).toMatch(/^Done again: The snapshot "clean" was restored/);
  expect((await me()).status).toBe(200);
  const list = (await command('undo', '--list')).stdout.trimEnd().split('\n');
  const [id = ''] = list.find((line) => line.includes('"clean" was restored'))?.split(' ') ?? [];
  expect((await command('undo', id)).stdout).toMatch(/^Undone: .*"clean" was restored/);
  expect((await command('undo', id)).stderr).toContain('can no longer be undone');
  expect((await me()).status).toBe(401);
  const restored = (await json('snapshot', 'restore', 'clean')) as { undo: string };
  expect((await command('undo', restored.undo)).stdout).toMatch(/^Undone: The snapshot "clean" was restored/);
  await command('snapshot', 'restore', 'clean');
  const file = join(data, '..', 'exported.json');
  expect((await command('snapshot', 'export', file, '--secrets')).stdout).toContain('Written to');
  await command('reset', '--empty');
  expect((await command('snapshot', 'import', file)).stdout).toContain('is imported');
  expect((await me()).status).toBe(200);
  const missing = await command('snapshot', 'restore', 'nothing');
  expect([missing.code, missing.stderr]).toEqual([1, 'sandpiper: There is no snapshot "nothing". Available: clean.\n']);
  expect((await command('snapshot', 'save')).stderr).toContain('sandpiper snapshot save NAME');
});

test('an import of masked secrets names what got new ones, and env prints the new key', async () => {
  cleanUps.push(() => command('reset'));
  await command('reset', '--empty');
  const { id: companyId } = await control<{ id: string }>('/control/companies', { name: 'Acme' });
  const app = { companyId, kind: 'private', name: 'Audit', scopes: ['subscriptions:read'] };
  await control('/control/apps', app);
  const keyOf = async () => ((await json('env')) as { SANDPIPER_API_KEY: string }).SANDPIPER_API_KEY;
  const before = await keyOf();
  const file = join(data, '..', 'masked.json');
  await command('snapshot', 'export', file);
  await command('reset', '--empty');
  const { stdout } = await command('snapshot', 'import', file);
  expect(stdout).toMatch(/^New secrets, because those in the file are masked: .*credential of the app Audit[,.]/m);
  expect(stdout).toContain('"sandpiper env" prints a key that works now.');
  expect(await keyOf()).not.toBe(before);
  const answer = await fetch(`${served.apiUrl}/me`, { headers: { authorization: `Bearer ${await keyOf()}` } });
  expect(answer.status).toBe(200);
});

test('a merge names what another thing with the same id replaced', async () => {
  await command('reset');
  const file = join(data, '..', 'renamed.json');
  await command('snapshot', 'export', file, '--overwrite');
  const text = readFileSync(file, 'utf8');
  const { name = '' } =
    (JSON.parse(text) as { collections: { apps: readonly { name: string }[] } }).collections.apps[0] ?? {};
  writeFileSync(file, text.replaceAll(`"name": "${name}"`, '"name": "Shop"'));
  const { stdout } = await command('snapshot', 'import', file, '--merge');
  expect(stdout).toContain(`No longer here, because another thing with the same id took its place: App ${name}.`);
});

test('a file that cannot be read or written is one line that says what is wrong with it', async () => {
  const folder = join(data, '..');
  const inNoFolder = join(folder, 'none', 'a.json');
  const noFolder = `sandpiper: ${inNoFolder} cannot be written: there is no folder ${join(folder, 'none')}. Make it, or name another file.\n`;
  expect(await command('snapshot', 'export', inNoFolder)).toMatchObject({ code: 1, stdout: '', stderr: noFolder });
  expect(await command('world', 'save', inNoFolder)).toMatchObject({ code: 1, stdout: '', stderr: noFolder });
  const isFolder = `sandpiper: ${folder} is a folder. Name a file.\n`;
  expect((await command('snapshot', 'export', folder)).stderr).toBe(isFolder);
  expect((await command('snapshot', 'import', folder)).stderr).toBe(isFolder);
  expect((await command('snapshot', 'import', inNoFolder)).stderr).toBe(`sandpiper: There is no file ${inNoFolder}.\n`);
});

test('an import of what is not JSON is one line with the place', async () => {
  const file = join(data, '..', 'broken.json');
  writeFileSync(file, '{"a": 1,\n "b" 2}');
  expect(await command('snapshot', 'import', file)).toMatchObject({
    code: 1,
    stdout: '',
    stderr: `sandpiper: ${file} is not JSON: at line 2, column 6, "2}" is where a colon is expected.\n`,
  });
  // Standard input is empty.
  expect((await run(['snapshot', 'import', '-', '--data', data])).stderr).toBe(
    'sandpiper: Standard input is not JSON: at line 1, column 1, it ends where a value is expected.\n',
  );
});

test.each([
  [Buffer.from('\ufeff{"a":1}', 'utf16le'), 'is UTF-16. Save it as UTF-8.'],
  [Buffer.from('{"a":\n"caf\u00e9"}', 'latin1'), 'is not UTF-8: byte 0xE9 of line 2 is not. Save it as UTF-8.'],
])('a file that is not UTF-8 is refused with that reason, and not read with other characters', async (bytes, says) => {
  const file = join(data, '..', 'other.json');
  writeFileSync(file, bytes);
  const told = { stdout: '', stderr: `sandpiper: ${file} ${says}\n` };
  expect(await command('snapshot', 'import', file)).toMatchObject({ code: 1, ...told });
  expect(await run(['serve', '--memory', '--world', file])).toMatchObject({ code: 2, ...told });
});

test('a file that is too large to be read is refused in one line', async () => {
  const file = join(data, '..', 'large.json');
  writeFileSync(file, '');
  // It takes no room on the disk.
  truncateSync(file, 3 * 1024 ** 3);
  const says = (most: number) =>
    `sandpiper: ${file} has more than ${most} MB, which is the most that is read of such a file.\n`;
  expect((await command('snapshot', 'import', file)).stderr).toBe(says(511));
  expect((await run(['serve', '--memory', '--world', file])).stderr).toBe(says(64));
});

test('listen prints a line for each request as it arrives', async () => {
  const listening = start('listen', '--data', data);
  cleanUps.push(() => listening.process.kill('SIGKILL'));
  await listening.output('Listening at');
  const seen = listening.output('GET /me');
  // The stream may open a moment after the greeting, so requests are sent until one is seen.
  const state = { over: false };
  const finished = seen.finally(() => (state.over = true));
  while (!state.over) {
    await me();
    await Promise.race([finished, new Promise((resolve) => setImmediate(resolve))]);
  }
  expect(await seen).toMatch(/^\d\d:\d\d:\d\d 200 GET \/me {2}\d+ ms$/m);
  listening.process.kill('SIGINT');
  expect((await listening.ended).code).toBe(0);
});

test('listen prints the deliveries after a reset, which have the ids of those before it', async () => {
  const listening = start('listen', '--data', data);
  cleanUps.push(() => listening.process.kill('SIGKILL'));
  const trigger = async (type: string): Promise<string | undefined> =>
    /dlv_\w+/.exec((await command('trigger', type, '--to', 'http://127.0.0.1:9/', '--json')).stdout)?.[0];
  // The stream may open a moment after the greeting.
  await listening.output('Listening at');
  const opened = listening.output('email.opened failed');
  const state = { over: false };
  const seen = opened.finally(() => (state.over = true));
  while (!state.over) {
    await trigger('email.opened');
    await Promise.race([seen, new Promise((resolve) => setImmediate(resolve))]);
  }
  await command('reset');
  const id = await trigger('sms.sent');
  await listening.output('sms.sent failed');
  await command('reset');
  expect(await trigger('email.sent')).toBe(id);
  expect(await listening.output('email.sent failed')).toMatch(/→ email\.sent failed http:\/\/127\.0\.0\.1:9\/ /);
});

test('doctor finds the running emulator, and says so', async () => {
  const { code, stdout } = await command('doctor');
  expect(code).toBe(0);
  expect(stdout).toContain(`serves ${served.apiUrl}`);
});

test('beside a running emulator doctor looks at another port that is typed', async () => {
  expect((await command('doctor', '--port', '0')).stdout).toContain('--port: A start chooses any free port.');
  const [own, taken] = [new URL(served.apiUrl).port, new URL(served.inspectorUrl).port];
  expect((await command('doctor', '--port', own)).stdout).not.toContain('--port: ');
  expect((await command('doctor', '--port', taken, '--inspector-port', own)).code).toBe(0);
});

test.for([
  ['below a file', (file: string) => join(file, 'state'), / data: \S+notes\.txt is a file, not a folder\. /],
  ['in a folder of the system', () => '/proc/sandpiper', / cannot be made: /],
] as const)('doctor says of a data folder %s that it cannot be made', async ([, toFolder, says]) => {
  const file = join(data, '..', 'notes.txt');
  writeFileSync(file, '');
  const folder = toFolder(file);
  const { code, stdout } = await runHere('doctor', '--data', folder, '--port', '0', '--inspector-port', '0');
  expect([code, stdout]).toEqual([1, expect.stringContaining('PROBLEM data: ')]);
  expect(stdout).toMatch(says);
});

test('doctor finds a port that is in use', async () => {
  const { port } = new URL(served.authUrl);
  const { code, stdout } = await runHere(
    'doctor',
    '--data',
    join(data, 'elsewhere'),
    '--port',
    port,
    '--inspector-port',
    '0',
  );
  expect(code).toBe(1);
  expect(stdout).toContain(`PROBLEM --port: Port ${port} on 127.0.0.1 is in use`);
});

test('a command without a running emulator says what to do', async () => {
  const ended = await runHere('env', '--data', join(data, 'elsewhere'));
  expect([ended.code, ended.stderr]).toEqual([
    1,
    expect.stringMatching(/^sandpiper: No Sandpiper serves the data folder .*"sandpiper serve"/),
  ]);
  const gone = await runHere('env', '--url', 'http://127.0.0.1:9', '--token', 'x');
  expect([gone.code, gone.stderr]).toEqual([1, expect.stringContaining('No Sandpiper answers at http://127.0.0.1:9')]);
});

test('exec gives a command its own emulator and passes the exit code on', async () => {
  const script =
    'fetch(process.env.SANDPIPER_API_URL + "/me", { headers: { authorization: "Bearer " + process.env.SANDPIPER_API_KEY } }).then((answer) => process.exit(answer.status === 200 ? 42 : 1))';
  expect((await run(['exec', '--', process.execPath, '-e', script])).code).toBe(42);
  expect((await run(['exec', '--', process.execPath, '-e', ''])).code).toBe(0);
  const missing = await run(['exec', '--', 'no-such-program-here']);
  expect([missing.code, missing.stderr]).toEqual([127, expect.stringContaining('There is no command')]);
  expect((await run(['exec', process.execPath, '--version'])).stdout).toBe(`${process.version}\n`);
});

test('exec says in one line that a command cannot be run', async () => {
  const noProgram = join(import.meta.dirname, 'commands.test.ts/x');
  expect(await run(['exec', '--', noProgram])).toMatchObject({
    code: 126,
    stderr: `sandpiper: The command "${noProgram}" cannot be run: spawn ENOTDIR.\n`,
  });
  const folder = join(data, '..');
  const plain = join(folder, 'plain');
  writeFileSync(plain, 'true');
  for (const [program, why] of [
    [folder, 'it is a folder.'],
    [plain, `it is not executable. "chmod +x ${plain}" makes it so.`],
  ] as const)
    expect(await run(['exec', '--', program])).toMatchObject({
      code: 126,
      stderr: `sandpiper: The command "${program}" cannot be run: ${why}\n`,
    });
  expect(await run(['exec', '--', ''])).toMatchObject({
    code: 2,
    stderr:
      'sandpiper: The command is an empty text. Write its name after --, such as npm test. See "sandpiper exec --help".\n',
  });
});

test('a client that waits for exactly validated finishes under exec', async () => {
  const script = `
    const { SANDPIPER_API_URL: api, SANDPIPER_API_KEY: key } = process.env;
    const headers = { authorization: 'Bearer ' + key, 'content-type': 'application/json' };
    const call = async (path, init) => (await fetch(api + path, { headers, ...init })).json();
    const { uploadId, uploadUrl } = await call('/product-catalog/uploads', { method: 'POST', body: '{"validateOnly":false}' });
    await fetch(uploadUrl, { method: 'PUT', body: 'no json' });
    for (let polls = 0; polls < 40; polls += 1) {
      await new Promise((resolve) => setTimeout(resolve, 250));
      const { status, errors } = await call('/product-catalog/uploads/' + uploadId);
      if (errors.length > 0 && status === 'validated') process.exit(7);
    }`;
  const { code, stderr } = await run(['exec', '--', process.execPath, '--input-type=module', '-e', script]);
  expect([code, stderr]).toEqual([7, '']);
});

test('the token of a running emulator is readable only by its user, and is removed with it', async () => {
  const { statSync, existsSync } = await import('node:fs');
  expect(statSync(join(data, 'control.json')).mode & 0o777).toBe(0o600);
  const own = join(data, '..', 'own');
  await stop(await serve(['--data', own]));
  expect(existsSync(join(own, 'control.json'))).toBe(false);
});

test('advance reports what fell due in the terms of the inspector, with equal entries counted', async () => {
  await command('reset');
  await command('pace', 'realistic');
  for (const event of ['email.opened', 'email.opened', 'sms.sent'])
    await command('trigger', event, '--to', await deadWebhook());
  const { stdout } = await command('advance', '2m');
  expect(stdout).toMatch(/^It is .* UTC, 2m\d*s? ahead of real time\.$/m);
  expect(stdout).toMatch(/^ *\d+ × Retry of email\.opened$/m);
  expect(stdout).toContain('"sandpiper advance --rewind"');
  expect(stdout).not.toContain('dlv_');
});

async function control<T>(path: string, body?: unknown): Promise<T> {
  const answer = await fetch(served.inspectorUrl + path, {
    headers: { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
  return (await answer.json()) as T;
}

test('clock and advance count all of very many things, also those that no list has', async () => {
  await command('reset');
  await command('freeze');
  const to = await deadWebhook();
  for (const [type, count] of [
    ['email.opened', 80],
    ['sms.sent', 40],
  ] as const)
    await Promise.all(Array.from({ length: count }, () => control('/control/trigger', { type, to })));
  expect((await command('clock')).stdout).toMatch(/^ {2}and 110 more$/m);
  const { stdout } = await command('advance', '1d');
  const [, opened, sent] = /(\d+) × Retry of email\.opened\n *(\d+) × Retry of sms\.sent\n/.exec(stdout) ?? [];
  expect(Number(opened)).toBeGreaterThan(600);
  expect(Number(opened)).toBe(2 * Number(sent));
  expect(stdout).toContain(`\n${Number(opened) + Number(sent)} things fell due:\n`);
  expect(stdout).not.toMatch(/and \d+ more/);
  await command('reset');
});

test('an advance names the receivers that it did not wait for', async () => {
  await command('reset');
  const hanging = createServer(() => {}).listen(0, '127.0.0.1');
  await once(hanging, 'listening');
  cleanUps.push(
    () => hanging.closeAllConnections(),
    () => hanging.close(),
  );
  const to = `http://127.0.0.1:${(hanging.address() as AddressInfo).port}/`;
  await Promise.all([1, 2].map(() => control('/control/trigger', { type: 'sms.sent', to })));
  const { stdout } = await command('advance', '1d');
  expect(stdout).toContain(`\n2 deliveries still wait for ${to}, which answers slowly.\n`);
  await command('reset');
});

test('Ctrl+C stops an advance where it came to, and says so', async () => {
  await command('reset');
  await command('freeze');
  const to = await deadWebhook();
  await Promise.all(Array.from({ length: 300 }, () => control('/control/trigger', { type: 'sms.sent', to })));
  const before = (await control<{ now: string }>('/control/clock')).now;
  const advancing = start('advance', '30d', '--json', '--data', data);
  const isUnderWay = async () => (await control<{ jump: unknown }>('/control/clock')).jump !== null;
  while (!(await isUnderWay())) await new Promise((resolve) => setImmediate(resolve));
  advancing.process.kill('SIGINT');
  const { code, stdout } = await advancing.ended;
  const { stopped, now } = JSON.parse(stdout) as { stopped: boolean; now: string };
  expect([code, stopped]).toEqual([130, true]);
  expect(Date.parse(now) - Date.parse(before)).toBeLessThan(30 * 86_400_000);
  expect((await control<{ now: string }>('/control/clock')).now).toBe(now);
  await command('reset');
});

/** A webhook whose receiver replies with 500, so that its deliveries are retried. */
async function deadWebhook(): Promise<string> {
  const server = createServer((_, response) => response.writeHead(500).end()).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  cleanUps.push(() => server.close());
  const made = await fetch(`${served.apiUrl}/webhooks`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({
      url: `http://127.0.0.1:${(server.address() as { port: number }).port}/`,
      events: ['email.opened', 'sms.sent'],
    }),
  });
  return ((await made.json()) as { id: string }).id;
}

test('a list with nothing in it says what fills it, or that its filter fits nothing', async () => {
  const fresh = await serve();
  cleanUps.push(() => stop(fresh));
  const at = ['--url', fresh.inspectorUrl, '--token', fresh.token];
  const said = async (...args: readonly string[]) => {
    const { stdout, stderr } = await runHere(...args, ...at);
    return stdout + stderr;
  };
  expect(await said('deliveries')).toBe(
    'No webhook was sent yet. "sandpiper trigger email.opened --to URL" sends one.\n',
  );
  expect(await said('deliveries', '--state', 'failed')).toBe(
    'No delivery matches. "sandpiper deliveries" lists all.\n',
  );
  expect(await said('messages')).toBe('No message was sent yet. "sandpiper compose" sends one.\n');
  expect(await said('messages', '--phone', '+15555550199')).toContain('No message was sent to +15555550199.');
  expect(await said('logs')).toBe('No request is recorded yet. "sandpiper env" prints where to send one.\n');
  expect(await said('explain', '--last')).toContain(
    'No request is recorded yet. "sandpiper env" prints where to send one.',
  );
  expect(await said('explain', '--refused')).toContain('No refused request is recorded. "sandpiper logs" lists all.');
  expect(await said('logs', '--filter', 'status:5xx')).toContain('No recorded request fits status:5xx.');
  expect(await said('logs', '--json')).toBe('');
});

test('the clock is frozen, resumed, and accelerated', async () => {
  expect((await command('freeze')).stdout).toMatch(/and the clock is frozen\.$/m);
  expect(await json('clock')).toMatchObject({ mode: 'frozen' });
  expect((await command('freeze', '--off')).stdout).toMatch(/^The clock runs again\. /);
  expect((await command('rate', '60')).stdout).toMatch(/^Time passes 60 times as fast/);
  expect(await json('clock')).toMatchObject({ rate: 60 });
  expect((await command('advance', '--real')).stdout).toMatch(/real time\.$/m);
  expect((await command('rate', 'fast')).code).toBe(2);
});

test('a message is composed, listed, and gets a reply', async () => {
  await command('reset');
  const { id } = (await json('compose', 'Sale: https://shop.example.com/deals', '--phone', '+15555550100')) as {
    id: string;
  };
  expect((await command('messages', '--phone', '+15555550100')).stdout).toMatch(
    new RegExp(`${id}  .*\\(1 part in GSM-7, link 0: https://shop.example.com/deals\\)`),
  );
  expect((await command('act', id, 'click')).stdout).toContain('Published: sms.message_link_click.');
  expect((await command('act', id, 'reply', '--text', 'STOP')).stdout).toContain(
    'Published: sms.unsubscribed, sms.sent.',
  );
  const wordless = await command('act', id, 'reply');
  expect([wordless.code, wordless.stderr]).toEqual([2, expect.stringContaining('--text')]);
  expect((await command('compose', 'Hello')).code).toBe(2);
});

test('a phone in another form than E.164 is told the form in which it is known', async () => {
  await command('reset');
  const meant = /\. Did you mean \+15555550100\?/;
  expect((await command('explain', '--person', '5555550100')).stdout).toMatch(meant);
  expect((await command('messages', '--phone', '+1 (555) 555-0100')).stdout).toMatch(meant);
  expect((await command('trigger', 'sms.sent', '--phone', '5555550100')).stderr).toMatch(meant);
  expect((await command('compose', 'Hi', '--phone', '1 555 555 0100')).stderr).toMatch(meant);
  expect((await command('explain', '--person', '+15559999999')).stdout).not.toMatch(meant);
  expect((await command('trigger', 'sms.sent', '--phone', '555 999 9999')).stderr).not.toContain('Did you mean');
});

test('a delivery is sent again with its event id, and a key is rotated', async () => {
  await command('reset');
  const { url, received } = await receiver();
  const made = await fetch(`${served.apiUrl}/webhooks`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['email.opened'] }),
  });
  const { id } = (await made.json()) as { id: string };
  await command('trigger', 'email.opened', '--email', 'ada@example.com', '--wait');
  const delivery = /^(dlv_\d+)/.exec((await command('deliveries')).stdout)?.[1] ?? '';
  expect((await command('redeliver', delivery)).stdout).toMatch(/^dlv_\d+ {2}\S+ → email\.opened delivered 200/);
  await expect.poll(() => received.length).toBe(2);
  expect(new Set(received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
  expect((await command('rotate', id, '--overlap', '0s')).stdout).toMatch(/new signing key: \S+\n$/);
  expect((await command('rotate', id, '--overlap', '1h')).stdout).toMatch(
    /has a new signing key: \S+\nThe old key signs too until .*\n.*must have the new key at once/,
  );
  const unknown = await command('redeliver', 'dlv_999');
  expect([unknown.code, unknown.stderr]).toEqual([
    1,
    'sandpiper: There is no delivery dlv_999. "sandpiper deliveries" lists them.\n',
  ]);
});

test('the gym reports how often each event was accepted; the built-in receiver shows what it received', async () => {
  const { url } = (await json('receiver')) as { url: string };
  const { stdout, code } = await command('gym', url, '--count', '3', '--seed', '7');
  expect(code).toBe(0);
  expect(stdout).toContain('3 events in ');
  expect(stdout).toContain('The receiver accepted every event at least once.');
  expect((await command('receiver')).stdout).toMatch(/answered 200: \{"type":/);
  expect((await command('receiver', '--status', '500')).stdout).toContain('answers 500');
  expect((await command('gym', url, '--count', '2')).code).toBe(1);
  expect((await command('receiver', '--off')).stdout).toBe('The receiver is stopped.\n');
});

test('records are shown by kind and by id', async () => {
  await command('reset');
  expect((await command('records')).stdout).toMatch(/^privacy-requests +privacy requests$/m);
  expect((await command('records', 'offers')).stdout).toContain('54100  Winter welcome  ACTIVE\n');
  expect((await command('records', 'users')).stdout).toContain('  +15555550100, ada@example.com\n');
  const offer = (await command('records', 'offers', '54100')).stdout;
  expect(offer).toMatch(/^It is ACTIVE\. Moves:\n {2}codesReceived → SYNCING {2}not now: /);
  expect(await json('records', 'offers', '54100')).toMatchObject({ record: { id: '54100' } });
  const unknown = await command('records', 'offres');
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('offers')]);
});

test('listen prints each attempt of a delivery once, with the state that it led to', async () => {
  await command('reset');
  const listening = start('listen', '--data', data);
  cleanUps.push(() => listening.process.kill('SIGKILL'));
  await listening.output('Listening at');
  const { url } = await receiver();
  // The stream may open a moment after the greeting, so events are fired until one is seen.
  const state = { over: false };
  const first = listening.output('delivered 200').finally(() => (state.over = true));
  while (!state.over) {
    await command('trigger', 'email.opened', '--email', 'ada@example.com', '--to', url);
    await Promise.race([first, new Promise((resolve) => setImmediate(resolve))]);
  }
  await command('trigger', 'sms.sent', '--phone', '+15555550100', '--to', 'http://127.0.0.1:9/');
  const output = await listening.output('sms.sent failed');
  const lines = output.split('\n').filter((line) => line.includes('→ '));
  expect(lines.filter((line) => / (?:queued|delivering) /.test(line))).toEqual([]);
  expect(lines.filter((line) => line.includes('sms.sent'))).toHaveLength(1);
});

test('doctor says of a path that is too long only that no folder can have it', async () => {
  const path = join(tmpdir(), 'x'.repeat(300));
  const { code, stdout } = await runHere('doctor', '--data', path, '--port', '0', '--inspector-port', '0');
  expect(code).toBe(1);
  expect(stdout).toContain('too long');
  expect(stdout).toContain('ok      running: No Sandpiper serves this folder.');
});

test('a data folder that is a file is one line of doctor', async () => {
  const file = join(data, '..', 'notes.txt');
  writeFileSync(file, '');
  const { code, stdout, stderr } = await runHere('doctor', '--data', file, '--port', '0', '--inspector-port', '0');
  expect([code, stderr]).toEqual([1, '']);
  expect(stdout).toContain(`PROBLEM data: ${file} is a file, not a folder. Choose a folder with --data.`);
  expect((await runHere('clock', '--data', file)).stderr).toMatch(/^sandpiper: No Sandpiper serves/);
});

test('a data folder that another process has locked is one line of doctor, even if it does not answer as a Sandpiper', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-held-'));
  const holder = await serve(['--data', folder]);
  cleanUps.push(
    () => stop(holder),
    () => rmSync(folder, { recursive: true, force: true }),
  );
  // As where an older Sandpiper serves the folder.
  rmSync(join(folder, 'control.json'));
  expect(await runHere('doctor', '--data', folder, '--port', '0', '--inspector-port', '0')).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(
      `PROBLEM running: The data folder ${folder} is in use by process ${holder.process.pid}. Stop it,`,
    ) as string,
  });
});

test('a Sandpiper that takes the connection and does not answer is one line of doctor, with advice that doctor takes', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-silent-'));
  const silent = createServer();
  await new Promise<void>((ready) => silent.listen(0, '127.0.0.1', ready));
  cleanUps.push(
    () => silent.close(),
    () => rmSync(folder, { recursive: true, force: true }),
  );
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
  const instance = { apiUrl: url, inspectorUrl: url, localInspectorUrl: url, token: 'any', pid: 4711 };
  writeFileSync(join(folder, 'control.json'), JSON.stringify(instance));
  const { code, stdout } = await runHere('doctor', '--data', folder, '--port', '0', '--inspector-port', '0');
  expect([code, stdout]).toEqual([1, expect.stringContaining(`PROBLEM running: ${url} takes too long to answer. `)]);
  expect(stdout).toContain('as process 4711: let it go on if it is stopped, or choose another folder with --data.\n');
  expect(stdout).not.toContain('--url');
});

test('a data folder that is a link to nothing is one line of doctor and of a start', async () => {
  const link = join(data, '..', 'unmounted');
  symlinkSync('/nowhere/disk', link);
  const folder = join(link, 'data');
  const says = `${link} is a link to /nowhere/disk, which does not exist`;
  const looked = await runHere('doctor', '--data', folder, '--port', '0', '--inspector-port', '0');
  expect(looked.stdout).toContain(`PROBLEM data: ${folder} cannot be made: ${says}. Make that one, or choose`);
  const started = await run(['serve', '--data', folder, '--port', '0', '--inspector-port', '0']);
  expect(started.stderr).toContain(`The data folder ${folder} cannot be made (${says}). Make that one, choose`);
});

test('where the running emulator is, and that this user may not read it, is one line', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-unreadable-'));
  cleanUps.push(() => rmSync(folder, { recursive: true }));
  // A file that leads to itself can be read by no one, not even by root.
  symlinkSync('control.json', join(folder, 'control.json'));
  const says = `${join(folder, 'control.json')}, which says where the Sandpiper of that folder is, cannot be read (ELOOP). If it is another user's, name another folder with --data, or that Sandpiper with --url and the link that it printed.`;
  const clock = await runHere('clock', '--data', folder);
  expect([clock.code, clock.stderr]).toEqual([1, `sandpiper: ${says}\n`]);
  const doctor = await runHere('doctor', '--data', folder, '--port', '0', '--inspector-port', '0');
  expect(doctor.stdout).toContain(`PROBLEM running: ${says}`);
});

test('doctor says that one number cannot be both ports', async () => {
  const { code, stdout } = await runHere(
    'doctor',
    '--data',
    join(data, '..', 'none'),
    '--port',
    '5',
    '--inspector-port',
    '5',
  );
  expect(code).toBe(1);
  expect(stdout).toContain('PROBLEM ports: --port and --inspector-port are both 5, but each needs a port of its own.');
  expect(stdout).not.toContain('is free');
});

/** A line for each command that talks to an emulator; with --json each prints JSON only. */
const lines = (file: (name: string) => string, url: string): readonly (readonly string[])[] => [
  ['compose', 'Hi', '--phone', '+15555550100'],
  ['messages'],
  ['logs'],
  ['explain', '--last'],
  ['ready'],
  ['env'],
  ['clock'],
  ['advance', '1m'],
  ['freeze'],
  ['rate', '2'],
  ['pace', 'manual'],
  ['trigger', 'email.opened', '--to', url],
  ['deliveries'],
  ['redeliver', '--failed'],
  ['gym', url, '--count', '1'],
  ['receiver', '--off'],
  ['fault', 'GET /me', '--status', '503'],
  ['limits', 'off'],
  ['records'],
  ['records', 'users'],
  ['snapshot', 'list'],
  ['world', 'save', file('world.yaml')],
  ['undo'],
  ['redo'],
  ['reset'],
];

/** Those that print nothing else, or take an id; their JSON is tested above and elsewhere. */
const others = ['listen', 'mcp', 'enable', 'rotate', 'act', 'fire'];

test('every command that talks to an emulator prints JSON, and nothing else, with --json', async () => {
  const fresh = await serve();
  cleanUps.push(() => stop(fresh));
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-json-'));
  cleanUps.push(() => rmSync(folder, { recursive: true, force: true }));
  await fetch(`${fresh.apiUrl}/me`);
  const { url } = await receiver();
  const tried = lines((name) => join(folder, name), url);
  for (const line of tried) {
    const at = ['--url', fresh.inspectorUrl, '--token', fresh.token, '--json'];
    const { stdout, stderr, code } = await run([...line, ...at]);
    expect([line, stderr, code]).toEqual([line, '', 0]);
    for (const one of stdout.trimEnd().split('\n')) expect(() => JSON.parse(one) as unknown, one).not.toThrow();
  }
  const talking = createProgram(new URL('file:///no-worker.js'), process)
    .commands.filter(
      ({ options }) => options.some(({ long }) => long === '--json') && options.some(({ long }) => long === '--url'),
    )
    .map((one) => one.name());
  expect(
    talking.filter((name) => !others.includes(name)).toSorted(),
    'Add a row to "lines" of test/cli/commands.test.ts for each command that is missing',
  ).toEqual([...new Set(tried.map(([name]) => name))].toSorted());
});
