import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { command as runHere } from '../support/command.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await startSandbox();
});
afterAll(() => sandbox.close());

const at = (url: string, ...words: readonly string[]) =>
  runHere(...words, '--url', url, '--token', sandbox.emulator.token);
const command = (...words: readonly string[]) => at(sandbox.emulator.inspectorUrl, ...words);

/** A server that answers everything like this, as one of a web application does; gone after the work. */
async function withOtherServer(answer: RequestListener, work: (url: string) => Promise<void>): Promise<void> {
  const server = createServer(answer);
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  } finally {
    server.closeAllConnections();
    await new Promise((ended) => server.close(ended));
  }
}

test('a command that is sent to another server, or to the emulated API, says in one line what answered', async () => {
  for (const [status, type, body] of [
    [200, 'text/html', '<html>My shop</html>'],
    [404, 'text/html', '<html>My shop</html>'],
    [200, 'application/json', '{"shop":"open"}'],
    [200, 'application/json', 'null'],
    [204, 'text/plain', ''],
    [404, 'application/json', '{"message":"no route"}'],
  ] as const)
    await withOtherServer(
      (_request, response) => response.writeHead(status, { 'content-type': type }).end(body),
      async (url) => {
        for (const words of [['clock'], ['records', 'offers'], ['undo', '--list'], ['listen'], ['ready']])
          expect(await at(url, ...words)).toMatchObject({
            code: 1,
            stdout: '',
            stderr: `sandpiper: What answers at ${url} is not the inspector of a Sandpiper, or of an older one (status ${status}). "sandpiper serve" prints its address.\n`,
          });
      },
    );
  const { apiUrl, inspectorUrl } = sandbox.emulator;
  const api = apiUrl.replace(/\/v1$/, '');
  expect(await at(api, 'clock')).toMatchObject({
    code: 1,
    stderr: `sandpiper: ${api} is the emulated API. Its inspector is at ${inspectorUrl}.\n`,
  });
});

test('ready --wait ends in time at a server that takes the connection and never answers', async () => {
  await withOtherServer(
    () => undefined,
    async (url) => {
      expect(await at(url, 'ready', '--wait', '200ms')).toMatchObject({
        code: 1,
        stdout: '',
        stderr: `sandpiper: ${url} takes too long to answer: the Sandpiper there is stopped or too busy, or it is another server. Let it go on, or name another with --url and --token.\n`,
      });
    },
  );
});

test('a server that does not speak HTTP, or does not answer, is reported with the reason', async () => {
  const server = createTcpServer((socket) => void socket.end('SSH-2.0-OpenSSH\r\n'));
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void server.close());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const [asked, why] of [
    [url, /\(Parse Error: Expected HTTP/],
    ['http://nowhere.invalid:4748', /\(getaddrinfo E\w+ nowhere\.invalid\)\. Start one/],
  ] as const)
    expect((await at(asked, 'clock')).stderr).toMatch(why);
});

test('a server that is gone in the middle of an answer is reported, and ends what listens', async () => {
  const server = createServer((request, response) => {
    const isStream = request.url?.endsWith('/stream');
    response.writeHead(200, {
      'content-type': isStream ? 'text/event-stream' : 'application/json',
      'x-sandbox-version': '0.1.0',
    });
    if (request.url?.endsWith('/health')) response.end('{}');
    else response.write(isStream ? ': hello\n\n' : '{"now":', () => response.destroy());
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    expect(await at(url, 'clock')).toMatchObject({
      code: 1,
      stderr: `sandpiper: The Sandpiper at ${url} ended before it had answered.\n`,
    });
    for (const words of [['listen'], ['listen', '--json']])
      expect(await at(url, ...words)).toMatchObject({
        code: 1,
        stderr: `sandpiper: The connection to the Sandpiper at ${url} was lost.\n`,
      });
  } finally {
    await new Promise((ended) => server.close(ended));
  }
});

test('--url takes the link that serve prints, and nothing that is not an address', async () => {
  const { inspectorUrl, token } = sandbox.emulator;
  expect((await runHere('ready', '--url', `${inspectorUrl}/#token=${token}`)).stdout).toContain('Ready: ');
  for (const wrong of ['127.0.0.1:4748', 'localhost', 'ftp://127.0.0.1', 'http://'])
    expect(await at(wrong, 'clock')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`such as http://127.0.0.1:4748, not "${wrong}".`) as string,
    });
});

