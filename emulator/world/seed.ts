import { readFile, stat } from 'node:fs/promises';
import { UserError } from '../errors.ts';
import { snapshotBytes, tooLarge } from '../store/snapshot-files.ts';
import type { Restored, Snapshots } from './snapshots.ts';

/**
 * Fills an empty store from a file that `GET /control/export` gave.
 * @throws UserError that names the file and what is wrong with it
 */
export async function plantSeed(path: string, snapshots: Snapshots): Promise<Restored> {
  try {
    return await snapshots.import(JSON.parse(await readSeed(path)), 'replace');
  } catch (error) {
    if (error instanceof SyntaxError)
      throw new UserError(`The seed ${path} is no JSON: ${error.message}. GET /control/export makes one.`);
    if (error instanceof UserError) throw new UserError(`The seed ${path} cannot be used. ${error.message}`);
    throw error;
  }
}

async function readSeed(path: string): Promise<string> {
  try {
    const { size } = await stat(path);
    if (size > snapshotBytes) throw tooLarge(size);
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`It cannot be read (${(error as Error).message}). Give --seed the path of a file.`);
  }
}
