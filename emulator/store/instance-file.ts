import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  openSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { randomSecret } from '../ids.ts';
import { renameAtOnce } from '../system.ts';

/** The addresses of a running emulator, for the commands that call it. */
export interface Instance {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly inspectorUrl: string;
  /** The address at which commands on the same machine reach the control API, whatever the public address is. */
  readonly localInspectorUrl: string;
  readonly token: string;
  readonly pid: number;
}

/** The path of the file in a data folder that has the instance. */
export const instancePath = (dataDir: string): string => join(dataDir, 'control.json');

/**
 * The content of the file. It also has the real path of its folder, because a copy of the folder has this file, too.
 */
interface Written extends Instance {
  readonly folder?: string;
}

/** Writes the addresses and the token of a running emulator to its data folder, readable only by its user. */
export function writeInstance(dataDir: string, instance: Instance): void {
  const written: Written = { ...instance, folder: realpathSync(dataDir) };
  writeSecret(instancePath(dataDir), `${JSON.stringify(written, null, 2)}\n`);
}

/**
 * The emulator that runs on a data folder, or the last one that did. Null if there never was one, if the file is not
 * valid, or if it came with a copy of another folder.
 * @throws the error of the system if this user may not read it
 */
export function readInstance(dataDir: string): Instance | null {
  const written = readWritten(dataDir);
  if (written === null) return null;
  const { folder, ...instance } = written;
  return folder !== undefined && isCopyOf(folder, dataDir, instance.token) ? null : instance;
}

/**
 * Whether the file in `dataDir` was copied from a folder that still has one. If the folder was renamed, or has another
 * path in a container, its first path leads to the same folder, or to no such file.
 */
function isCopyOf(folder: string, dataDir: string, token: string): boolean {
  if (realpathSync(dataDir) === folder) return false;
  try {
    const [there, here] = [statSync(folder), statSync(dataDir)];
    return (there.ino !== here.ino || there.dev !== here.dev) && readWritten(folder)?.token === token;
  } catch {
    // That path does not exist here, or this user may not read it.
    return false;
  }
}

/** @throws the error of the system if this user may not read it */
function readWritten(dataDir: string): Written | null {
  try {
    const read = JSON.parse(readFileSync(instancePath(dataDir), 'utf8')) as Partial<Written> | null;
    const isWhole = typeof read?.localInspectorUrl === 'string' && typeof read.token === 'string';
    return isWhole ? (read as Written) : null;
  } catch (error) {
    if (
      error instanceof SyntaxError ||
      ['ENOENT', 'ENOTDIR', 'EISDIR', 'ENAMETOOLONG'].includes((error as NodeJS.ErrnoException).code ?? '')
    )
      return null;
    throw error;
  }
}

/**
 * Removes the file when the emulator ends, unless it belongs to another emulator that started in the folder meanwhile.
 */
export function removeInstance(dataDir: string, { localInspectorUrl, pid }: Instance): void {
  const present = readInstance(dataDir);
  const isMine = present?.pid === pid && present.localInspectorUrl === localInspectorUrl;
  if (isMine || present === null) rmSync(instancePath(dataDir), { force: true });
}

const tokenName = 'control-token';

/**
 * The control API's token of a data folder, generated at the first start. It stays the same, so that an open inspector
 * and saved commands work after a restart. Readable only by its user; to get another one, remove the file.
 * @param dataDir null, if everything is in memory; each call then generates a new token
 */
export function keptToken(dataDir: string | null): string {
  if (dataDir === null) return randomSecret(24);
  const path = join(dataDir, tokenName);
  const kept = readSecret(path)?.trim();
  if (kept !== undefined && tokenForm.test(kept)) return kept;
  const made = randomSecret(24);
  writeSecret(path, `${made}\n`);
  return made;
}

/** The form of a token that is as hard to guess as a generated one, and valid in a header. */
const tokenForm = /^[\w.~+/=-]{20,}$/;

/**
 * Writes a file that only its user may read, and replaces any file with that name: an existing file would keep its
 * mode, and a link would lead elsewhere. The data folder has one writer, so the temporary name is free.
 */
function writeSecret(path: string, text: string): void {
  const aside = `${path}.tmp`;
  rmSync(aside, { force: true });
  try {
    writeFileSync(aside, text, { mode: 0o600, flag: 'wx' });
    renameAtOnce(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/**
 * Returns the text of a file, and lets only its user read it from now on; null if there is none, or if it is a link.
 */
function readSecret(path: string): string | null {
  let file: number;
  try {
    // Windows has no such flag, and no modes either.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
  } catch (error) {
    if (['ENOENT', 'ELOOP'].includes((error as NodeJS.ErrnoException).code ?? '')) return null;
    throw error;
  }
  try {
    // Only if needed: Node's permission model refuses this call, whatever the mode is.
    if ((fstatSync(file).mode & 0o077) !== 0) fchmodSync(file, 0o600);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
