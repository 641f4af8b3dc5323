import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createSandbox } from '../../emulator/testing.ts';
import { builtApp } from '../support/built.ts';
import { personEnvironment } from '../support/environment.ts';
import { run, serve, startIn, stop, type Served } from '../support/process.ts';
import { hearErrors } from '../support/told-errors.ts';
import { blocksOf, firstMissing, samplesOf, tableCodes, type Block } from './blocks.ts';

const root = join(import.meta.dirname, '../..');
const documents = [
  'README.md',
  'docs/configuration.md',
  'docs/worlds.md',
  'docs/testing.md',
  'docs/package.md',
  'docs/faults-and-limits.md',
];

/** Commands that would install or build this package itself, and the tests that run them. */
const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^npm start\b/, 'test/electron/open.test.ts'],
  [/^npm test\b/, 'this suite'],
  [/^npm pack\b/, 'test/testing/package.test.ts'],
  [/^npm install -D /, 'test/testing/package.test.ts'],
];

let folder: string;
let served: Served;
let receiver: Server;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-docs-'));
  served = await serve(['--data', join(folder, 'data')]);
  receiver = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  const command = `"${process.execPath}" "${join(builtApp(), 'bin/sandpiper.cjs')}"`;
  // `npx sandpiper` is the built command line; a project's own tests are a script that prints that it ran.
  writeFileSync(join(folder, 'npx'), `#!/bin/sh\n[ "$1" = sandpiper ] || exit 127\nshift\nexec ${command} "$@"\n`);
  writeFileSync(join(folder, 'pytest'), '#!/bin/sh\n[ -n "$SANDPIPER_API_URL" ] && echo tests ran\n');
  for (const name of ['npx', 'pytest']) chmodSync(join(folder, name), 0o755);
  writeFileSync(join(folder, 'package.json'), '{"scripts":{"test":"pytest"}}');
  // Files that a document shows under their names.
  for (const { text } of blocks) {
    const name = /^(?:\/\/|#) (\S+\.(?:ts|yaml))$/m.exec(text.split('\n')[0] ?? '')?.[1];
    if (name !== undefined) writeFileSync(join(folder, name), text);
  }
});
afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await stop(served);
  rmSync(folder, { recursive: true, force: true });
});

const control = (path: string, body?: object): Promise<Response> =>
  fetch(served.inspectorUrl + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${served.token}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });

async function idOf(path: string, body: object): Promise<string> {
  return ((await (await control(path, body)).json()) as { id: string }).id;
}

beforeEach(async () => {
  expect((await control('/control/reset', { world: 'demo' })).status).toBe(204);
});

/** Replaces addresses and ids in the documents by those of this run. */
async function withOwnNames(text: string): Promise<string> {
  const { port } = receiver.address() as { port: number };
  const message = { subscriber: { phone: '+15555550100' }, channel: 'TEXT', text: 'Sale' };
  const replaced = text
    .replaceAll('http://127.0.0.1:4747', served.authUrl)
    .replaceAll('http://127.0.0.1:4748', served.inspectorUrl)
    .replaceAll('http://localhost:3000/hooks', `http://127.0.0.1:${port}/hooks`);
  return replaced.includes('MDc6TWVzc2FnZTE1') || replaced.includes('abc123')
    ? replaced
        .replaceAll('MDc6TWVzc2FnZTE1', await idOf('/control/messages', message))
        .replaceAll('abc123', await madePrivacyRequest())
    : replaced;
}

async function madePrivacyRequest(): Promise<string> {
  await control('/control/pace', { pace: 'manual' });
  const answer = await fetch(`${served.apiUrl}/privacy/delete-request`, {
    method: 'POST',
    headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
    body: '{"subjectEmail":"nobody@example.com"}',
  });
  return ((await answer.json()) as { id: string }).id;
}

/** Runs a script as a shell would, in a project's folder. */
function shell(script: string): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn('bash', ['-euo', 'pipefail', '-c', script], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...personEnvironment(),
      PATH: `${folder}:${process.env['PATH']}`,
      SANDPIPER_INSPECTOR_URL: served.inspectorUrl,
      SANDPIPER_TOKEN: served.token,
    },
  });
  hearErrors(child.stderr);
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (output += text));
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, output })));
}

const blocks = documents.flatMap(blocksOf);
const isServe = (line: string): boolean => line.startsWith('npx sandpiper serve');

function ofLanguage(language: string): readonly (readonly [string, Block])[] {
  return blocks
    .filter((block) => block.language === language)
    .map((block) => [`${block.document}:${block.line}`, block]);
}

