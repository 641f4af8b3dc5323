import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { builtApp } from '../support/built.ts';
import { personEnvironment } from '../support/environment.ts';

/** A copy of what an install has, without sources. */
let installed = '';
const built = (): string => join(installed, 'out/main');
beforeAll(() => {
  installed = mkdtempSync(join(tmpdir(), 'sandpiper-installed-'));
  for (const part of ['bin', 'out', 'package.json'])
    cpSync(join(builtApp(), part), join(installed, part), { recursive: true });
});
beforeEach(() => keptFiles().forEach((name) => rmSync(join(built(), name), { recursive: true })));
afterAll(() => rmSync(installed, { recursive: true, force: true }));

const keptFiles = (): readonly string[] => readdirSync(built()).filter((name) => name.endsWith('.compiled'));
/** Which file each one is: a file that is written again is another one. */
const identities = () => Object.fromEntries(keptFiles().map((name) => [name, statSync(join(built(), name)).ino]));

/**
 * Starts the server, requests it once, ends it, and returns the status of the answer.
 * @param options of Node
 */
async function startOnce(...options: readonly string[]): Promise<number> {
  const child = spawn(
    process.execPath,
    [
      ...options,
      join(installed, 'bin/sandpiper.cjs'),
      'serve',
      '--memory',
      '--json',
      '--port',
      '0',
      '--inspector-port',
      '0',
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: personEnvironment() },
  );
  const closed = once(child, 'close');
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const [line] = (await Promise.race([once(child.stdout, 'data'), closed])) as [Buffer];
  const { apiUrl } = JSON.parse(String(line)) as { apiUrl: string };
  const { status } = await fetch(`${apiUrl}/me`, { headers: { authorization: 'Bearer sandpiper-demo-key' } });
  child.kill('SIGTERM');
  expect([await closed, said]).toEqual([[0, null], '']);
  return status;
}

test('a start keeps what was compiled, and the next one uses it', async () => {
  expect(await startOnce()).toBe(200);
  const first = identities();
  expect(Object.keys(first)).toContain('cli.cjs.compiled');
  expect(Object.keys(first).join()).toMatch(/start-emulator-[\w-]+\.cjs\.compiled/);
  expect(await startOnce()).toBe(200);
  // What is not used is written again.
  expect(identities()).toEqual(first);
});

test('damaged compiled code is not used, and is replaced', async () => {
  await startOnce();
  for (const [at, name] of keptFiles().entries()) {
    const path = join(built(), name);
    const bytes = readFileSync(path);
    const middle = bytes.length >> 1;
    bytes[middle] = ~(bytes[middle] ?? 0);
    writeFileSync(path, at % 2 === 0 ? bytes : bytes.subarray(0, middle));
  }
  const damaged = identities();
  expect(await startOnce()).toBe(200);
  const repaired = identities();
  expect(Object.keys(repaired)).toEqual(Object.keys(damaged));
  expect(Object.keys(repaired).filter((name) => repaired[name] === damaged[name])).toEqual([]);
});

test('compiled code of another source of the same length is not used', async () => {
  await startOnce();
  const path = join(built(), 'cli.cjs');
  const source = readFileSync(path, 'utf8');
  onTestFinished(() => writeFileSync(path, source));
  const kept = identities()['cli.cjs.compiled'];
  writeFileSync(path, source.replace('A whole customer', 'a whole customer'));
  expect(await startOnce()).toBe(200);
  expect(identities()['cli.cjs.compiled']).not.toBe(kept);
});

test('it starts where nothing can be kept, and leaves nothing behind', async () => {
  // Not by permissions, which do not bind root: there is a folder with the name of each file.
  const names = readdirSync(built()).filter((name) => name.endsWith('.cjs'));
  for (const name of names) mkdirSync(join(built(), `${name}.compiled/full`), { recursive: true });
  const before = readdirSync(built());
  expect(await startOnce()).toBe(200);
  expect(readdirSync(built())).toEqual(before);
});

test('it starts from a package that nothing can be written to, as in Plug’n’Play of Yarn', async () => {
  // It refuses to remove a file of a package even if there is none, where a system would say that there is none.
  const refuse = join(installed, 'refuse.cjs');
  writeFileSync(
    refuse,
    `const fs = require('node:fs');
for (const name of ['writeFileSync', 'renameSync', 'rmSync']) {
  const done = fs[name];
  fs[name] = (path, ...rest) => {
    if (String(path).includes('cli.cjs')) throw Object.assign(new Error('EROFS'), { code: 'EROFS' });
    return done(path, ...rest);
  };
}`,
  );
  onTestFinished(() => rmSync(refuse));
  expect(await startOnce('--require', refuse)).toBe(200);
  expect(keptFiles()).toEqual([]);
});

test('the built files have only ASCII characters, which V8 holds in one byte each', () => {
  const names = readdirSync(built()).filter((name) => name.endsWith('.cjs'));
  expect(names).toContain('cli.cjs');
  expect(names.filter((name) => readFileSync(join(built(), name)).some((byte) => byte > 127))).toEqual([]);
});
