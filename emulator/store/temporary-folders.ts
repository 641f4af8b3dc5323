/**
 * The private folders of stores in memory and of commands, in the system's folder for such files:
 * `sandpiper-<process id>-<namespace of that id>-<start of the process>-<random>`, with 0 for what the system does not say.
 */
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wholly } from '../system.ts';
import { fixOfTemporary, StoreError } from './errors.ts';
import { isAlive, namespaceOfIds, ticksOf } from './processes.ts';

/** Those of this process. One listener for all of them: many emulators may run in one process. */
const ofThisProcess = new Set<string>();
const removeAll = (): void => ofThisProcess.forEach(removeTemporaryFolder);

/**
 * Creates one. It is removed when the process ends, at the latest.
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

/** Removes one of this process. */
export function removeTemporaryFolder(folder: string): void {
  rmSync(folder, wholly);
  ofThisProcess.delete(folder);
  // A program that uses the test library keeps no listener of ours.
  if (ofThisProcess.size === 0) process.off('exit', removeAll);
}

/**
 * Removes those that killed processes of this user left behind.
 * @throws StoreError `unwritable` if the system's folder is not there
 */
export function removeAbandonedFolders(): void {
  for (const name of namesThere()) {
    const [, pid, namespace, start] = /^sandpiper-(\d+)(?:-(\d+)-(\d+))?-[A-Za-z0-9]{6}$/.exec(name) ?? [];
    if (pid === undefined || isOwned(Number(pid), namespace, start)) continue;
    const path = join(tmpdir(), name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    // Others may make folders of such names there, too.
    if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue;
    rmSync(path, wholly);
  }
}

function namesThere(): readonly string[] {
  try {
    return readdirSync(tmpdir());
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Where users may make folders and not list them, what was left behind stays.
    if (code === 'EACCES' || code === 'EPERM') return [];
    throw noFolder(error);
  }
}

/**
 * Whether the process may still run. Of one in another namespace, such as a container that shares the folder, nothing is known;
 * folders of earlier versions name only its id.
 */
function isOwned(pid: number, namespace = namespaceOfIds() ?? '0', start = '0'): boolean {
  if (namespace !== (namespaceOfIds() ?? '0')) return true;
  return isAlive(pid) && (start === '0' || start === (ticksOf(pid) ?? start));
}