test.for(ofLanguage('sh'))('the commands of %s do what they say', async ([, block]) => {
  const lines = block.text.split('\n').filter((line) => !elsewhere.some(([start]) => start.test(line)));
  for (const line of lines.filter(isServe)) await expectToServe(line);
  const script = lines.filter((line) => !isServe(line)).join('\n');
  const { code, output } = await shell(await withOwnNames(script));
  expect(code, output).toBe(0);
  if (block.promised !== null && !lines.some(isServe))
    expect(firstMissing(await withOwnNames(block.promised), output), output).toBeNull();
});

/** Starts the command of a line, on free ports and in its own folder, and ends it. */
async function expectToServe(line: string): Promise<void> {
  const args = line
    .replace(/ +#.*/, '')
    .split(' ')
    .slice(2)
    .map((arg, at, all) =>
      all[at - 1]?.endsWith('port') ? '0' : arg === './sandbox' || arg.endsWith('.yaml') ? join(folder, arg) : arg,
    );
  const ownPlaces = { SANDPIPER_PORT: '0', SANDPIPER_INSPECTOR_PORT: '0', XDG_DATA_HOME: join(folder, 'home') };
  const server = startIn(ownPlaces, args);
  await server.output(args.includes('--json') ? '\n' : 'Open → http://127.0.0.1:');
  server.process.kill('SIGINT');
  expect((await server.ended).code).toBe(0);
}

test.for(ofLanguage('yaml'))('the commands of %s end well', async ([, block]) => {
  const commands = [...block.text.matchAll(/run: (.*)/g)].map(([, command = '']) => command);
  const { code, output } = await shell(commands.filter((command) => command !== 'npm ci').join('\n'));
  expect(code, output).toBe(0);
});

test.for(ofLanguage('ts'))('the test of %s passes', async ([, block]) => {
  const project = mkdtempSync(join(tmpdir(), 'sandpiper-snippet-'));
  try {
    symlinkSync(join(root, 'node_modules'), join(project, 'node_modules'));
    const library = JSON.stringify(join(builtApp(), 'out/main/testing.js'));
    writeFileSync(
      join(project, 'vitest.config.mjs'),
      `export default {
        resolve: { alias: { 'sandpiper/testing': ${library} } },
        server: { fs: { strict: false } },
        test: { testTimeout: 60_000, hookTimeout: 60_000 },
      };`,
    );
    writeFileSync(join(project, 'snippet.test.ts'), block.text);
    const { code, output } = await shell(`cd "${project}" && node node_modules/vitest/vitest.mjs run --root .`);
    expect(code, output).toBe(0);
    expect(output).toMatch(/Tests .*1 passed/);
  } finally {
    rmSync(project, { recursive: true, force: true });
  }
});

test.for(tableCodes('docs/testing.md', /sandbox\./))('%s', async ([, code]) => {
  const sandbox = await createSandbox({ pace: 'manual' });
  try {
    const receiver = await sandbox.receiver();
    const call = (path: string, body: object): Promise<Response> =>
      fetch(sandbox.apiUrl + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      });
    await call('/subscriptions', {});
    const { id } = (await (await call('/privacy/delete-request', { subjectEmail: 'ada@example.com' })).json()) as {
      id: string;
    };
    const person = { phone: '+15555550100' };
    const { id: messageId } = await sandbox.control.compose({ subscriber: person, channel: 'TEXT', text: 'Sale' });
    const webhook = await sandbox.control.createWebhook({ url: receiver.url, events: ['email.opened'] });
    const { deliveries } = await sandbox.trigger({ type: 'email.opened' });
    if (code.includes('undo()')) await sandbox.clock.advance('1m');
    if (code.includes('waitForState')) await sandbox.control.move('privacy-requests', id, 'start');
    const names = { sandbox, id, messageId, webhookId: webhook.id, deliveryId: deliveries[0]?.id, ...links(sandbox) };
    const own = code.includes('const receiver') ? {} : { receiver };
    await expect(runCode(code, { ...names, ...own })).resolves.toBeUndefined();
  } finally {
    await sandbox.close();
  }
});

function links({ authUrl }: { readonly authUrl: string }): { readonly installUrl: string } {
  const query = new URLSearchParams({
    client_id: 'sandpiper-demo-client',
    redirect_uri: 'http://localhost:3000/callback',
    scope: 'events:write',
    state: 'x',
  });
  return { installUrl: `${authUrl}/integrations/oauth-install?${query}` };
}

async function runCode(code: string, names: { readonly [name: string]: unknown }): Promise<void> {
  const AsyncFunction = (async () => {}).constructor as new (
    ...args: string[]
  ) => (...values: unknown[]) => Promise<void>;
  await new AsyncFunction(...Object.keys(names), code)(...Object.values(names));
}

/** Texts that are not output of an example above them, by their start, and what shows that they are true. */
const samples: readonly (readonly [start: string, shownBy: string])[] = [
  ['Open → http', 'the lines that README.md shows of serve'],
  ['{\n  "$schema"', 'the JSON config of docs/configuration.md'],
  ['sandpiper: world.yaml:8:', 'test/cli/world.test.ts'],
];

