import { closeSync, openSync, readSync } from 'node:fs';
import { createSlices } from '../../../time/slices.ts';
import { segmentFiles, toWords, type Segment } from './segment.ts';
import { readCandidates } from './trigrams.ts';

/** Bytes that are read and searched before other work gets its turn: less than a millisecond. */
const SLICE_BYTES = 1024 * 1024;
const NEWLINE = 0x0a;

/**
 * The numbers, in order, of the first `most` live products of a segment whose id, name or variant ids contain `q`.
 */
export async function searchSegment({ folder, isLive }: Segment, q: string, most: number): Promise<readonly number[]> {
  const wanted = Buffer.from(toWords(q));
  const files = segmentFiles(folder);
  const found: number[] = [];
  const slice = createSlices(SLICE_BYTES);
  const words = openSync(files.words, 'r');
  let buffer = Buffer.allocUnsafe(0);
  try {
    for (const { begin, end, firstLine } of readCandidates(files.trigrams, wanted)) {
      if (buffer.length < end - begin) buffer = Buffer.allocUnsafe(end - begin);
      const bytesRead = readSync(words, buffer, 0, end - begin, begin);
      for (const line of linesWith(wanted, buffer.subarray(0, bytesRead))) {
        if (isLive(firstLine + line)) found.push(firstLine + line);
        if (found.length === most) return found;
      }
      const turn = slice(end - begin);
      if (turn) await turn;
    }
  } finally {
    closeSync(words);
  }
  return found;
}

/** The numbers of the lines, from 0, that contain `wanted`. */
function* linesWith(wanted: Buffer, lines: Buffer): Generator<number> {
  let [line, from] = [0, 0];
  for (let match = lines.indexOf(wanted); match >= 0; match = lines.indexOf(wanted, from)) {
    let end = lines.indexOf(NEWLINE, from);
    for (; end < match; end = lines.indexOf(NEWLINE, from)) {
      line += 1;
      from = end + 1;
    }
    yield line;
    line += 1;
    from = end + 1;
  }
}
