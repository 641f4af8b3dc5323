/**
 * The private folders of stores in memory and of commands, in the system's folder for such files:
 * `sandpiper-<process id>-<namespace of that id>-<start of the process>-<random>`, with 0 for values that the system
 * lacks.
 */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wholly } from '../system.ts';
import { fixOfTemporary, StoreError } from './errors.ts';
import { isAlive, namespaceOfIds, ticksOf } from './processes.ts';

/** The folders of this process. There is one listener for all of them: many emulators may run in one process. */
const ofThisProcess = new Set<string>();
const removeAll = (): void => ofThisProcess.forEach(removeTemporaryFolder);

/**
 * Creates a folder. It is removed when the process ends, at the latest.
 * @throws StoreError `unwritable` if the system's folder is not there or cannot be written
 */
export function makeTemporaryFolder(): string {
  const folder = makeFolder();
  if (ofThisProcess.size === 0) process.once('exit', removeAll);
  ofThisProcess.add(folder);
  return folder;
}

function makeFolder(): string {
  try {
    const owner = [process.pid, namespaceOfIds() ?? 0, ticksOf(process.pid) ?? 0].join('-');
    return mkdtempSync(join(tmpdir(), `sandpiper-${owner}-`));
  } catch (error) {
    throw noFolder(error);
  }
}

function noFolder(cause: unknown): StoreError {
  const { code = 'no reason' } = cause as NodeJS.ErrnoException;
  return new StoreError(
    'unwritable',
    `No temporary folder can be made in ${tmpdir()} (${code}). ${fixOfTemporary(cause)}.`,
    { cause },
  );
}

/** Removes a folder of this process. */
export function removeTemporaryFolder(folder: string): void {
  rmSync(folder, wholly);
  ofThisProcess.delete(folder);
  // Leave no listener in a program that uses the test library.
  if (ofThisProcess.size === 0) process.off('exit', removeAll);
}

/**
 * Removes the folders that killed processes of this user left behind.
 * @throws StoreError `unwritable` if the system's folder is not there
 */
export function removeAbandonedFolders(): void {
  for (const name of namesThere()) {
    const [, pid, namespace, start] = /^sandpiper-(\d+)(?:-(\d+)-(\d+))?-[A-Za-z0-9]{6}$/.exec(name) ?? [];
    if (pid === undefined || isOwned(Number(pid), namespace, start)) continue;
    const path = join(tmpdir(), name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    // Other users may make folders with such names there, too.
    if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue;
    rmSync(path, wholly);
  }
}

function namesThere(): readonly string[] {
  try {
    return readdirSync(tmpdir());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // If users may make folders but not list them, the folders that were left behind stay.
    if (code === 'EACCES' || code === 'EPERM') return [];
    throw noFolder(error);
  }
}

/**
 * Whether the process of a folder may still run. Nothing is known about a process in another namespace, such as a
 * container that shares the folder. Folders of earlier versions name only the process id.
 */
function isOwned(pid: number, namespace = namespaceOfIds() ?? '0', start = '0'): boolean {
  if (namespace !== (namespaceOfIds() ?? '0')) return true;
  return isAlive(pid) && (start === '0' || start === (ticksOf(pid) ?? start));
}
