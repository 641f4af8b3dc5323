import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

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
    if ((error as NodeJS.ErrnoException).code === 'ENOENT' || error instanceof SyntaxError) return null;
    throw error;
  }
}

/** Takes the file away when the emulator ends. */
export function removeInstance(dataDir: string): void {
  rmSync(join(dataDir, name), { force: true });
}
