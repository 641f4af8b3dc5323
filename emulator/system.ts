/** What is not the same on every system. */
import { renameSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { nextTurn } from './globals.ts';

/** The variable that names the folder for temporary files. */
export const temporaryVariable = process.platform === 'win32' ? 'TEMP' : 'TMPDIR';

/** How a folder is removed with all in it: Windows refuses that, too, while one of its files is open elsewhere for a moment. */
export const wholly = { recursive: true, force: true, maxRetries: 3 } as const;

/**
 * Renames a file or a folder, also where the system refuses it for a moment.
 * Windows answers EPERM or EBUSY while a virus scanner or an editor has the file, or one in the folder, open; so does Linux
 * where the disk is that of Windows, in WSL or a container. A try takes about 0.1 ms, and there are no timers here, so all
 * tries take about two seconds.
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

/** The same, synchronously, for callers that nothing may interrupt. */
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
