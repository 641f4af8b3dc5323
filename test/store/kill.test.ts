import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { Store } from '../../emulator/store/store.ts';
import { bundleOf } from '../support/built.ts';
import { copyAsKilled, newFolder, open, setting } from './support.ts';

const program = fileURLToPath(bundleOf('test/store/kill-child.ts'));

/** Lets the child work for some milliseconds after its first line, kills it, and returns the lines that it printed. */
async function killAfter(folder: string, mode: string, ms: number): Promise<readonly string[]> {
  const child = spawn(process.execPath, [program, folder, mode], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (more: string) => (text += more));
  const closed = once(child, 'close');
  await Promise.race([once(child.stdout, 'data'), closed]);
  // The time is random on purpose: no event shows when a snapshot is half done.
  await wait(ms);
  child.kill('SIGKILL');
  const [code, signal] = (await closed) as [number | null, string | null];
  expect([code, signal]).toEqual([null, 'SIGKILL']);
  return text.split('\n').slice(0, -1);
}

/** Opens a copy of what the kill left, so that the next child gets the original, with the stale lock. */
async function openCopy(folder: string): Promise<Store> {
  const copy = newFolder();
  cpSync(folder, copy, { recursive: true });
  expect(existsSync(join(copy, 'lock'))).toBe(true);
  return open(copy);
}

test('after each of twelve kills at any time the store opens and has every acknowledged change', async () => {
  const folder = newFolder();
  let acknowledged = -1;
  // More on a machine so busy that twelve saw no second snapshot.
  const hasSnapshots = (): boolean => existsSync(join(folder, 'state.previous.json'));
  for (let round = 0; round < 12 || !hasSnapshots(); round++) {
    const ms = Math.random() * 120;
    acknowledged = Number((await killAfter(folder, 'count', ms)).at(-1) ?? acknowledged);
    const store = await openCopy(folder);
    const last = Number(store.settings.get('last')?.value);
    const told = `round ${round}, killed after ${ms} ms`;
    expect(last, told).toBeGreaterThanOrEqual(acknowledged);
    const found = [...store.settings.all()].map(({ id }) => id).filter((id) => id !== 'last');
    expect(found, told).toEqual(Array.from({ length: last + 1 }, (_n, n) => String(n)));
    expect(store.toDocument().sequence, told).toBe(last + 1);
    // A kill may cut off the line that was being written.
    expect(
      store.notices.filter((notice) => !notice.includes('was incomplete')),
      told,
    ).toEqual([]);
  }
});

test('a kill while everything is replaced leaves one state or the other, never a mix, and nothing acknowledged is lost', async () => {
  const folder = newFolder();
  let generation = 0;
  for (let round = 0; round < 8; round++) {
    const ms = Math.random() * 80;
    const lines = await killAfter(folder, 'replace', ms);
    const store = await openCopy(folder);
    const told = `round ${round}, killed after ${ms} ms`;
    for (const line of lines) if (line.startsWith('replaced')) generation = Number(line.split(' ')[1]);
    const found = Number(store.settings.get('generation')?.value ?? 0);
    expect(found, told).toBeGreaterThanOrEqual(generation);
    const records = [...store.settings.all()];
    expect(
      records.filter(({ value }) => value !== found),
      told,
    ).toEqual([]);
    if (found > 0)
      expect(
        records.filter(({ id }) => id.includes('first')),
        told,
      ).toHaveLength(400);
    // Acknowledged changes belong to the state that a kill leaves, or to one that was replaced before.
    const generations = lines.filter((line) => line.startsWith('added ')).map((line) => Number(line.split(' ')[1]));
    expect(Math.max(0, ...generations), told).toBeLessThanOrEqual(found);
    const added = lines.filter((line) => line.startsWith(`added ${found} `)).map((line) => line.split(' ')[2]);
    expect(
      added.filter((n) => !store.settings.get(`of ${found}, added ${n}`)),
      told,
    ).toEqual([]);
    generation = found;
  }
});

test.for([true, false])(
  'a kill between the steps of a replacement leaves the records and the files of one state (files before it: %s)',
  async (hasFiles) => {
    const folder = newFolder();
    const store = await open(folder);
    const write = (path: string, text: string): void => writeFileSync(path, text);
    store.transact(() => store.settings.put(setting('state', 'old')));
    if (hasFiles) write(store.blobs.path('codes', 'of'), 'old');
    const files = store.blobs.stage();
    write(files.path('codes', 'of'), 'new');
    const collections = { settings: [setting('state', 'new')] };
    const left = { before: '', after: '' };
    await store.replace(
      { ...store.toDocument(), collections },
      {
        files,
        before: () => (left.before = copyAsKilled(folder)),
        after: () => (left.after = copyAsKilled(folder)),
      },
    );
    // As the kill leaves it after the first, and after the second step: the names are those of the real one.
    const held = (of: string, name: string): string => join(of, 'held', name);
    const number = readdirSync(join(left.before, 'held')).flatMap((name) => /^next-(\d+)$/.exec(name)?.[1] ?? [])[0];
    const moved = copyAsKilled(left.before);
    if (hasFiles) renameSync(join(moved, 'blobs'), held(moved, `old-${number}`));
    else mkdirSync(held(moved, `old-${number}`));
    const placed = copyAsKilled(moved);
    renameSync(held(placed, `next-${number}`), join(placed, 'blobs'));
    expect(readdirSync(join(left.after, 'held'))).toContain(`old-${number}`);
    for (const [step, of] of [left.before, moved, placed, left.after].entries()) {
      const opened = await open(of);
      const state = step === 3 ? 'new' : 'old';
      expect(opened.settings.get('state')?.value, `step ${step}`).toBe(state);
      const found = opened.blobs.exists('codes', 'of') ? readFileSync(opened.blobs.path('codes', 'of'), 'utf8') : null;
      expect(found, `step ${step}`).toBe(state === 'old' && !hasFiles ? null : state);
      expect(existsSync(join(of, 'held'))).toBe(false);
    }
  },
);
