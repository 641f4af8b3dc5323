import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import xterm from '@xterm/headless';
import { afterAll, expect, test } from 'vitest';
import { builtApp } from '../support/built.ts';
import { personEnvironment } from '../support/environment.ts';
import { run, startIn } from '../support/process.ts';

const folder = mkdtempSync(join(tmpdir(), 'sandpiper-refusals-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program of the developer, in a file, so that its lines have numbers. Its first two lines are these. */
function program(name: string, ...lines: readonly string[]): readonly string[] {
  const path = join(folder, name);
  const subscribe = `const subscribe = (phone) => fetch('https://api.attentivemobile.com/v1/subscriptions', { method: 'POST',`;
  const rest = `  headers: { authorization: 'Bearer sandpiper-demo-key', 'content-type': 'application/json' }, body: JSON.stringify({ user: { phone }, signUpSourceId: '100001' }) });`;
  writeFileSync(path, [subscribe, rest, ...lines].join('\n'));
  return [process.execPath, path];
}

const fix = /^ {9}fix: Send the phone of the person in E\.164 form\./;

test('a refused request is printed while the command still runs: rule, line of code, fix; at the end they are counted', async () => {
  const words = program('waits.mjs', `await subscribe('555');`, `setInterval(() => {}, 1000);`);
  const running = startIn({}, ['exec', '--as-production', '--', ...words]);
  const [first = '', second] = (await running.errors('fix:')).split('\n');
  expect(first).toMatch(
    /^\d\d:\d\d:\d\d 400 POST \/subscriptions {2}555 {2}subscriptions\.phone-e164 at \S*waits\.mjs:1:\d+$/,
  );
  expect(second).toMatch(fix);
  running.process.kill('SIGTERM');
  expect((await running.ended).stderr.split('\n').slice(2)).toEqual([
    'sandpiper: 1 of 1 requests was refused: subscriptions.phone-e164',
    '',
  ]);
});

test('each refused request has its line, and the same fix is printed once', async () => {
  const words = program(
    'many.mjs',
    `for (const phone of ['555', '555', '+15555550123']) await subscribe(phone);`,
    `await fetch('https://api.attentivemobile.com/v1/me');`,
  );
  const { stderr, code } = await run(['exec', '--as-production', '--', ...words]);
  const lines = stderr.trimEnd().split('\n');
  expect(lines.map((line) => line.replace(/^\d\d:\d\d:\d\d (\d+ \w+ \S+).*/, '$1').replace(/fix: .*/, 'fix'))).toEqual([
    '400 POST /subscriptions',
    '         fix',
    '400 POST /subscriptions',
    '401 GET /me',
    '         fix',
    'sandpiper: 3 of 4 requests were refused: subscriptions.phone-e164 (2 times), auth.missing',
  ]);
  expect(code).toBe(0);
});

test('with --quiet, or quiet in the environment, nothing is printed of refused requests', async () => {
  const words = program('quiet.mjs', `await subscribe('555'); console.log('done')`);
  for (const ended of [
    await run(['exec', '--as-production', '--quiet', '--', ...words]),
    await run(['exec', '--as-production', '--', ...words], { SANDPIPER_QUIET: 'true' }),
  ])
    expect([ended.stdout, ended.stderr]).toEqual(['done\n', '']);
});

test('--quiet without --as-production is refused, and the command is not run', async () => {
  const { code, stdout, stderr } = await run(['exec', '--quiet', '--', 'echo', 'ran']);
  expect([code, stdout, stderr]).toEqual([
    2,
    '',
    'sandpiper: --quiet belongs to --as-production. Add --as-production, or leave --quiet out. See "sandpiper exec --help".\n',
  ]);
});

test('a file in which the command has left a line open gets the lines of exec on lines of their own', async () => {
  const log = join(folder, 'log.txt');
  const file = openSync(log, 'w');
  const words = program('file.mjs', `process.stdout.write('dots ..'); await subscribe('555'); console.log('. ok')`);
  const child = spawn(process.execPath, [cli(), 'exec', '--as-production', '--', ...words], {
    stdio: ['ignore', file, file],
    env: personEnvironment(),
  });
  closeSync(file);
  await once(child, 'close');
  const lines = readFileSync(log, 'utf8').split('\n');
  expect(lines).toEqual([
    'dots ..',
    expect.stringMatching(/^\d\d:\d\d:\d\d 400 POST/),
    expect.stringMatching(fix),
    '. ok',
    expect.stringMatching(/^sandpiper: 1 of 1/),
    '',
  ]);
});

function cli(): string {
  return join(builtApp(), 'bin/sandpiper.cjs');
}

const hasScript = spawnSync('script', ['-qec', 'true', '/dev/null'], { stdio: 'ignore' }).status === 0;

/** What a terminal of so many columns shows after a command, and the bytes that it was sent. */
async function onTerminal(columns: number, words: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const line = [process.execPath, cli(), 'exec', '--as-production', ...words].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', `stty cols ${columns} rows 40; ${line}`, '/dev/null'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: personEnvironment({
      TERM: 'xterm-256color',
      FORCE_COLOR: undefined,
      NO_COLOR: undefined,
      CI: undefined,
      ...env,
    }),
  });
  let bytes = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (bytes += text));
  await once(child, 'close');
  const terminal = new xterm.Terminal({ cols: columns, rows: 40, allowProposedApi: true });
  await new Promise<void>((resolve) => terminal.write(bytes, resolve));
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, at) =>
    (active.getLine(at)?.translateToString() ?? '').trimEnd(),
  );
  return { bytes, rows: rows.join('\n').trimEnd().split('\n') };
}

test.skipIf(!hasScript)(
  'on a terminal they are never in the middle of a line of the command, and add no empty line',
  async () => {
    const words = program(
      'terminal.mjs',
      `process.stdout.write('half a line');`,
      `await subscribe('555');`,
      `console.log('a whole line');`,
      `await subscribe('556');`,
      `console.log('the last line');`,
    );
    const { rows } = await onTerminal(250, ['--', ...words]);
    expect(rows).toEqual([
      expect.stringMatching(/^Open → http:\/\/127\.0\.0\.1:\d+\/#token=\S+$/),
      'half a line',
      expect.stringMatching(
        /^\d\d:\d\d:\d\d 400 POST \/subscriptions {2}555 .* → http:\/\/127\.0\.0\.1:\d+\/#\/requests\/req_\w+$/,
      ),
      expect.stringMatching(fix),
      'a whole line',
      expect.stringMatching(/^\d\d:\d\d:\d\d 400 POST \/subscriptions {2}556 /),
      'the last line',
      expect.stringMatching(/^sandpiper: 2 of 2 requests were refused/),
    ]);
  },
);

test.skipIf(!hasScript)('on a terminal they are in colour, unless NO_COLOR is set', async () => {
  const words = program('colour.mjs', `await subscribe('555');`);
  expect((await onTerminal(80, ['--', ...words])).bytes).toContain('\u001B[33m400');
  expect((await onTerminal(80, ['--', ...words], { NO_COLOR: '1' })).bytes).not.toContain('\u001B[');
});
