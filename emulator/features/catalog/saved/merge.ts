import { closeSync, openSync, readSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openFileWriter, partPath } from '../check/file-writer.ts';
import { MAX_LINE_BYTES } from '../check/lines.ts';
import {
  eachLine,
  generationFiles,
  generationName,
  listGenerations,
  toIndexEntry,
  type IndexEntry,
} from './index-file.ts';

export interface MergeOptions {
  /** The folder of a company's saved products. */
  readonly dir: string;
  /** Lines that `checkFile` found good. */
  readonly goodPath: string;
}

export interface MergeResult {
  /** Products in the file. */
  readonly received: number;
  /** Products saved from it: all, because it has only good lines. */
  readonly processed: number;
}

interface GoodLine {
  readonly id: string;
  readonly name: string;
  readonly variants: readonly { readonly id: string }[];
}

/**
 * Merges checked products into the catalog by id: a product of the file replaces the saved one (section 2.1), the
 * others stay. The new state is written to a new folder `generation-N.part`, and becomes the catalog by one rename. So
 * a kill leaves the old catalog or the new one, never a mixture, and repeating a merge gives the same catalog. The most
 * recently uploaded products come first. Memory: the ids of the file.
 */
export async function mergeProducts({ dir, goodPath }: MergeOptions): Promise<MergeResult> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const { numbers, leftovers } = await listGenerations(dir);
  for (const name of leftovers) await rm(join(dir, name), { recursive: true, force: true });

  const current = numbers[0];
  const next = join(dir, generationName((current ?? 0) + 1));
  const folder = partPath(next);
  await mkdir(folder, { mode: 0o700 });
  const received = await writeGeneration(
    folder,
    goodPath,
    current === undefined ? null : join(dir, generationName(current)),
  );
  await rename(folder, next);
  return { received, processed: received };
}

/** Writes the three files of a generation into `folder` and returns the number of products of `goodPath`. */
async function writeGeneration(folder: string, goodPath: string, oldFolder: string | null): Promise<number> {
  const files = generationFiles(folder);
  const products = openFileWriter(files.products);
  const index = openFileWriter(files.index);
  const received = new Set<string>();
  let kept = 0;

  function add([id, name, , , variantIds]: IndexEntry, line: Buffer): void {
    const entry: IndexEntry = [id, name, products.bytes, line.length, variantIds];
    index.line(Buffer.from(JSON.stringify(entry)));
    products.line(line);
  }

  try {
    await eachLine(goodPath, (line) => {
      const { id, name, variants } = JSON.parse(line.toString()) as GoodLine;
      if (received.has(id))
        throw new Error(`${goodPath} contains product ${JSON.stringify(id)} twice: check the file first`);
      received.add(id);
      add([id, name, 0, 0, variants.map((variant) => variant.id)], line);
    });
    if (oldFolder !== null) kept = await keepOthers(oldFolder, received, add);
    products.finish();
    index.finish();
  } catch (error) {
    products.abandon();
    index.abandon();
    throw error;
  }
  await writeFile(files.head, JSON.stringify({ products: received.size + kept }), { mode: 0o600, flush: true });
  return received.size;
}

/** Copies the products that are not replaced; only the index is parsed. */
async function keepOthers(
  oldFolder: string,
  replaced: ReadonlySet<string>,
  add: (entry: IndexEntry, line: Buffer) => void,
): Promise<number> {
  const old = generationFiles(oldFolder);
  const file = openSync(old.products, 'r');
  let kept = 0;
  try {
    const buffer = Buffer.allocUnsafe(MAX_LINE_BYTES);
    await eachLine(old.index, (bytes) => {
      const entry = toIndexEntry(bytes);
      const [id, , offset, length] = entry;
      if (replaced.has(id)) return;
      const line = buffer.subarray(0, length);
      if (readSync(file, line, 0, length, offset) !== length)
        throw new Error(`${old.products} ends before product ${id}`);
      add(entry, line);
      kept += 1;
    });
  } finally {
    closeSync(file);
  }
  return kept;
}
