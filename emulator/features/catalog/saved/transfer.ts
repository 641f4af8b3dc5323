import { existsSync, statSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generationFiles, generationName, listGenerations } from './index-file.ts';
import { mergeProducts } from './merge.ts';

/** The file with the lines of the saved products, one product per line; null if none are saved. */
async function savedLinesPath(dir: string): Promise<string | null> {
  if (!existsSync(dir)) return null;
  const newest = (await listGenerations(dir)).numbers[0];
  return newest === undefined ? null : generationFiles(join(dir, generationName(newest))).products;
}

/** The bytes of the saved products. */
export async function savedBytes(dir: string): Promise<number> {
  const path = await savedLinesPath(dir);
  return path === null ? 0 : statSync(path).size;
}

/** The lines of the saved products, the most recent first; null if none are saved. */
export async function readSavedLines(dir: string): Promise<readonly string[] | null> {
  const path = await savedLinesPath(dir);
  return path === null ? null : (await readFile(path, 'utf8')).split('\n');
}

/**
 * Merges lines into the saved products of a folder that is not open, as an upload of them would; the index is rebuilt
 * from the lines. Throws an Error that names a line that is not a product.
 */
export async function writeSavedLines(dir: string, lines: readonly string[]): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const goodPath = join(dir, 'lines.part');
  try {
    await writeFile(goodPath, lines.map((line) => (line === '' ? '' : `${line}\n`)).join(''), { mode: 0o600 });
    await mergeProducts({ dir, goodPath });
  } finally {
    await rm(goodPath, { force: true });
  }
}
