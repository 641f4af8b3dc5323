/** What docs/promises.md promises of the command line and the test library: a walk for each row, under its name. */
import { execFile } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createSandbox, type Sandbox, type SandboxOptions } from 'sandpiper/testing';
import { createProgram } from '../../emulator/commands/program.ts';
import { paintLine, toScreen } from '../../emulator/commands/terminal.ts';
import { blocksOf, firstMissing } from '../docs/blocks.ts';

let sandbox: Sandbox;
beforeEach(async () => {
  sandbox = await createSandbox();
});
afterEach(() => sandbox.close());

/** What `sandpiper` prints with these words, run in this process on the sandbox. */
async function sandpiper(...words: readonly string[]): Promise<string> {
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  const at = words[0] === 'exec' ? [] : ['--url', sandbox.inspectorUrl, '--token', sandbox.token];
  try {
    await createProgram(new URL('file:///no-worker.js'), process).parseAsync(['node', 'sandpiper', ...words, ...at]);
    return write.mock.calls.map(([text]) => String(text)).join('');
  } finally {
    write.mockRestore();
  }
}

const call = (path: string, body?: unknown): Promise<Response> =>
  fetch(sandbox.apiUrl + path, {
    headers: { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });

test('Unknown options are refused with the nearest name, and a wait that cannot end is refused at once.', async () => {
  const misspelt = { paec: 'manual' } as SandboxOptions;
  await expect(createSandbox(misspelt)).rejects.toThrow('createSandbox has no "paec". Did you mean "pace"?');
  await expect(sandbox.waitForRequest({ operation: 'POST /subscription' as never })).rejects.toThrow(
    'Did you mean "POST /subscriptions"?',
  );
  await expect(sandpiper('trigger', 'emial.opened')).rejects.toThrow('Did you mean "email.opened"?');
});

test('The command line and the library do what the window does.', async () => {
  const { clock, control } = sandbox;
  // Each pair: one of the two does it, the other one or the control API, which the window calls, sees it.
  expect(await sandpiper('freeze')).toContain('the clock is frozen');
  expect(await control.clock()).toMatchObject({ mode: 'frozen' });
  await clock.rate(60);
  expect(JSON.parse(await sandpiper('clock', '--json'))).toMatchObject({ rate: 60 });

  const { id } = await control.compose({ subscriber: { phone: '+15555550100' }, channel: 'TEXT', text: 'Sale' });
  expect(await sandpiper('messages', '--phone', '+15555550100')).toContain(id);
  expect(await sandpiper('act', id, 'reply', '--text', 'STOP')).toContain('Published: sms.unsubscribed, sms.sent.');

  const { url } = JSON.parse(await sandpiper('receiver', '--json')) as { url: string };
  expect((await control.gym({ to: url, count: 1, acts: [] })).events).toMatchObject([{ accepted: 1 }]);
  expect(await sandpiper('gym', url, '--count', '1')).toContain('The receiver accepted every event at least once.');

  const webhook = await control.createWebhook({ url, events: ['email.opened'] });
  await sandbox.trigger({ type: 'email.opened', to: webhook.id });
  const [delivery] = sandbox.deliveries({ webhookId: webhook.id });
  expect(await sandpiper('redeliver', delivery?.id ?? '')).toContain('delivered');
  expect(await sandpiper('rotate', webhook.id)).toContain('has a new signing key');
  expect((await control.rotate(webhook.id)).previousKey?.key).not.toBe(webhook.signingKey);
});

test('A command prints what a person wants to read.', async () => {
  expect(await sandpiper('fault', 'GET /me', '--status', '503', '--retry-after', '2')).toMatch(
    /^The next GET \/me is answered with 503 and Retry-After 2 s\.\n"sandpiper fault --clear flt_\d+" removes it\.\n$/,
  );
  expect((await call('/me')).status).toBe(503);
  const receiver = await sandbox.receiver();
  receiver.answerWith({ status: 500 });
  const webhook = await sandbox.control.createWebhook({ url: receiver.url, events: ['email.opened'] });
  await sandbox.trigger({ type: 'email.opened', to: webhook.id });
  expect(await sandpiper('advance', '1m')).toMatch(
    /^It is .* UTC, 1m ahead of real time\.\n2 things fell due:\n  2 × Retry of email\.opened\n/,
  );
  expect(await sandpiper('undo')).toMatch(/^Undone: Time was advanced by 1 m, from .*Z\.\n$/);
  expect(await sandpiper('reset')).toMatch(/^Everything was reset .* "sandpiper undo undo_\d+" reverts that\.\n$/);
  await expect(sandpiper('snapshot', 'restore', 'nope')).rejects.toThrow('There is no snapshot "nope".');
  await expect(sandpiper('exec', '--', 'no-such-program-here')).rejects.toMatchObject({ exitCode: 127 });
});

test('Lines fit the terminal, between words, with colours or without.', () => {
  const tail = 'Nothing listens there. '.repeat(6);
  for (const [env, isColoured] of [
    [{}, true],
    [{ NO_COLOR: '1' }, false],
  ] as const) {
    const screen = toScreen({ isTTY: true, columns: 80, hasColors: () => true }, env);
    const line = paintLine([['12:00:00 ', 'dim'], ['→ sms.sent']], [[tail, 'red']], screen);
    expect(line.includes('\u001b')).toBe(isColoured);
    const rows = stripVTControlCharacters(line).split('\n');
    expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(80);
    expect(rows.map((row) => row.trim()).join(' ')).toBe(`12:00:00 → sms.sent ${tail.trim()}`);
  }
});

test('The documents are run.', async () => {
  const here = (text: string): string =>
    text.replaceAll('http://127.0.0.1:4747', sandbox.authUrl).replaceAll('http://127.0.0.1:4748', sandbox.inspectorUrl);
  const refused = blocksOf('README.md').find(({ text }) => text.startsWith('curl -i'));
  const output = await new Promise<string>((resolve) =>
    execFile('bash', ['-c', here(refused?.text ?? '')], (_error, stdout) => resolve(stdout)),
  );
  expect(firstMissing(here(refused?.promised ?? ''), output)).toBeNull();
});
