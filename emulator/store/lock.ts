import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './errors.ts';
import { isAlive, startOf } from './processes.ts';

/**
 * Takes the lock of a data folder, so that it has one writer: a file with the process id and, if the system provides
 * it, the time at which the process started. A lock is taken over if its process has ended, or if another process now
 * has its id.
 * @returns the function that releases the lock
 * @throws StoreError `locked` while another process, or another emulator in this process, has the lock
 */
export function takeLock(folder: string): () => void {
  const path = join(folder, 'lock');
  // The random part distinguishes two emulators of one process when one of them releases its lock.
  const mine = `${process.pid} ${startOf(process.pid) ?? '-'} ${randomUUID()}\n`;
  for (let tries = 0; tries < 5; tries++) {
    if (place(path, mine)) {
      removeLeftOvers(folder);
      return () => {
        if (read(path) === mine) rmSync(path, { force: true });
      };
    }
    const text = read(path);
    if (text === null) continue;
    if (isHeld(text)) throw inUse(folder, text);
    takeAway(folder, path, text);
  }
  throw new StoreError(
    'locked',
    `The data folder ${folder} is being opened by another process. Stop it, or choose another folder with --data.`,
  );
}

/** False if there is a lock. The file appears together with its text, so no process sees an empty one. */
function place(path: string, text: string): boolean {
  const aside = `${path}.${randomUUID()}`;
  writeFileSync(aside, text, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(aside, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ENOENT: another process that opened the folder removed the file as a leftover.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    // Some disks have no links; there the lock is empty for a moment.
    return placeByName(path, text);
  } finally {
    rmSync(aside, { force: true });
  }
}

function placeByName(path: string, text: string): boolean {
  try {
    writeFileSync(path, text, { mode: 0o600, flag: 'wx' });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/**
 * Removes a stale lock. If two processes found it, the slower one may remove the new lock of the other: then it is put
 * back.
 */
function takeAway(folder: string, path: string, stale: string): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = read(aside);
  if (taken !== null && taken !== stale && isHeld(taken)) {
    renameSync(aside, path);
    throw inUse(folder, taken);
  }
  rmSync(aside, { force: true });
}

/** Temporary files of this function that a kill left behind. */
function removeLeftOvers(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith('lock.')) rmSync(join(folder, name), { force: true });
}

/** Null if there is no such file. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** Also false for an empty file of a process that was killed while it wrote. */
function isHeld(text: string): boolean {
  const [pid = '', start] = text.trim().split(' ');
  if (!/^[1-9]\d*$/.test(pid) || !isAlive(Number(pid))) return false;
  // In a container every start gets the same process id, so with the id alone the folder would stay locked after a
  // kill.
  const now = startOf(Number(pid));
  return now === null || start === undefined || start === '-' || start === now;
}

function inUse(folder: string, text: string): StoreError {
  return new StoreError(
    'locked',
    `The data folder ${folder} is in use by process ${text.split(' ')[0]?.trim()}. Stop it, or choose another folder with --data.`,
  );
}
