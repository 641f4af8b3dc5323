import { cpSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { command } from '../support/command.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

let folder: string;
let first: Sandbox;
let second: Sandbox;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'sandpiper-connection-'));
  first = await startSandbox({ dataDir: join(folder, 'first') });
  second = await startSandbox({ dataDir: join(folder, 'second') });
});
afterAll(async () => {
  await first.close();
  await second.close();
  rmSync(folder, { recursive: true, force: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
});

/** Runs a command with these variables. */
function commandIn(env: { readonly [name: string]: string }, ...words: readonly string[]) {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value);
  return command(...words);
}

const variablesOf = ({ emulator: { inspectorUrl, token } }: Sandbox) => ({
  SANDPIPER_INSPECTOR_URL: inspectorUrl,
  SANDPIPER_TOKEN: token,
});
const readyAs = ({ emulator }: Sandbox) => ({ code: 0, stdout: `Ready: ${emulator.apiUrl}\n`, stderr: '' });
const dataOf = ({ emulator }: Sandbox): string => String(emulator.dataDir);

test('--data reaches the emulator of that folder, whichever one the variables name', async () => {
  const ended = await commandIn(variablesOf(first), 'ready', '--data', dataOf(second));
  expect(ended).toMatchObject(readyAs(second));
  expect(await commandIn(variablesOf(first), 'ready')).toMatchObject(readyAs(first));
});

test('--url counts before SANDPIPER_DATA, and the token of a link before SANDPIPER_TOKEN', async () => {
  const { inspectorUrl, token } = second.emulator;
  const env = { SANDPIPER_DATA: dataOf(first), SANDPIPER_TOKEN: 'another' };
  expect(await commandIn(env, 'ready', '--url', `${inspectorUrl}/#token=${token}`)).toMatchObject(readyAs(second));
  expect(await commandIn(env, 'ready', '--url', inspectorUrl, '--token', token)).toMatchObject(readyAs(second));
});

test('a line that names two emulators, or a token without one, is refused before anything is done', async () => {
  for (const [words, says] of [
    [
      ['--url', 'http://127.0.0.1:9', '--token', 'x', '--data', dataOf(first)],
      '--url and --data each name an emulator.',
    ],
    [['--token', 'x', '--data', dataOf(first)], '--token belongs to --url: for a data folder it is found there.'],
    [['--token', 'x'], '--token belongs to --url'],
    [['--url', 'http://127.0.0.1:9'], '--url needs --token, too'],
  ] as const)
    expect(await command('ready', ...words)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringMatching(`^sandpiper: ${says}.*"sandpiper ready --help"\\.\n$`) as string,
    });
});

test.for([
  ['reset', '--data'],
  ['ready', '--url'],
  ['ready', '--token'],
  ['serve', '--data'],
  ['serve', '--host'],
  ['serve', '--world'],
  ['doctor', '--data'],
  ['exec', '--seed'],
  ['config', '--config', 'print'],
] as const)(
  '"%s %s" with an empty text, as of an unset variable, is refused, and leads to no other place',
  async (line) => {
    const [name, option, ...more] = line;
    vi.stubEnv('SANDPIPER_DATA', dataOf(first));
    expect(await command(name, option, '', ...more)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `sandpiper: "" is not possible for ${option}. Give it a value, or leave it out. See "sandpiper ${name} --help".\n`,
    });
  },
);

test('a variable that names no emulator is named in the message', async () => {
  expect(await commandIn({ SANDPIPER_INSPECTOR_URL: 'foo' }, 'ready')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^sandpiper: SANDPIPER_INSPECTOR_URL takes the address of an inspector/) as string,
  });
  expect(await commandIn({ SANDPIPER_INSPECTOR_URL: 'http://127.0.0.1:9' }, 'ready')).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^sandpiper: SANDPIPER_INSPECTOR_URL needs SANDPIPER_TOKEN, too/) as string,
  });
});

test('where nothing serves a data folder, the message says how to name an emulator in memory, and that works', async () => {
  const none = await command('ready', '--data', join(folder, 'none'));
  expect(none).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(
      'or name one that runs: with --data and its folder or, if it keeps nothing on disk, with --url and the link that it printed.',
    ) as string,
  });
  const inMemory = await startSandbox();
  const { inspectorUrl, token } = inMemory.emulator;
  expect(await command('ready', '--url', `${inspectorUrl}/#token=${token}`)).toMatchObject(readyAs(inMemory));
  await inMemory.close();
});

test('a copy of the data folder of a running Sandpiper does not lead to it', async () => {
  const copy = join(folder, 'copy');
  cpSync(dataOf(first), copy, { recursive: true });
  expect(await commandIn({}, 'ready', '--data', copy)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining(`No Sandpiper serves the data folder ${copy}.`),
  });
  rmSync(join(copy, 'lock'));
  const third = await startSandbox({ dataDir: copy });
  expect(await commandIn({}, 'ready', '--data', copy)).toMatchObject(readyAs(third));
  await third.close();
});

test('a data folder is reached by a link, and after it was renamed', async () => {
  const [link, away] = [join(folder, 'link'), join(folder, 'away')];
  symlinkSync(dataOf(first), link, 'dir');
  expect(await commandIn({}, 'ready', '--data', link)).toMatchObject(readyAs(first));
  if (process.platform === 'win32') return;
  renameSync(dataOf(first), away);
  expect(await commandIn({}, 'ready', '--data', away)).toMatchObject(readyAs(first));
  renameSync(away, dataOf(first));
});

test('a Sandpiper that only SANDPIPER_TOKEN led to is told with the reason, where it does not answer as one', async () => {
  const unserved = join(folder, 'unserved');
  const at = (port: string) => ({
    SANDPIPER_DATA: unserved,
    SANDPIPER_TOKEN: 'another',
    SANDPIPER_INSPECTOR_PORT: port,
  });
  const because = ` It was asked because SANDPIPER_TOKEN is set and no Sandpiper serves the data folder ${unserved}.\n`;
  const { port } = new URL(first.emulator.inspectorUrl);
  for (const [asked, says] of [
    ['9', 'sandpiper: No Sandpiper answers at http://127.0.0.1:9.'],
    [port, `sandpiper: The Sandpiper at http://127.0.0.1:${port} has another token.`],
  ] as const) {
    const { code, stderr } = await commandIn(at(asked), 'logs');
    expect([code, stderr.startsWith(says), stderr.endsWith(because)], stderr).toEqual([1, true, true]);
  }
});

test('a folder whose name has a line break is named on one line', async () => {
  const named = join(folder, 'a\nb');
  const written = `${join(folder, 'a')}\\x0ab`;
  const { stderr } = await command('ready', '--data', named);
  expect(stderr.startsWith(`sandpiper: No Sandpiper serves the data folder ${written}. `), stderr).toBe(true);
  const { stdout } = await command('doctor', '--data', named, '--port', '0', '--inspector-port', '0');
  expect(stdout).toContain(`data: ${written} does not exist yet`);
  writeFileSync(named, '');
  const refused = await command('serve', '--data', named, '--port', '0', '--inspector-port', '0');
  expect(refused.stderr).toMatch(/^sandpiper: The data folder \S+\\x0ab is a file, not a folder\. [^\n]*\n$/);
});