const misuses: readonly (readonly [words: readonly string[], says: string])[] = [
  [['fault', '--status', '500'], 'Name the operation that fails, such as "POST /subscriptions", or "*" for any.'],
  [['fault', '*', '--after', '--times', '2'], 'Say how it fails: --status, --delay, --cut or --reset.'],
  [
    ['fault', '*', '--status', '503', '--reset'],
    '--status: A reset connection has no status. Leave out either the reset or the status 503.',
  ],
  [['fault', '*', '--clear'], '--clear takes the id of a fault, which "sandpiper fault" lists, and no operation.'],
  [['fault', '--clear', '--status', '500'], '--clear cannot be used with --status.'],
  [
    ['fault', '--clear', 'GET /me'],
    '--clear takes the id of a fault, which "sandpiper fault" lists, and no operation.',
  ],
  [['fault', '--cut', 'half', 'GET /me'], '--cut takes a whole number, not "half".'],
  [['receiver', '--delay', 'soon'], '--delay: "soon" is not a duration; write it like 30d,'],
  [['receiver', '--delay', '1M'], '--delay: "1M" is not a duration; M may be minutes or months.'],
  [['trigger', 'sms.sent', '--wait', '1M'], '--wait: "1M" is not a duration; M may be minutes or months.'],
  [['trigger', 'sms.sent', '--reach', 'private'], '--reach needs --to with a URL: a webhook has its own reach.'],
  [['explain', '--last', '--refused'], 'Name one request, or ask for the newest one with --last,'],
  [['explain', 'req_1', '--person', '+15555550100'], 'Name one request, or ask for the newest one with --last,'],
  [['messages', '--phone', ''], '"" is not possible for --phone. Give it a value, or leave it out.'],
  [['compose', 'Hello', '--email', ' ', '--subject', 'News'], '" " is not possible for --email.'],
  [['trigger', 'sms.sent', '--phone', ''], '"" is not possible for --phone.'],
  [['redeliver', '--failed', 'dlv_1'], '--failed sends all that failed, so it takes no id.'],
  [['undo', '--list', 'x'], '--list shows all changes, so it takes no id.'],
  [['receiver', '--off', '--status', '500'], '--off cannot be used with --status.'],
  [['trigger', 'email.opened', '--dry-run', '--wait'], '--dry-run cannot be used with --wait.'],
  [['trigger', 'email.opened', '--phone', '+15555550100', '--email', 'a@b.c'], '--phone cannot be used with --email.'],
  [['reset', '--demo', '--empty'], '--demo cannot be used with --empty.'],
  [['messages', '--phone', '+15555550100', '--email', 'ada@example.com'], '--phone cannot be used with --email.'],
  [['compose', 'Hello', '--phone', '+15555550100', '--subject', 'News'], '--phone cannot be used with --subject.'],
  [['compose', 'Hello', '--email', 'ada@example.com'], 'An email needs a subject, such as --subject "News".'],
  [['act', 'any', 'reply'], 'A reply needs its words, such as --text STOP.'],
  [['act', 'any', 'open', '--text', 'STOP'], '--text is for a reply, not for open.'],
  [['act', 'any', 'reply', '--text', 'STOP', '--link', '0'], '--link is for a click, not for reply.'],
  [['snapshot', 'save'], 'A word is missing. Write "sandpiper snapshot save NAME".'],
  [['snapshot', 'list', 'one'], 'There are too many words. Write "sandpiper snapshot list".'],
  [['snapshot', 'restore', 'one', 'two'], 'There are too many words. Write "sandpiper snapshot restore NAME".'],
  [['snapshot', 'save', 'one', '--merge'], '"snapshot save" takes no --merge.'],
  [['logs', '--limit', '100000'], 'It takes a whole number from 1 to 99999.'],
];

