import { existsSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readManifest } from './manifest.ts';
import { mergeProducts } from './merge.ts';
import { openSegment } from './segment.ts';

/** The bytes of the saved products. */
export async function savedBytes(dir: string): Promise<number> {
  if (!existsSync(dir)) return 0;
  await mergeProducts({ dir, goodPath: null });
  return readManifest(dir).segments.reduce((sum, { live, liveBytes }) => sum + liveBytes + live, 0);
}

/** The lines of the saved products, the most recent first; null if none are saved. */
export async function readSavedLines(dir: string): Promise<readonly string[] | null> {
  if (!existsSync(dir)) return null;
  await mergeProducts({ dir, goodPath: null });
  const { segments } = readManifest(dir);
  if (segments.length === 0) return null;
  const lines: string[] = [];
  for (const entry of segments) {
    const segment = openSegment(dir, entry, { keeps: false });
    try {
      for (let at = 0; at < entry.products; at += 1) if (segment.isLive(at)) lines.push(segment.line(at).toString());
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
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const goodPath = join(dir, 'lines.part');
  try {
    await writeFile(goodPath, lines.map((line) => (line === '' ? '' : `${line}\n`)).join(''), { mode: 0o600 });
    await mergeProducts({ dir, goodPath });
  } finally {
    await rm(goodPath, { force: true });
  }
}
