import { open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createLineSplitter } from '../check/lines.ts';

/**
 * One line of `index.ndjson`: product id, its name, where its line begins in `products.ndjson`, the line's length in
 * bytes, and the ids of its variants. Short, so that the index of half a million products can be searched line by line.
 */
export type IndexEntry = readonly [
  id: string,
  name: string,
  offset: number,
  length: number,
  variantIds: readonly string[],
];

export interface Head {
  readonly products: number;
}

const CHUNK_BYTES = 256 * 1024;

/** The files of one state of the catalog. */
export function generationFiles(folder: string): { products: string; index: string; head: string } {
  return {
    products: join(folder, 'products.ndjson'),
    index: join(folder, 'index.ndjson'),
    head: join(folder, 'head.json'),
  };
}

/**
 * Reads a file in small pieces, so that the thread stays free between them, and calls back for every line with its
 * place.
 */
export async function eachLine(path: string, tell: (bytes: Buffer, offset: number) => void): Promise<void> {
  const file = await open(path, 'r');
  try {
    const splitter = createLineSplitter(
      {
        line: (bytes, _num, offset) => tell(bytes, offset),
        tooLong: (num) => {
          throw new Error(
            `${path}, line ${num} is too long for a file written here; delete its folder and upload again`,
          );
        },
        tooMany: () => undefined,
      },
      { maxLines: Number.POSITIVE_INFINITY },
    );
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES);
      if (bytesRead === 0) break;
      splitter.push(chunk.subarray(0, bytesRead));
    }
    splitter.end();
  } finally {
    await file.close();
  }
}

export function toIndexEntry(line: Buffer): IndexEntry {
  return JSON.parse(line.toString()) as IndexEntry;
}

export async function readHead(folder: string): Promise<Head> {
  return JSON.parse(await readFile(generationFiles(folder).head, 'utf8')) as Head;
}

const GENERATION = /^generation-(\d+)$/;

export function generationName(number: number): string {
  return `generation-${number}`;
}

/** The numbers of the complete generations in `dir`, newest first, and the names of all other files in it. */
export async function listGenerations(dir: string): Promise<{ numbers: number[]; leftovers: string[] }> {
  const names = await readdir(dir);
  const numbers = names.flatMap((name) => GENERATION.exec(name)?.[1] ?? []).map(Number);
  const leftovers = names.filter((name) => /^generation-\d+\.part$/.test(name));
  return { numbers: numbers.sort((a, b) => b - a), leftovers };
}
