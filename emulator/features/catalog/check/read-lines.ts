import { open } from 'node:fs/promises';
import { createLineSplitter, type LineEvents } from './lines.ts';
import type { CheckProgress } from './report.ts';

export interface ReadingOptions {
  /** Called every 8 MB and at the end. */
  readonly onProgress?: (progress: CheckProgress) => void;
  readonly signal?: AbortSignal;
  /** Bytes that are read at once. */
  readonly chunkBytes?: number;
}

const CHUNK_BYTES = 1024 * 1024;
const PROGRESS_BYTES = 8 * 1024 * 1024;

/**
 * Reads a file through the splitter, and returns its numbers of lines and bytes.
 * @param errors returns how many were found so far, for the progress
 */
export async function readLines(
  path: string,
  events: LineEvents,
  errors: () => number,
  { onProgress, signal, chunkBytes = CHUNK_BYTES }: ReadingOptions,
): Promise<{ readonly lines: number; readonly bytes: number }> {
  const splitter = createLineSplitter(events);
  const chunk = Buffer.allocUnsafe(chunkBytes);
  const file = await open(path, 'r');
  let bytes = 0;
  let reported = 0;
  try {
    while (!splitter.isStopped) {
      signal?.throwIfAborted();
      const { bytesRead } = await file.read(chunk, 0, chunkBytes);
      if (bytesRead === 0) break;
      splitter.push(chunk.subarray(0, bytesRead));
      bytes += bytesRead;
      if (bytes - reported < PROGRESS_BYTES) continue;
      reported = bytes;
      onProgress?.({ bytes, lines: splitter.lines, errors: errors() });
    }
    splitter.end();
  } finally {
    await file.close();
  }
  onProgress?.({ bytes, lines: splitter.lines, errors: errors() });
  return { lines: splitter.lines, bytes };
}
