import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { openFileWriter } from '../check/file-writer.ts';
import { damaged } from '../rules.ts';

/**
 * An index of a file of lines by the groups of three bytes that occur in them. The lines are divided into blocks of
 * about 4 KB; the index says for each group of three bytes which blocks may have it, in one bit each. A search reads
 * only the blocks that may have all groups of the text: of 80 MB of words mostly a few dozen KB.
 *
 * The file is a sequence of records of 32 blocks each. A record first has, for every block and for the one after the
 * last, where it begins and the number of its first line, as 64-bit numbers. Then it has, for each of 4,096 hashes of
 * three bytes, the blocks that contain the hash, as a 32-bit number.
 */
const BLOCK_BYTES = 4096;
const BLOCKS = 32;
const HASHES = 4096;
const PLACES_BYTES = (BLOCKS + 1) * 16;
const RECORD_BYTES = PLACES_BYTES + HASHES * 4;
/** Records that are read at once: about 1 MB. */
const RECORDS_READ = 64;

interface BlockRecord {
  /** For each block, and for the one after the last: where it begins, and the number of its first line. */
  readonly places: Float64Array;
  /** For each hash: the blocks that have it. */
  readonly blocks: Uint32Array;
}

function toRecord(bytes: ArrayBuffer, number: number): BlockRecord {
  const from = number * RECORD_BYTES;
  return {
    places: new Float64Array(bytes, from, (BLOCKS + 1) * 2),
    blocks: new Uint32Array(bytes, from + PLACES_BYTES, HASHES),
  };
}

const hashOf = (group: number): number => Math.imul(group, 0x9e3779b1) >>> 20;

/** Calls back with the hash of every three bytes in a row. */
function eachHash(bytes: Uint8Array, tell: (hash: number) => void): void {
  let group = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  for (let at = 2; at < bytes.length; at += 1) {
    group = ((group << 8) | bytes[at]!) & 0xffffff;
    tell(hashOf(group));
  }
}

export interface TrigramWriter {
  /** Adds the next line, without its newline. */
  add(line: Uint8Array): void;
  finish(): void;
  abandon(): void;
}

/** Opens a file to write trigrams of lines to; `finish` keeps it, `abandon` removes it. */
export function openTrigramWriter(path: string): TrigramWriter {
  const file = openFileWriter(path);
  const bytes = new ArrayBuffer(RECORD_BYTES);
  const { places, blocks } = toRecord(bytes, 0);
  let [block, begin, end, lines] = [0, 0, 0, 0];

  function nextBlock(): void {
    block += 1;
    begin = end;
    if (block === BLOCKS) write();
    places[block * 2] = begin;
    places[block * 2 + 1] = lines;
  }

  function write(): void {
    // Blocks that are not needed are empty: they begin where the last one ends.
    for (let rest = block; rest <= BLOCKS; rest += 1) places.set([end, lines], rest * 2);
    file.bytes(new Uint8Array(bytes));
    blocks.fill(0);
    block = 0;
  }

  return {
    add(line) {
      if (end - begin >= BLOCK_BYTES) nextBlock();
      const bit = 1 << block;
      eachHash(line, (hash) => {
        blocks[hash]! |= bit;
      });
      end += line.length + 1;
      lines += 1;
    },
    finish() {
      block += 1;
      write();
      file.finish();
    },
    abandon: file.abandon,
  };
}

/** Lines that may contain the wanted text: where they begin and end, and the number of the first. */
export interface Candidates {
  readonly begin: number;
  readonly end: number;
  readonly firstLine: number;
}

/** The blocks that may have `wanted`, in order; neighbours as one. All blocks if it is shorter than three bytes. */
export function* readCandidates(path: string, wanted: Uint8Array): Generator<Candidates> {
  const hashes = new Set<number>();
  eachHash(wanted, (hash) => hashes.add(hash));
  const file = openSync(path, 'r');
  try {
    const { size } = fstatSync(file);
    const bytes = new ArrayBuffer(Math.min(size, RECORDS_READ * RECORD_BYTES));
    for (let at = 0; at < size;) {
      const read = readSync(file, new Uint8Array(bytes), 0, bytes.byteLength, at);
      const records = Math.floor(read / RECORD_BYTES);
      if (records === 0) throw damaged(basename(dirname(path)));
      for (let number = 0; number < records; number += 1) yield* candidatesIn(toRecord(bytes, number), hashes);
      at += records * RECORD_BYTES;
    }
  } finally {
    closeSync(file);
  }
}

function* candidatesIn({ places, blocks }: BlockRecord, hashes: ReadonlySet<number>): Generator<Candidates> {
  let found = 0xffffffff;
  for (const hash of hashes) found &= blocks[hash]!;
  if (found === 0) return;
  for (let block = 0; block < BLOCKS; block += 1) {
    if (((found >>> block) & 1) === 0) continue;
    const first = block;
    while (block < BLOCKS && ((found >>> block) & 1) === 1) block += 1;
    const [begin, end] = [places[first * 2]!, places[block * 2]!];
    if (end > begin) yield { begin, end, firstLine: places[first * 2 + 1]! };
  }
}
