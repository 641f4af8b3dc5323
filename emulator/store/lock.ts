import { randomUUID } from 'node:crypto';
import { linkSync, readdirSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { StoreError, storeClosed } from './errors.ts';
import { readInstance } from './instance-file.ts';
import { textOrNull } from './or-null.ts';
import { isAlive, startOf } from './processes.ts';

/** The lock of a data folder that this emulator has taken. */
export interface Lock {
  /**
   * @throws StoreError `folder-lost` if the file is no longer this lock, because someone removed, renamed or replaced
   *   the folder; `closed` if this emulator released the lock
   */
  check(): void;
  /** Whether the folder still belongs to this emulator, for the cleanup at the end. */
  isMine(): boolean;
  release(): void;
}

/**
 * Takes the lock of a data folder, so that it has one writer: a file with the process id, the time at which the process
 * started (if the system tells it) and the path of the folder. A lock is taken over if its process has ended, or if
 * another process now has its id. Without the time of the start, a lock is taken over if it is older than the start of
 * the machine, or, if it has the id of this process, older than this process.
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
      const isMine = (): boolean => textOrNull(path) === mine;
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
    const text = textOrNull(path);
    if (text === null) continue;
    refuseHeld(folder, text, ageOf(path, present));
    takeAway(folder, path, text, present);
  }
  throw new StoreError(
    'locked',
    `The data folder ${folder} is being opened by another process. Stop it, or choose another folder with --data.`,
  );
}

/**
 * The message of a start if another process has the folder; null if it can take the folder, or cannot know.
 * @param present epoch ms
 */
export function sayHeld(folder: string, present: number): string | null {
  const path = join(folder, 'lock');
  try {
    const text = textOrNull(path);
    if (text !== null) refuseHeld(folder, text, ageOf(path, present));
  } catch (error) {
    // A file that cannot be read is reported where all files of the folder are checked.
    if (error instanceof StoreError) return error.message;
  }
  return null;
}

/**
 * The error if the folder no longer belongs to this emulator. It protects the files of another emulator from being
 * replaced.
 */
export function folderLost(folder: string): StoreError {
  return new StoreError(
    'folder-lost',
    `The data folder ${folder} was removed, renamed or replaced while Sandpiper ran, so nothing more is stored. Put it back, or stop Sandpiper and start it again.`,
  );
}

/**
 * Places the lock. Returns null if it was placed; if there is a lock, the present time by the clock of the disk, which
 * is also that of the lock. The file appears together with its text, so no process sees an empty one.
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

/** Whether the lock was placed as a link; null if that cannot be done. */
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
 * Removes a stale lock. If two processes found it, the slower one may remove the new lock of the other. Then it puts
 * that lock back.
 */
function takeAway(folder: string, path: string, stale: string, present: number): void {
  const aside = `${path}.${randomUUID()}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw error;
  }
  const taken = textOrNull(aside);
  if (taken !== null && taken !== stale)
    try {
      refuseHeld(folder, taken, ageOf(aside, present));
    } catch (error) {
      renameSync(aside, path);
      throw error;
    }
  rmSync(aside, { force: true });
}

/** Removes temporary files for locks that a kill left behind. */
function removeLeftOvers(folder: string): void {
  for (const name of readdirSync(folder)) if (name.startsWith('lock.')) rmSync(join(folder, name), { force: true });
}

/** When a file was written, by the clock of its disk; null if there is none. */
function timeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? null;
}

/** How long ago a file was written, in seconds. */
const ageOf = (path: string, present: number): number => (present - (timeOf(path) ?? present)) / 1000;

/**
 * Refuses a lock that is in use, but not an empty file of a process that was killed while it wrote.
 * @throws StoreError `locked` if the process is running
 */
function refuseHeld(folder: string, text: string, age: number): void {
  const [pid = '', start, , ...place] = text.trim().split(' ');
  if (!/^[1-9]\d*$/.test(pid) || !isAlive(Number(pid))) return;
  // In a container every start gets the same process id, so with the id alone the folder would stay locked after a
  // kill.
  const now = startOf(Number(pid));
  const isKnown = now !== null && start !== undefined && start !== '-';
  // If the lock is older than the start of the machine, or than this process with the same id, its process has ended.
  if (isKnown ? start !== now : age > (Number(pid) === process.pid ? process.uptime() : uptime())) return;
  const orRemove = isKnown ? '' : ` If that process is not Sandpiper, remove the file "lock" in the folder.`;
  throw new StoreError(
    'locked',
    `The data folder ${folder} is in use by process ${pid}${whereItIs(folder, Number(pid))}. Stop it, or choose another folder with --data.${orRemove}${orCopied(folder, place.join(' '))}`,
  );
}

/** The path of a folder without links, on one line. */
const toPlace = (folder: string): string => JSON.stringify(realpathSync(folder));

/**
 * What to do if the lock came with a copy of the folder of a running emulator, such as a backup.
 * @param place the folder in the lock
 */
function orCopied(folder: string, place: string): string {
  if (place === '' || place === toPlace(folder)) return '';
  return ` The process opened ${place}: if this is a copy of that folder, remove the file "lock" in the copy.`;
}

/** The address of the process's inspector, if the folder has it and this user may read it. */
function whereItIs(folder: string, pid: number): string {
  try {
    const instance = readInstance(folder);
    return instance?.pid === pid ? `, whose inspector is at ${instance.inspectorUrl}` : '';
  } catch {
    return '';
  }
}
