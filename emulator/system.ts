/** Differences between operating systems. */
import { closeSync, fsyncSync, mkdirSync, openSync, renameSync, statSync } from 'node:fs';
import { open, rename, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { nextTurn } from './globals.ts';

const isWindows = process.platform === 'win32';

/** The variable that names the folder for temporary files. */
export const temporaryVariable = isWindows ? 'TEMP' : 'TMPDIR';

/** The variable that names the home folder of the user. */
export const homeVariable = isWindows ? 'USERPROFILE' : 'HOME';

/**
 * Where programs store the data of a user: in the folder that `variable` names, else in `inHome` below the home folder.
 */
export const userData = isWindows
  ? { variable: 'APPDATA', inHome: ['AppData', 'Roaming'], ownName: 'Sandpiper' }
  : process.platform === 'darwin'
    ? { variable: null, inHome: ['Library', 'Application Support'], ownName: 'Sandpiper' }
    : { variable: 'XDG_DATA_HOME', inHome: ['.local', 'share'], ownName: 'sandpiper' };

/** The file with names of hosts and their addresses. */
export const hostsFile = isWindows
  ? join(process.env['SystemRoot'] ?? 'C:\\Windows', 'System32', 'drivers', 'etc', 'hosts')
  : '/etc/hosts';

/** Whether the mode of a file or folder says who may use it. */
export const hasModes = !isWindows;

/** Whether programs such as npm are scripts that only a shell runs. */
export const needsShell = isWindows;

/** Whether a signal can reach a single process, which can pass it on to another. */
export const passesSignals = !isWindows;

/** An example for LAUNCH_EDITOR. On Windows a name such as `code` is a script, which cannot be run without a shell. */
export const exampleEditor = isWindows ? 'the whole path of Code.exe' : 'code';

/** The command that lists the ports that the system keeps for other programs; null if it keeps none. */
export const listOfHeldPorts = isWindows ? 'netsh interface ipv4 show excludedportrange tcp' : null;

/**
 * The options that remove a folder with its contents. They retry, as Windows refuses while another program has a file
 * in it open.
 */
export const wholly = { recursive: true, force: true, maxRetries: 3 } as const;

/**
 * Makes a folder for this user only, and its missing parents. It makes them one by one: with `recursive`, Node 20
 * reports a missing folder on a read-only disk, and never returns in places such as /proc, where the system lets no one
 * make a folder.
 * @param made collects the new folders, outermost first
 */
export function makeFolder(folder: string, made: string[] = []): void {
  if (isFolder(folder)) return;
  if (dirname(folder) !== folder) makeFolder(dirname(folder), made);
  try {
    mkdirSync(folder, { mode: 0o700 });
    made.push(folder);
  } catch (error) {
    // Another process that is starting may have made it.
    if (!isFolder(folder)) throw error;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
  } catch {
    // A path that cannot be read is refused again, with the reason, when a folder is made in it.
    return false;
  }
}

/**
 * Renames a file or a folder, and retries if the system refuses for a moment. Windows answers EPERM or EBUSY while a
 * virus scanner or an editor has the file, or a file in the folder, open. So does Linux on a disk of Windows, in WSL or
 * a container. A try takes about 0.1 ms, and there are no timers here, so all tries take about two seconds.
 */
export async function renameWithRetry(from: string, to: string): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      return await rename(from, to);
    } catch (error) {
      if (tries === 20_000 || !isBusy(error)) throw error;
      await nextTurn();
    }
  }
}

/** Like `renameWithRetry`, but synchronous and with 200 retries, for callers that must not be interrupted. */
export function renameAtOnce(from: string, to: string): void {
  for (let tries = 0; ; tries++) {
    try {
      return renameSync(from, to);
    } catch (error) {
      if (tries === 200 || !isBusy(error)) throw error;
    }
  }
}

function isBusy(error: unknown): boolean {
  return ['EPERM', 'EBUSY', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '');
}

/**
 * Makes the bytes of a file survive a power loss, except under Node's permission model, which lets no program do so.
 */
export async function syncFile(file: FileHandle): Promise<void> {
  try {
    await file.sync();
  } catch (error) {
    if (!isNotPermitted(error)) throw error;
  }
}

/** The same, synchronously, for data that must be durable when the caller returns. */
export function syncFileAtOnce(file: number): void {
  try {
    fsyncSync(file);
  } catch (error) {
    if (!isNotPermitted(error)) throw error;
  }
}

/** Whether Node's permission model refused the call, and not the system. */
function isNotPermitted(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === 'ERR_ACCESS_DENIED';
}

/** Makes the names in a folder survive a power loss. Windows does so by itself and has no such call. */
export async function syncFolder(folder: string): Promise<void> {
  if (isWindows) return;
  const handle = await open(folder, 'r');
  try {
    await syncFile(handle);
  } finally {
    await handle.close();
  }
}

/** The same, synchronously. */
export function syncFolderAtOnce(folder: string): void {
  if (isWindows) return;
  const handle = openSync(folder, 'r');
  try {
    syncFileAtOnce(handle);
  } finally {
    closeSync(handle);
  }
}
