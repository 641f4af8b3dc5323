/** The private folders of stores in memory, `sandpiper-<process id>-<random>`, in the system's folder for such files. */
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StoreError } from './errors.ts';
import { isAlive } from './processes.ts';

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
    return mkdtempSync(join(tmpdir(), `sandpiper-${process.pid}-`));
  } catch (error) {
    throw noFolder((error as NodeJS.ErrnoException).code);
  }
}

function noFolder(code = 'no reason'): StoreError {
  return new StoreError(
    'unwritable',
    `No temporary folder can be made in ${tmpdir()} (${code}). Set TMPDIR to a folder that can be written, or store the data with --data.`,
  );
}

/** Removes one of this process. */
export function removeTemporaryFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  ofThisProcess.delete(folder);
  // A program that uses the test library keeps no listener of ours.
  if (ofThisProcess.size === 0) process.off('exit', removeAll);
}

/**
 * Removes those that killed processes of this user left behind.
 * @throws StoreError `unwritable` if the system's folder is not there
 */
export function removeAbandonedFolders(): void {
  if (!existsSync(tmpdir())) throw noFolder('ENOENT');
  for (const name of readdirSync(tmpdir())) {
    const pid = /^sandpiper-(\d+)-[A-Za-z0-9]{6}$/.exec(name)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const path = join(tmpdir(), name);
    const found = lstatSync(path, { throwIfNoEntry: false });
    // Others may make folders of such names there, too.
    if (!found?.isDirectory() || found.uid !== (process.getuid?.() ?? found.uid)) continue;
    rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  }
}