test.each(misuses)('%j is refused before anything is done', async (words, says) => {
  const { code, stdout, stderr } = await command(...words);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(says);
  expect(stderr.replaceAll(/\s+/g, ' ')).toContain(`See "sandpiper ${words[0]} --help".`);
  const { body: faults } = await sandbox.control('GET', '/control/faults');
  expect(faults).toMatchObject({ faults: [] });
});

test('a file that is there is written over only with --overwrite', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'sandpiper-overwrite-'));
  try {
    for (const { name, words } of [
      { name: 'state.json', words: ['snapshot', 'export'] },
      { name: 'world.yaml', words: ['world', 'save'] },
    ]) {
      const file = join(folder, name);
      writeFileSync(file, 'mine');
      expect(await command(...words, file)).toMatchObject({
        code: 1,
        stderr: `sandpiper: There is a file ${file} already. Choose another name, or add --overwrite.\n`,
      });
      expect(readFileSync(file, 'utf8')).toBe('mine');
      expect((await command(...words, file, '--overwrite')).stdout).toContain(`Written to ${file}`);
      expect(readFileSync(file, 'utf8')).not.toBe('mine');
    }
    const file = join(folder, 'catalog.jsonl');
    writeFileSync(file, 'mine');
    expect((await runHere('catalog', 'generate', '--out', file)).stderr).toContain('add --overwrite');
    expect(readFileSync(file, 'utf8')).toBe('mine');
    expect((await runHere('catalog', 'generate', '--out', file, '--overwrite')).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(/^\{/);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('an unknown word of help gets a name that is like it, or some of those that there are', async () => {
  expect((await runHere('help', 'snapshots')).stderr).toContain('Did you mean "snapshot"? See');
  expect((await runHere('help', 'foo')).stderr).toMatch(
    /There is no command foo\. Often used: serve, \w+(?:, \w+){3}\. See "sandpiper --help"/,
  );
});

test('an option that takes several values leaves the argument after it alone', async () => {
  const set = ['--set', 'subscription.type=TRANSACTIONAL', '--set', 'subscriber.external_id=7'];
  const line = [...set, 'sms.subscribed', '--phone', '+15555550100', '--dry-run', '--json'];
  const fired = JSON.parse((await command('trigger', ...line)).stdout) as { body: string };
  expect(JSON.parse(fired.body)).toMatchObject({
    subscription: { type: 'TRANSACTIONAL' },
    subscriber: { external_id: 7 },
  });
  const { url } = JSON.parse((await command('receiver', '--json')).stdout) as { url: string };
  const few = await command('gym', '--count', '1', '--acts', 'delay,duplicate', '--acts', 'cut', url);
  expect(few.stdout).toMatch(/^1 event in \d+ requests \(.*\), seed 1:\n/);
  expect(few.stdout.split('\n')[0]).toMatch(/(?=.*delay)(?=.*duplicate)(?=.*cut)/);
  await command('receiver', '--off');

  const cut = await command('fault', '--cut', 'GET /me', '--json');
  expect(JSON.parse(cut.stdout)).toMatchObject({ operation: 'GET /me', cut: true });
  await command('fault', '--clear', (JSON.parse(cut.stdout) as { id: string }).id);
});

test('the receiver and a fault take a delay as a duration, or as milliseconds', async () => {
  expect((await command('receiver', '--delay', '2s')).stdout).toContain('answers 200 after 2000 ms.');
  expect((await command('receiver', '--delay', '20')).stdout).toContain('answers 200 after 20 ms.');
  await command('receiver', '--off');
});

test('a text to a person who is not subscribed is refused with the option that sends it all the same', async () => {
  await sandbox.control('POST', '/control/reset', { world: 'demo' });
  const none = await command('compose', 'Hello', '--email', 'mary@example.com', '--subject', 'Hello');
  expect(none).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('or force it. Here that is --force.\n') as string,
  });
});

test('a snapshot is exported to standard output as -, and a copy of a catalog is not', async () => {
  const { stdout, stderr, code } = await command('snapshot', 'export', '-');
  expect([code, stderr]).toEqual([0, '']);
  expect(JSON.parse(stdout)).toMatchObject({ format: expect.any(Number) as number });
  const generated = await runHere('catalog', 'generate', '--products', '1', '--variants', '1', '--out', '-');
  expect(JSON.parse(generated.stdout)).toBeTypeOf('object');
  expect(await runHere('catalog', 'fix', 'any', '--out', '-')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--out names the file of the copy;') as string,
  });
});

