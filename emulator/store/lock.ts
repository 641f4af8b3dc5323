import { closeSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { StoreError } from './errors.ts';

/**
 * Takes the lock of a data folder, so that it has one writer. A lock whose process is gone is taken over.
 * @returns what gives the lock back
 * @throws StoreError `locked` while another process, or another emulator in this one, holds it
 */
export function takeLock(folder: string): () => void {
  const path = join(folder, 'lock');
  for (let tries = 0; tries < 3; tries++) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, String(process.pid));
      closeSync(file);
      return () => remove(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const owner = readOwner(path);
    if (owner !== null && isAlive(owner)) {
      throw new StoreError(
        'locked',
        `The data folder ${folder} is in use by process ${owner}. Stop it, or choose another folder with --data.`,
      );
    }
    remove(path);
  }
  throw new StoreError(
    'locked',
    `The data folder ${folder} is being opened by another process. Stop it, or choose another folder with --data.`,
  );
}

/** Null where the file is gone or was left empty by a process that was killed while it wrote. */
function readOwner(path: string): number | null {
  try {
    return Number(readFileSync(path, 'utf8')) || null;
  } catch {
    return null;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives, and belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
