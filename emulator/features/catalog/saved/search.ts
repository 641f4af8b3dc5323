import { open, readFile } from 'node:fs/promises';
import { segmentFiles, toWords, type Segment } from './segment.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;
const PLACE_NUMBERS = 3;

/**
 * The live products of a segment of which the id, the name or the id of a variant contains `q` in any case, by their
 * number, in order. Reads the words of the segment in pieces, between which the thread is free.
 */
export async function searchSegment({ folder, isLive, entry }: Segment, q: string): Promise<readonly number[]> {
  const wanted = Buffer.from(toWords(q));
  const files = segmentFiles(folder);
  const raw = await readFile(files.places);
  const places = new Float64Array(raw.buffer, raw.byteOffset, entry.products * PLACE_NUMBERS);
  const startOf = (at: number): number => places[at * PLACE_NUMBERS + 2] ?? Number.POSITIVE_INFINITY;
  const found: number[] = [];
  let at = 0;

  const file = await open(files.words, 'r');
  try {
    const chunk = Buffer.allocUnsafe(CHUNK_BYTES);
    // Pieces overlap by what a match may be long, so that none is cut.
    for (let from = 0; at < entry.products; from += CHUNK_BYTES - wanted.length) {
      const { bytesRead } = await file.read(chunk, 0, CHUNK_BYTES, from);
      const piece = chunk.subarray(0, bytesRead);
      let match = piece.indexOf(wanted, Math.max(0, startOf(at) - from));
      while (match >= 0) {
        at = productAt(from + match, at);
        if (isLive(at)) found.push(at);
        at += 1;
        if (startOf(at) - from >= bytesRead) break;
        match = piece.indexOf(wanted, startOf(at) - from);
      }
      if (bytesRead < CHUNK_BYTES) break;
    }
  } finally {
    await file.close();
  }
  return found;

  /** The product, `first` or later, in whose words this byte is. */
  function productAt(byte: number, first: number): number {
    let step = 1;
    while (startOf(first + step) <= byte) step *= 2;
    let [low, high] = [first + (step >> 1), Math.min(first + step, entry.products)];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (startOf(middle) <= byte) low = middle;
      else high = middle;
    }
    return low;
  }
}