test.for([
  [['receiver', '--status', '99'], '--status must be a whole number from 200 to 599, not 99.'],
  [['receiver', '--connection', 'lost'], '"lost" is not possible for --connection. Choose one of: answered, reset, '],
  [['receiver', '--delay', '99d'], '--delay: the receiver waits at most 1m, not 99d.'],
  [['receiver', '--delay', '60001'], '--delay: the receiver waits at most 1m, not 60001.'],
  [['gym', 'http://127.0.0.1:9/', '--count', '0'], '--count must be a whole number from 1 to 200, not 0.'],
  [
    ['gym', 'http://127.0.0.1:9/', '--count', '1', '--acts', 'reorder'],
    '--count: "reorder" needs at least 2 events, and 1 is sent.',
  ],
  [['gym', 'http://127.0.0.1:9/', '--acts', 'bogus'], '--acts must be one of "duplicate", '],
  [['gym', 'http://127.0.0.1:9/', '--types', 'email.open'], '--types must be one of "sms.subscribed", '],
  [['advance', 'foo'], '<duration>: "foo" is not a duration; '],
  [['advance', '99999999999d'], '<duration>: "99999999999d" is too long: no date is so far away.'],
  [
    ['advance', '99999999d'],
    '<duration>: Time cannot go so far: the last moment that a date can show is +275760-09-13T',
  ],
  [['advance', '--to', '2027-01-01'], '--to: "2027-01-01" has no time of day. Write it like 2027-01-01T00:00:00Z.'],
  [['advance', '--to', 'foo'], '--to: "foo" is not an ISO 8601 time '],
  [['rate', '0'], '<number>: Time cannot run at rate 0; '],
  [['trigger', 'email.open'], '<event> must be one of "sms.subscribed", '],
  [['fault', 'GET /me', '--status', '200'], '--status must be a whole number from 400 to 599, '],
  [['fault', 'GET /me', '--status', '503', '--times', '0'], '--times must be a whole number from 1 '],
  [
    ['fault', 'subscribe', '--status', '503'],
    '<operation>: There is no operation "subscribe". "*" means any. Operations: ',
  ],
  [['fault', 'GET /me', '--delay', 'foo'], '--delay must be milliseconds or a duration such as 2s'],
  [['logs', '--filter', 'status:9xx'], '--filter status: "9xx" is not a status. Write one, such as 404, or a class '],
  [['records', 'bogus'], '<kind>: There are no records of kind "bogus".'],
] as const)('%j is wrong usage, told in the words of the line', async ([words, says]) => {
  const { code, stdout, stderr } = await command(...words);
  expect([code, stdout]).toEqual([2, '']);
  expect(stderr.startsWith(`sandpiper: ${says}`), stderr).toBe(true);
  expect(stderr.endsWith(` See "sandpiper ${words[0]} --help".\n`), stderr).toBe(true);
});

test.for([
  [['logs', '--filter', 'rule:subscriptions.phone'], 2, 'There is no rule "subscriptions.phone". Did you mean '],
  [
    ['logs', '--filter', 'operation:"POST /subscription"'],
    2,
    'There is no operation "POST /subscription". Did you mean ',
  ],
  [['logs', '--follow', '--filter', 'rule:nope.nope'], 2, 'There is no rule "nope.nope". '],
  [['logs', '--filter', 'operation:"GET'], 2, 'The filter operation:"GET has one quote too many, or too few. '],
  [['deliveries', '--webhook', 'nope'], 1, 'There is no webhook nope. '],
] as const)('%j filters by what there is not, which is said', async ([words, wanted, says]) => {
  const { code, stdout, stderr } = await command(...words);
  expect([code, stdout]).toEqual([wanted, '']);
  expect(stderr.startsWith(`sandpiper: ${says}`), stderr).toBe(true);
});

