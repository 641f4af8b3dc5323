import { closeSync, constants, fchmodSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomSecret } from '../ids.ts';

/** Where a running emulator answers, for the commands that talk to it. */
export interface Instance {
  readonly apiUrl: string;
  readonly authUrl: string;
  readonly inspectorUrl: string;
  readonly token: string;
  readonly pid: number;
}

const name = 'control.json';

/** Leaves the addresses and the token of a running emulator in its data folder, readable by its user alone. */
export function writeInstance(dataDir: string, instance: Instance): void {
  writeSecret(join(dataDir, name), `${JSON.stringify(instance, null, 2)}\n`);
}

/** The emulator that runs on a data folder, or the last one that did; null where there never was one. */
export function readInstance(dataDir: string): Instance | null {
  try {
    return JSON.parse(readFileSync(join(dataDir, name), 'utf8')) as Instance;
  } catch (error) {
    if (error instanceof SyntaxError || ['ENOENT', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      return null;
    throw error;
  }
}

/** Takes the file away when the emulator ends. */
export function removeInstance(dataDir: string): void {
  rmSync(join(dataDir, name), { force: true });
}

const tokenName = 'control-token';

/**
 * The control API's token of a data folder, made at its first start. It stays the same, so that an open inspector and
 * saved commands go on after a restart. Readable by its user alone; to get another one, remove the file.
 * @param dataDir null, where everything is in memory, makes a new one each time
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

/** At least as hard to guess as a made one, and fit for a header. */
const tokenForm = /^[\w.~+/=-]{20,}$/;

/**
 * Puts a file that its user alone may read in place of whatever has that name: an existing file would keep its mode, and
 * a link would lead elsewhere. The data folder has one writer, so the name aside is free.
 */
function writeSecret(path: string, text: string): void {
  const aside = `${path}.tmp`;
  rmSync(aside, { force: true });
  writeFileSync(aside, text, { mode: 0o600, flag: 'wx' });
  try {
    renameSync(aside, path);
  } catch (error) {
    rmSync(aside, { force: true });
    throw error;
  }
}

/** The text of a file, which its user alone may read from now on; null where there is none, or a link. */
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
    fchmodSync(file, 0o600);
    return readFileSync(file, 'utf8');
  } finally {
    closeSync(file);
  }
}
