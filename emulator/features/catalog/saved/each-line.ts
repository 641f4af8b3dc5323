import { open } from 'node:fs/promises';
import { createLineSplitter } from '../check/lines.ts';

const CHUNK_BYTES = 1024 * 1024;

/**
 * Reads a file with any number of good lines, and calls back for every line with its place.
 * @param chunkBytes how many bytes are read and passed on before the event loop gets a turn
 */
export async function eachLine(
  path: string,
  tell: (bytes: Buffer, offset: number) => void,
  chunkBytes = CHUNK_BYTES,
): Promise<void> {
  const file = await open(path, 'r');
  try {
    const splitter = createLineSplitter(
      {
        line: (bytes, _num, offset) => tell(bytes, offset),
        tooLong: (num) => {
          throw new Error(`${path}, line ${num} is too long for a file written here`);
        },
        tooMany: () => undefined,
      },
      { maxLines: Number.POSITIVE_INFINITY },
    );
    const chunk = Buffer.allocUnsafe(chunkBytes);
    for (;;) {
      const { bytesRead } = await file.read(chunk, 0, chunkBytes);
      if (bytesRead === 0) break;
      splitter.push(chunk.subarray(0, bytesRead));
    }
    splitter.end();
  } finally {
    await file.close();
  }
}