test('advice about fields of a call is told as options', async () => {
  await command('reset');
  const { undo } = JSON.parse((await command('reset', '--json')).stdout) as { undo: string };
  await command('freeze');
  await command('freeze', '--off');
  expect(await command('undo', undo)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      ' Undo that first, or undo it together with this. With --and-newer both are undone.\n',
    ) as string,
  });
  const { stdout } = await command('undo', undo, '--and-newer');
  expect(stdout).toMatch(/^Undone: .*\nBefore that, the newest first:\n {2}.*\n {2}.*\n$/);
  expect(await command('trigger', 'email.opened', '--email', 'nobody@example.com')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'Subscribe the person, or name none: then the event is about the person of the example.\n',
    ) as string,
  });
});

test.for([
  ['enable', ''],
  ['rotate', ''],
  ['explain', ''],
  ['records', ''],
  ['records', 'users', ''],
  ['fire', '', '', ''],
  ['redeliver', ''],
  ['act', '', 'open'],
  ['undo', ''],
  ['compose', ' ', '--phone', '+15555550100'],
] as const)('%j has an empty argument, which is refused by its name', async (words) => {
  const { code, stdout, stderr } = await command(...words);
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    expect.stringMatching(/^sandpiper: The argument <\w+> is empty\. See/),
  ]);
});

test('a text message with a subject is refused, as the person would never see it', async () => {
  const { status, body } = await sandbox.control('POST', '/control/messages', {
    subscriber: { phone: '+15555550100' },
    channel: 'TEXT',
    text: 'Hello',
    subject: 'News',
  });
  expect([status, body]).toMatchObject([400, { message: 'A text message has no subject.' }]);
  expect((await command('messages', '--json')).stdout).not.toContain('"News"');
});

test('the gym says why a receiver accepted nothing, and takes no address that is not HTTP', async () => {
  const gym = await command('gym', 'http://127.0.0.1:1', '--count', '1', '--acts', 'delay');
  expect(gym.code).toBe(1);
  expect(gym.stdout).toContain(
    ': sent once, accepted 0\n1 was never accepted:\n  Nothing listens at http://127.0.0.1:1',
  );
  for (const words of [
    ['gym', 'ftp://example.com'],
    ['trigger', 'email.opened', '--to', 'ftp://example.com'],
  ])
    expect(await command(...words)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"ftp://example.com" is neither the id of a webhook nor a URL such as') as string,
    });
  expect((await command('deliveries', '--json')).stdout).not.toContain('ftp:');
});

test('a list that is not whole says so, and --limit lists more', async () => {
  for (const words of ['one', 'two', 'three']) await command('compose', words, '--phone', '+15555550100');
  const cut = await command('messages', '--limit', '2');
  expect(cut.stdout.trim().split('\n')).toHaveLength(2);
  expect(cut.stdout).toContain(': three  (1 part in GSM-7)\n');
  expect(cut.stderr).toMatch(/^These are the newest 2 of \d+; --limit lists more\.\n$/);
  expect((await command('messages')).stderr).toBe('');

  const newest = await command('records', 'messages', '--limit', '1', '--json');
  expect(JSON.parse(newest.stdout)).toMatchObject([{ text: 'three' }]);
  expect(newest.stderr).toMatch(/^These are the newest 1 of \d+; --limit lists more\.\n$/);

  for (let count = 0; count < 2; count += 1) await command('trigger', 'email.opened', '--to', 'http://127.0.0.1:1');
  expect((await command('deliveries', '--limit', '1')).stderr).toMatch(/^These are the newest 1 of \d+;/);
});
