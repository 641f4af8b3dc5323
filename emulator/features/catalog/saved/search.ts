import { open, readFile, type FileHandle } from 'node:fs/promises';
import { segmentFiles, toWords, type Segment } from './segment.ts';

const CHUNK_BYTES = 4 * 1024 * 1024;
const PLACE_NUMBERS = 3;

/**
 * The live products of a segment of which the id, the name or the id of a variant contains `q` in any case, by their
 * number, in order. Reads the words of the segment in pieces, between which the thread is free; the next piece is read
 * while one is searched.
 */
export async function searchSegment({ folder, isLive, entry }: Segment, q: string): Promise<readonly number[]> {
  const wanted = Buffer.from(toWords(q));
  const files = segmentFiles(folder);
  const found: number[] = [];
  let starts: Starts | null = null;
  /** Where the words of the first product begin that is still to be looked at. */
  let next = 0;
  let at = 0;

  const file = await open(files.words, 'r');
  try {
    for await (const { piece, from } of pieces(file, wanted.length)) {
      let match = piece.indexOf(wanted, Math.max(0, next - from));
      while (match >= 0) {
        starts ??= await readStarts(files.places, entry.products);
        at = starts.productAt(from + match, at);
        if (isLive(at)) found.push(at);
        at += 1;
        next = starts.startOf(at);
        if (next - from >= piece.length) break;
        match = piece.indexOf(wanted, next - from);
      }
      if (at === entry.products) break;
    }
  } finally {
    await file.close();
  }
  return found;
}

/** The file in pieces that overlap by the length of a match, so that none is cut. A piece is valid until the next one. */
async function* pieces(
  file: FileHandle,
  overlap: number,
): AsyncGenerator<{ readonly piece: Buffer; readonly from: number }> {
  const buffers = [Buffer.allocUnsafe(CHUNK_BYTES), Buffer.allocUnsafe(CHUNK_BYTES)] as const;
  const read = async (number: number): Promise<{ readonly piece: Buffer; readonly from: number }> => {
    const from = number * (CHUNK_BYTES - overlap);
    const { buffer, bytesRead } = await file.read(buffers[number % 2 === 0 ? 0 : 1], 0, CHUNK_BYTES, from);
    return { piece: buffer.subarray(0, bytesRead), from };
  };
  let coming = read(0);
  try {
    for (let number = 1; ; number += 1) {
      const current = await coming;
      if (current.piece.length === CHUNK_BYTES) coming = read(number);
      yield current;
      if (current.piece.length < CHUNK_BYTES) return;
    }
  } finally {
    // The file is closed after this.
    await coming.catch(() => undefined);
  }
}

interface Starts {
  /** Where the words of a product begin. */
  startOf(at: number): number;
  /** The product, `first` or later, in whose words this byte is. */
  productAt(byte: number, first: number): number;
}

async function readStarts(path: string, products: number): Promise<Starts> {
  const raw = await readFile(path);
  const places = new Float64Array(raw.buffer, raw.byteOffset, products * PLACE_NUMBERS);
  const startOf = (at: number): number => places[at * PLACE_NUMBERS + 2] ?? Number.POSITIVE_INFINITY;
  return {
    startOf,
    productAt(byte, first) {
      let step = 1;
      while (startOf(first + step) <= byte) step *= 2;
      let [low, high] = [first + (step >> 1), Math.min(first + step, products)];
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if (startOf(middle) <= byte) low = middle;
        else high = middle;
      }
      return low;
    },
  };
}
