import { readFileSync } from 'node:fs';

/** The result of reading a file; null if there is no such file. */
export async function orNull<R>(reading: Promise<R>): Promise<R | null> {
  try {
    return await reading;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/** The text of a file; null if there is no such file. */
export function textOrNull(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
