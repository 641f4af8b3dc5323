import { cpSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Setting } from '../../emulator/records.ts';
import { openStore, type Store, type StoreOptions } from '../../emulator/store/store.ts';

/** 2026-11-20T14:38:29.000Z, in the names of renamed files. */
export const now = (): number => 1_795_185_509_000;
export const stamp = '2026-11-20T14-38-29.000Z';

/** The path of a data folder that does not exist yet, in a folder that is removed after the test. */
export function newFolder(): string {
  const parent = mkdtempSync(join(tmpdir(), 'sandpiper-store-'));
  onTestFinished(() => rmSync(parent, { recursive: true, force: true }));
  return join(parent, 'data');
}

/** A store that is closed after the test. */
export async function open(dataDir: string | null, options: Partial<StoreOptions> = {}): Promise<Store> {
  const store = await openStore({ dataDir, now, ...options });
  // Errors of the last save concern only the test that caused them.
  onTestFinished(() => store.close().catch(() => {}));
  return store;
}

/** A copy of the folder as a kill would leave it now, opened elsewhere. */
export async function openAsKilled(folder: string, options: Partial<StoreOptions> = {}): Promise<Store> {
  return open(copyAsKilled(folder), options);
}

/** A copy of the folder as a kill at this moment would leave it. */
export function copyAsKilled(folder: string): string {
  const copy = newFolder();
  // A running save renames and removes files from other threads; then the copy is repeated.
  while (!isCopied(folder, copy)) rmSync(copy, { recursive: true, force: true });
  rmSync(join(copy, 'lock'), { force: true });
  return copy;
}

function isCopied(from: string, to: string): boolean {
  try {
    cpSync(from, to, { recursive: true });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

export const setting = (id: string, value: unknown = id): Setting => ({ id, value });

/** One transaction each. */
export function put(store: Store, ...ids: readonly string[]): void {
  for (const id of ids) store.transact(() => store.settings.put(setting(id)));
}

export const idsOf = (store: Store): readonly string[] => [...store.settings.all()].map(({ id }) => id);

export const journals = (folder: string): readonly string[] =>
  readdirSync(folder)
    .filter((name) => name.startsWith('journal-'))
    .sort();

export const linesOf = (folder: string, name: string): readonly string[] =>
  readFileSync(join(folder, name), 'utf8').split('\n').slice(0, -1);
