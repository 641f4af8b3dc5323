import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bundleOf } from '../support/built.ts';
import { idsOf, newFolder, open, put } from './support.ts';

test('keeping a temporary file makes it a blob, and replaces an earlier one', async () => {
  const { blobs } = await open(newFolder());
  for (const text of ['first', 'second']) {
    const temp = blobs.createTemp('uploads');
    writeFileSync(temp, text);
    expect(blobs.list('uploads')).toEqual(text === 'first' ? [] : ['one']);
    await blobs.keep(temp, 'uploads', 'one');
    expect(existsSync(temp)).toBe(false);
  }
  expect(readFileSync(blobs.path('uploads', 'one'), 'utf8')).toBe('second');
  expect([blobs.exists('uploads', 'one'), blobs.size('uploads', 'one'), blobs.list('uploads')]).toEqual([
    true,
    6,
    ['one'],
  ]);
});

test('names of temporary files are random and never twice the same', async () => {
  const { blobs } = await open(newFolder());
  const names = Array.from({ length: 50 }, () => blobs.createTemp('uploads'));
  expect(new Set(names).size).toBe(50);
  expect(names.every((name) => dirname(name) === dirname(blobs.path('uploads', 'x')))).toBe(true);
});

test('text is appended synchronously', async () => {
  const { blobs } = await open(newFolder());
  blobs.append('codes', 'one', 'a\n');
  blobs.append('codes', 'one', 'b\n');
  expect(readFileSync(blobs.path('codes', 'one'), 'utf8')).toBe('a\nb\n');
  expect(statSync(blobs.path('codes', 'one')).mode & 0o777).toBe(0o600);
});

test('removing a missing blob is not an error; it has no size', async () => {
  const { blobs } = await open(newFolder());
  blobs.append('codes', 'one', 'a');
  await blobs.remove('codes', 'one');
  await blobs.remove('codes', 'one');
  expect([blobs.exists('codes', 'one'), blobs.size('codes', 'one'), blobs.list('codes')]).toEqual([false, null, []]);
});

test('a name with path parts is refused by every function', async () => {
  const { blobs } = await open(newFolder());
  for (const bad of ['../x', 'a/b', 'a\\b', '..', '.', '', 'a\0', 'x'.repeat(201), 'a\n'])
    for (const use of [
      () => blobs.path(bad, 'x'),
      () => blobs.path('x', bad),
      () => blobs.createTemp(bad),
      () => blobs.append('x', bad, ''),
      () => blobs.exists('x', bad),
      () => blobs.size('x', bad),
      () => blobs.list(bad),
      () => blobs.remove('x', bad),
      () => blobs.keep('/nowhere', 'x', bad),
    ])
      expect(use, bad).toThrow(RangeError);
});

test('blobs survive a restart, outside the journal', async () => {
  const folder = newFolder();
  const first = await open(folder);
  put(first, 'a');
  first.blobs.append('codes', 'one', 'text');
  await first.close();
  const second = await open(folder);
  expect([idsOf(second), readFileSync(second.blobs.path('codes', 'one'), 'utf8')]).toEqual([['a'], 'text']);
  expect(second.blobs.freeBytes()).toBeGreaterThan(0);
});

test('in memory, blobs get a private folder at the first use, which is removed with the store', async () => {
  const store = await open(null);
  const path = store.blobs.path('codes', 'one');
  store.blobs.append('codes', 'one', 'text');
  const base = dirname(dirname(dirname(path)));
  expect(statSync(base).mode & 0o777).toBe(0o700);
  await store.close();
  expect(existsSync(base)).toBe(false);
});

test('in memory, blobs are removed with the process, too', () => {
  const module = bundleOf('emulator/store/store.ts').href;
  const script = `
    const { openStore } = await import(${JSON.stringify(module)});
    const { blobs } = await openStore({ dataDir: null, now: () => 0 });
    blobs.append('codes', 'one', 'text');
    process.stdout.write(blobs.path('codes', 'one'));
    process.exit(0);`;
  const args = ['--input-type=module', '-e', script];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: import.meta.dirname });
  expect([stderr, stdout]).toEqual(['', expect.stringContaining('sandpiper-')]);
  expect(existsSync(dirname(dirname(dirname(stdout))))).toBe(false);
});

test('two stores in memory share no blobs', async () => {
  const [one, other] = [await open(null), await open(null)];
  one.blobs.append('codes', 'one', 'text');
  expect([other.blobs.exists('codes', 'one'), readdirSync(dirname(one.blobs.path('codes', 'one')))]).toEqual([
    false,
    ['one'],
  ]);
});

test('blobs that were being written during a kill are removed at the next start', async () => {
  const folder = newFolder();
  const first = await open(folder);
  for (const path of [
    first.blobs.path('reports', 'one'),
    first.blobs.path('reports', 'one.part'),
    first.blobs.path('reports', 'party'),
    first.blobs.createTemp('uploads'),
    join(first.blobs.path('saved', 'company'), 'generation-1', 'lines'),
    join(first.blobs.path('saved', 'company'), 'generation-2.part', 'lines'),
  ]) {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, 'text');
  }
  await first.close();
  await open(folder);
  const files = readdirSync(join(folder, 'blobs'), { recursive: true, withFileTypes: true });
  expect(
    files
      .filter((file) => file.isFile())
      .map((file) => file.name)
      .sort(),
  ).toEqual(['lines', 'one', 'party']);
  expect(readdirSync(join(folder, 'blobs', 'saved', 'company'))).toEqual(['generation-1']);
});

test('a folder of --memory that a kill left is removed at the next start; those of running processes stay', async () => {
  // Other tests start emulators in the usual folder, each of which would remove it first.
  vi.stubEnv('TMPDIR', dirname(newFolder()));
  onTestFinished(() => void vi.unstubAllEnvs());
  const other = await open(null);
  other.blobs.append('codes', 'one', 'text');
  const module = bundleOf('emulator/store/store.ts').href;
  const script = `
    const { openStore } = await import(${JSON.stringify(module)});
    const { blobs } = await openStore({ dataDir: null, now: () => 0 });
    blobs.append('codes', 'one', 'text');
    process.stdout.write(blobs.path('codes', 'one'));
    process.kill(process.pid, 'SIGKILL');`;
  const args = ['--input-type=module', '-e', script];
  const { stdout, signal } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: import.meta.dirname });
  expect([signal, existsSync(stdout)]).toEqual(['SIGKILL', true]);

  await open(null);
  expect(existsSync(dirname(dirname(dirname(stdout))))).toBe(false);
  expect(other.blobs.exists('codes', 'one')).toBe(true);
});