test('no example of the documents is left out: each is run, is the output of one that is run, or has its own test', () => {
  const languages = ['sh', 'yaml', 'ts', 'typescript'];
  expect(blocks.filter(({ language }) => !languages.includes(language))).toEqual([]);
  // Declarations are written into the project's folder by their names, and the commands after them read them.
  const declared = blocks.filter(({ language, text }) => language === 'typescript' || /^# \S+\.yaml$/m.test(text));
  for (const { text } of declared)
    expect(text).toMatch(/^(?:\/\/|#) sandpiper\.config\.ts|^(?:\/\/|#) \S+\.(?:ts|yaml)$/m);
  const found = documents.flatMap(samplesOf);
  expect(found.map((text) => samples.find(([start]) => text.startsWith(start))?.[0] ?? text)).toEqual(
    samples.map(([start]) => start),
  );
});

test('the lines that README.md shows of serve are printed for such requests', async () => {
  const server = startIn({}, 'serve --memory --port 0 --inspector-port 0'.split(' '));
  const apiUrl = /API base URL +(\S+)/.exec(await server.output('Press Ctrl+C'))?.[1] ?? '';
  for (const phone of ['+15555550123', '(555) 555-0123'])
    await fetch(`${apiUrl}/subscriptions`, {
      method: 'POST',
      headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' },
      body: JSON.stringify({ user: { phone }, signUpSourceId: '100001' }),
    });
  await server.output('#/requests/');
  server.process.kill('SIGINT');
  const { stdout } = await server.ended;
  const shown = samplesOf('README.md')[0] ?? '';
  const anyRun = shown
    .replaceAll(/\d\d:\d\d:\d\d/g, '…')
    .replaceAll(/\d+ ms/g, '… ms')
    .replaceAll('http://127.0.0.1:4748', 'http://127.0.0.1:…');
  expect(firstMissing(anyRun, stdout), stdout).toBeNull();
});

test('the JSON config of docs/configuration.md has no mistakes', async () => {
  writeFileSync(join(folder, 'own.json'), samplesOf('docs/configuration.md')[0] ?? '');
  const { code, output } = await shell('npx sandpiper config validate --config own.json');
  expect([code, output]).toEqual([0, 'own.json has no mistakes.\n']);
});

/** Field → what the request header takes for it. */
const headerItems = [
  ...readFileSync(join(root, 'docs/faults-and-limits.md'), 'utf8').matchAll(/^\| `(\w+)` \| (.+?) \| /gm),
].map(([, field = '', cell = '']) => [field, [...cell.matchAll(/`(.+?)`/g)].map(([, item = '']) => item)] as const);

test('docs/faults-and-limits.md has every field of a fault, with what the request header takes for it', async () => {
  const me = (fault: string) =>
    fetch(`${served.apiUrl}/me`, { headers: { authorization: 'Bearer sandpiper-demo-key', 'x-sandbox-fault': fault } })
      .then(async (reply) => `${reply.status} ${await reply.text()}`)
      .catch(() => 'the connection ended');
  expect(headerItems.map(([field]) => field)).toEqual(
    'operation status retryAfter delay cut reset after times every'.split(' '),
  );
  for (const [field, items] of headerItems) {
    const alone = items.length > 0 ? items : [`${field}=3`];
    for (const item of alone) {
      // These two only add to a status.
      const whole = ['retryAfter', 'after'].includes(field) ? `status=503, ${item}` : item;
      const isRefused = /x-sandbox-fault is not valid/.test(await me(whole));
      expect([whole, isRefused]).toEqual([whole, items.length === 0]);
    }
  }
});

test('README.md names exactly the existing commands', async () => {
  const { stdout } = await run(['help']);
  const commands = [...stdout.matchAll(/^ {2}([a-z]+) (?:\[|<| {2})/gm)].map(([, name]) => name);
  expect(commands.length).toBeGreaterThan(20);
  const section = /^## The command line$([\s\S]*?)^## /m.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? '';
  const named = [...section.matchAll(/^\| [^|]+ \| (.*) \|$/gm)].flatMap(([, cell = '']) =>
    [...cell.matchAll(/`([a-z]+)`/g)].map(([, name]) => name),
  );
  expect(named.toSorted()).toEqual(commands.filter((name) => name !== 'help').toSorted());
});

test('every command line in the documents exists', async () => {
  const { stdout } = await run(['help']);
  const mentioned = documents.flatMap((document) =>
    [...readFileSync(join(root, document), 'utf8').matchAll(/`(?:npx )?sandpiper ([a-z]+)/g)].map(
      ([, name = '']) => name,
    ),
  );
  expect(mentioned.length).toBeGreaterThan(4);
  expect(mentioned.filter((name) => !new RegExp(`^ {2}${name}\\b`, 'm').test(stdout))).toEqual([]);
});
