import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { makeFolder } from '../../../system.ts';
import { createSlices } from '../../../time/slices.ts';
import { writePieces } from '../../../time/write-pieces.ts';
import { readManifest } from './manifest.ts';
import { mergeProducts } from './merge.ts';
import { openSegment } from './segment.ts';

/** Characters that are read before the event loop gets a turn, and how many of them cost as much as finding a line. */
const charactersPerSlice = 512 * 1024;
const charactersPerRead = 2 * 1024;
/** Bytes of a file of lines that are merged before the event loop gets a turn. */
const chunkBytes = 128 * 1024;

/** The size of the saved products, in bytes. */
export async function savedBytes(dir: string): Promise<number> {
  if (!existsSync(dir)) return 0;
  await mergeProducts({ dir, goodPath: null, chunkBytes });
  return readManifest(dir).segments.reduce((sum, { live, liveBytes }) => sum + liveBytes + live, 0);
}

/** The lines of the saved products, the most recent first; null if none are saved. */
export async function readSavedLines(dir: string): Promise<readonly string[] | null> {
  if (!existsSync(dir)) return null;
  await mergeProducts({ dir, goodPath: null, chunkBytes });
  const { segments } = readManifest(dir);
  if (segments.length === 0) return null;
  const lines: string[] = [];
  const slice = createSlices(charactersPerSlice);
  for (const entry of segments) {
    const segment = openSegment(dir, entry, { keeps: false });
    try {
      for (let at = 0; at < entry.products; at += 1) {
        if (!segment.isLive(at)) continue;
        const line = segment.line(at).toString();
        lines.push(line);
        const turn = slice(line.length + charactersPerRead);
        if (turn) await turn;
      }
    } finally {
      segment.close();
    }
  }
  return [...lines, ''];
}

/**
 * Merges lines into the saved products of a folder that is not open, as an upload of them would; the index is rebuilt
 * from the lines. Throws an Error that names a line that is not a product.
 */
export async function writeSavedLines(dir: string, lines: readonly string[]): Promise<void> {
  makeFolder(dir);
  const goodPath = join(dir, 'lines.part');
  try {
    await writePieces(goodPath, withEnds(lines));
    await mergeProducts({ dir, goodPath, chunkBytes });
  } finally {
    await rm(goodPath, { force: true });
  }
}

function* withEnds(lines: readonly string[]): Iterable<string> {
  for (const line of lines) if (line !== '') yield `${line}\n`;
}
