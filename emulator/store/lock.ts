import { randomUUID } from 'node:crypto';
import { linkSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './errors.ts';
import { isAlive, startOf } from './processes.ts';

/**
 * Takes the lock of a data folder, so that it has one writer: a file with the process id and, where the system tells,
 * when that process started. A lock whose process is gone, or whose id another process has by now, is taken over.
 * @returns what gives the lock back
 * @throws StoreError `locked` while another process, or another emulator in this one, holds it
 */
export function takeLock(folder: string): () => void {
  const path = join(folder, 'lock');
  // The random part tells two emulators of one process apart when one of them gives its lock back.
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

/** False where there is a lock. It appears with its text in it, so that nobody ever sees an empty one. */
function place(path: string, text: string): boolean {
  const aside = `${path}.${randomUUID()}`;
  writeFileSync(aside, text, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(aside, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ENOENT: another process that opened the folder took the file aside for a left-over.
    if (code === 'EEXIST' || code === 'ENOENT') return false;
    // Some disks have no links; there an empty lock can be seen for a moment.
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

/** Takes a stale lock away. Of two processes that found it, the slower one could hit the new lock of the other: that one is put back. */
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

/** Files of this one's own making that a kill left behind. */
function removeLeftOvers(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith('lock.')) rmSync(join(folder, name), { force: true });
}

/** Null where there is no such file. */
function read(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** False also for what a process left empty that was killed while it wrote. */
function isHeld(text: string): boolean {
  const [pid = '', start] = text.trim().split(' ');
  if (!/^[1-9]\d*$/.test(pid) || !isAlive(Number(pid))) return false;
  // In a container every start gets the same process id, so the id alone would hold the folder for ever after a kill.
  const now = startOf(Number(pid));
  return now === null || start === undefined || start === '-' || start === now;
}

function inUse(folder: string, text: string): StoreError {
  return new StoreError(
    'locked',
    `The data folder ${folder} is in use by process ${text.split(' ')[0]?.trim()}. Stop it, or choose another folder with --data.`,
  );
}
