import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, win32 } from 'node:path';
import { afterAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { isElsewhere } from '../../emulator/control/server/open-editor.ts';
import { startSandbox, type Sandbox } from '../support/sandbox.ts';

const home = realpathSync(mkdtempSync(join(tmpdir(), 'sandpiper-editor-')));
const folder = join(home, 'project');
const opened = join(home, 'opened');
const editor = join(home, 'my-editor');
mkdirSync(join(folder, 'src'), { recursive: true });
writeFileSync(join(folder, 'src/shop.ts'), '');
writeFileSync(join(home, 'outside.ts'), '');
symlinkSync(join(home, 'outside.ts'), join(folder, 'src/link.ts'));
writeFileSync(join(folder, 'src/$(touch evil);`touch evil`.ts'), '');
writeFileSync(
  editor,
  `#!/bin/sh\nfor one in "$@"; do echo "$one"; done > "${opened}.new"; mv "${opened}.new" "${opened}"\n`,
);
chmodSync(editor, 0o755);
afterAll(() => rmSync(home, { recursive: true, force: true }));
beforeEach(() => rmSync(opened, { force: true }));

async function start(options: Parameters<typeof startSandbox>[0] = { editorFolder: folder }): Promise<Sandbox> {
  const before = process.env['LAUNCH_EDITOR'];
  process.env['LAUNCH_EDITOR'] = editor;
  const sandbox = await startSandbox(options);
  onTestFinished(async () => {
    await sandbox.close();
    if (before === undefined) delete process.env['LAUNCH_EDITOR'];
    else process.env['LAUNCH_EDITOR'] = before;
  });
  return sandbox;
}

/** Sends a request from a place, and asks to open that place. */
async function open(sandbox: Sandbox, place: string) {
  const answer = await sandbox.call('GET', '/me', { headers: { 'x-sandbox-call-site': encodeURI(place) } });
  const { id } = await answer.exchange();
  return sandbox.control('POST', `/control/requests/${id}/editor`);
}

test.for(['src/shop.ts:42:9', `${folder}/src/shop.ts:42:9`])(
  'the line that sent a request is opened: %s',
  async (place) => {
    const { status, body } = await open(await start(), place);
    expect([status, body]).toEqual([200, { editor, file: join(folder, 'src/shop.ts'), line: 42 }]);
    await expect.poll(() => existsSync(opened)).toBe(true);
    expect(readFileSync(opened, 'utf8')).toContain(`${folder}/src/shop.ts`);
  },
);

test('a file whose name is a command is one argument and runs nothing', async () => {
  const name = 'src/$(touch evil);`touch evil`.ts';
  expect((await open(await start(), `${name}:1:1`)).status).toBe(200);
  await expect.poll(() => existsSync(opened)).toBe(true);
  expect(readFileSync(opened, 'utf8').split('\n')).toContain(join(folder, name));
  expect([existsSync('evil'), existsSync(join(folder, 'evil'))]).toEqual([false, false]);
});

test.for([
  '../outside.ts:1:1',
  `${home}/outside.ts:1:1`,
  'src/link.ts:1:1',
  'src/missing.ts:1:1',
  'src:1:1',
  '/etc/passwd:1:1',
  '--remote-debugging-port=1:1:1',
  'src/shop.ts',
  'src/shop.ts:1:1; touch evil',
  'src/shop.ts\0.js:1:1',
  'http://evil.example/shop.ts:1:1',
])('nothing is run for %j', async (place) => {
  const { status, body } = await open(await start(), place);
  expect([status, body]).toEqual([400, expect.objectContaining({ message: expect.any(String) })]);
  expect(['editor.form', 'editor.outside']).toContain((body as { refusal: { rule: string } }).refusal.rule);
  expect(existsSync(opened)).toBe(false);
});

test.for([
  ['C:\\work', '\\\\evil.example\\share\\shop.ts', true],
  ['C:\\work', '//evil.example/share/shop.ts', true],
  ['C:\\work', '\\\\?\\UNC\\evil.example\\share\\shop.ts', true],
  ['\\\\server\\share\\work', '\\\\evil.example\\share\\shop.ts', true],
  ['\\\\server\\share\\work', 'src\\shop.ts', false],
  ['C:\\work', 'D:\\shop.ts', false],
  ['C:\\work', 'src/shop.ts', false],
] as const)('in %s the path %s leads to another machine: %s', ([folder, path, elsewhere]) => {
  expect(isElsewhere(folder, path, win32)).toBe(elsewhere);
});

test('an editor in a terminal is known by its name, whatever its ending', async () => {
  const sandbox = await start();
  process.env['LAUNCH_EDITOR'] = join(home, 'nvim.exe');
  expect(await open(sandbox, 'src/shop.ts:1:1')).toMatchObject({
    status: 409,
    body: { message: expect.stringMatching(/^nvim needs a terminal\./), refusal: { rule: 'editor.terminal' } },
  });
});

test('without the token, without a place, and without a folder, nothing is run', async () => {
  const sandbox = await start();
  const { id } = await (
    await sandbox.call('GET', '/me', { headers: { 'x-sandbox-call-site': 'src/shop.ts:1:1' } })
  ).exchange();
  const { inspectorUrl } = sandbox.emulator;
  expect((await fetch(`${inspectorUrl}/control/requests/${id}/editor`, { method: 'POST' })).status).toBe(401);
  const without = await (await sandbox.call('GET', '/me')).exchange();
  expect(await sandbox.control('POST', `/control/requests/${without.id}/editor`)).toMatchObject({
    status: 404,
    body: { refusal: { rule: 'editor.no-place' } },
  });
  expect(await open(await start({}), 'src/shop.ts:1:1')).toMatchObject({
    status: 409,
    body: { refusal: { rule: 'editor.no-folder' } },
  });
  expect(existsSync(opened)).toBe(false);
});

test('an editor that needs a terminal, or that is not there, is said to be', async () => {
  const sandbox = await start();
  process.env['LAUNCH_EDITOR'] = 'vim';
  expect(await open(sandbox, 'src/shop.ts:1:1')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('LAUNCH_EDITOR'), refusal: { rule: 'editor.terminal' } },
  });
  process.env['LAUNCH_EDITOR'] = join(home, 'none');
  expect(await open(sandbox, 'src/shop.ts:1:1')).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('cannot be run'), refusal: { rule: 'editor.failed' } },
  });
});

test('where no editor can be found, LAUNCH_EDITOR is asked for', async () => {
  const sandbox = await start();
  const names = ['LAUNCH_EDITOR', 'VISUAL', 'EDITOR', 'PATH'] as const;
  const before = names.map((name) => process.env[name]);
  for (const name of names) delete process.env[name];
  // Without a path no list of running programs can be had, in which an editor may be.
  process.env['PATH'] = join(home, 'nothing');
  try {
    expect(await open(sandbox, 'src/shop.ts:1:1')).toMatchObject({
      status: 409,
      body: { message: expect.stringContaining('LAUNCH_EDITOR'), refusal: { rule: 'editor.none' } },
    });
  } finally {
    for (const [at, name] of names.entries()) {
      const value = before[at];
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
});
