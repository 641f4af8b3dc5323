import { randomUUID } from 'node:crypto';
import {
  linkSync,
  readFileSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { StoreError, storeClosed } from './errors.ts';
import { readInstance } from './instance-file.ts';
import { isAlive, startOf } from './processes.ts';

/** The lock of a data folder that this emulator has taken. */
export interface Lock {
  /**
   * @throws StoreError `folder-lost` if the lock is no longer this one: someone removed the folder, renamed or replaced it;
   *   `closed` if this emulator gave the folder free
   */
  check(): void;
  /** Whether the folder is still this emulator's, for what is cleaned up at the end. */
  isMine(): boolean;
  release(): void;
}

/**
 * Takes the lock of a data folder, so that it has one writer: a file with the process id, the time at which the process
 * started (if the system tells it) and the path of the folder. A lock is taken over if its process has ended, or if another
 * process now has its id; without that time, if it is older than the start of the machine, or of this process if it has its id.
 * @throws StoreError `locked` while another process, or another emulator in this process, has the lock
 */
export function takeLock(folder: string): Lock {
  const path = join(folder, 'lock');
  // The random part distinguishes two emulators of one process when one of them releases its lock.
  const mine = `${process.pid} ${startOf(process.pid) ?? '-'} ${randomUUID()} ${toPlace(folder)}\n`;
  for (let tries = 0; tries < 5; tries++) {
    const present = place(path, mine);
    if (present === null) {
      removeLeftOvers(folder);
      const isMine = (): boolean => read(path) === mine;
      let isReleased = false;
      return {
        check() {
          if (isReleased) throw storeClosed();
          if (!isMine()) throw folderLost(folder);
        },
        isMine,
        release() {
          isReleased = true;
          if (isMine()) rmSync(path, { force: true });
        },
      };
    }
    const text = read(path);
    if (text === null) continue;
    refuseHeld(folder, text, ageOf(path, present));
    takeAway(folder, path, text, present);
  }
  throw new StoreError(
    'locked',
    `The data folder ${folder} is being opened by another process. Stop it, or choose another folder with --data.`,
  );
}

/** What a start says of a folder that another process has; null if it can take it, or cannot know. @param present epoch ms */
export function sayHeld(folder: string, present: number): string | null {
  const path = join(folder, 'lock');
  try {
    const text = read(path);
    if (text !== null) refuseHeld(folder, text, ageOf(path, present));
  } catch (error) {
    // That a file cannot be read is found where all files of the folder are looked at.
    if (error instanceof StoreError) return error.message;
  }
  return null;
}

/** What is said when the folder is no longer this emulator's, so that nothing that another one wrote is replaced. */
export function folderLost(folder: string): StoreError {
  return new StoreError(
    'folder-lost',
    `The data folder ${folder} was removed, renamed or replaced while Sandpiper ran, so nothing more is stored. Put it back, or stop Sandpiper and start it again.`,
  );
}

/**
 * Null if it was placed; if there is a lock, the present time, by the clock of the disk as that of the lock. The file appears
 * together with its text, so no process sees an empty one.
 */
function place(path: string, text: string): number | null {
  const aside = `${path}.${randomUUID()}`;
  try {
    writeFileSync(aside, text, { mode: 0o600, flag: 'wx' });
    const present = timeOf(aside) ?? 0;
    // Some disks have no links; there the lock is empty for a moment.
    return (placeByLink(aside, path) ?? placeByName(path, text)) ? null : present;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** Null if that cannot be done. */
function placeByLink(aside: string, path: string): boolean | null {
  try {
    linkSync(aside, path);
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // ENOENT: another process that opened the folder removed the file as a leftover.
    return code === 'EEXIST' || code === 'ENOENT' ? false : null;
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
function takeAway(folder: string, path: string, stale: string, present: number): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = read(aside);
  if (taken !== null && taken !== stale)
    try {
      refuseHeld(folder, taken, ageOf(aside, present));
    } catch (error) {
      renameSync(aside, path);
      throw error;
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

/** When a file was written, by the clock of its disk; null if there is none. */
function timeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** How long ago a file was written, in seconds. */
const ageOf = (path: string, present: number): number => (present - (timeOf(path) ?? present)) / 1000;

/** Not for an empty file of a process that was killed while it wrote. @throws StoreError `locked` if the process is running */
function refuseHeld(folder: string, text: string, age: number): void {
  const [pid = '', start, , ...place] = text.trim().split(' ');
  if (!/^[1-9]\d*$/.test(pid) || !isAlive(Number(pid))) return;
  // In a container every start gets the same process id, so with the id alone the folder would stay locked after a
  // kill.
  const now = startOf(Number(pid));
  const isKnown = now !== null && start !== undefined && start !== '-';
  // One that is older than the machine's start, or than this process, which has its id, is of a process that has ended.
  if (isKnown ? start !== now : age > (Number(pid) === process.pid ? process.uptime() : uptime())) return;
  const orRemove = isKnown ? '' : ` If that process is not Sandpiper, remove the file "lock" in the folder.`;
  throw new StoreError(
    'locked',
    `The data folder ${folder} is in use by process ${pid}${whereItIs(folder, Number(pid))}. Stop it, or choose another folder with --data.${orRemove}${orCopied(folder, place.join(' '))}`,
  );
}

/** The path of a folder without links, on one line. */
const toPlace = (folder: string): string => JSON.stringify(realpathSync(folder));

/** What to do if the lock came with a copy of the folder of a running emulator, such as a backup. @param place of that folder */
function orCopied(folder: string, place: string): string {
  if (place === '' || place === toPlace(folder)) return '';
  return ` The process opened ${place}: if this is a copy of that folder, remove the file "lock" in the copy.`;
}

/** Where the emulator of the process is seen, as far as the folder says it to this user. */
function whereItIs(folder: string, pid: number): string {
  try {
    const instance = readInstance(folder);
    return instance?.pid === pid ? `, whose inspector is at ${instance.inspectorUrl}` : '';
  } catch {
    return '';
  }
}
