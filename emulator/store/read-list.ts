import { readFile } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { parseInSlices } from '../time/parse-slices.ts';
import { StoreError } from './errors.ts';

/**
 * Reads the texts of a blob that is a JSON list.
 * @throws StoreError `damaged-file` if it is not a list: a power loss may have left it empty, or a copy of the folder
 *   cut it off
 */
export async function readList(path: string): Promise<readonly string[]> {
  const bytes = await readFile(path);
  const list: unknown = await parseInSlices(bytes).catch(() => null);
  if (Array.isArray(list) && list.every((one) => typeof one === 'string')) return list;
  const name = `blobs/${basename(dirname(path))}/${basename(path)}`;
  const what = bytes.length === 0 ? 'is empty' : 'is not complete';
  throw new StoreError(
    'damaged-file',
    `The file ${name} of the data folder ${what}. Put it back from a copy of the data folder, or remove it: what is in it is then gone.`,
  );
}
