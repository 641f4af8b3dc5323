import { chmodSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
  writeFileSync(join(dataDir, name), `${JSON.stringify(instance, null, 2)}\n`, { mode: 0o600 });
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
  try {
    const token = readFileSync(path, 'utf8').trim();
    chmodSync(path, 0o600);
    if (tokenForm.test(token)) return token;
    rmSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
  const made = randomSecret(24);
  writeFileSync(path, `${made}\n`, { mode: 0o600, flag: 'wx' });
  return made;
}

/** At least as hard to guess as a made one, and fit for a header. */
const tokenForm = /^[\w.~+/=-]{20,}$/;
