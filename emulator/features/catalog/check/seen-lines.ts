import { closeSync, openSync, readSync } from 'node:fs';
import { toLineIds, type LineIds } from './check-product.ts';

const FIRST_CAPACITY = 4096;
const CACHED_LINES = 16;

/** The earlier lines of a file by their number from 0, so that they can be read again. 12 bytes of memory per line. */
export interface SeenLines {
  readonly length: number;
  /** Remembers the next line. */
  add(offset: number, length: number): void;
  bytes(at: number): Buffer;
  /** Where the line begins. */
  offset(at: number): number;
  /** The ids on a line of JSON. The last few are kept, because a copied product is looked up once for each variant. */
  ids(at: number): LineIds;
  close(): void;
}

/** Opens the file whose lines are remembered. Nothing is read before a line is asked for. */
export function openSeenLines(path: string): SeenLines {
  const file = openSync(path, 'r');
  const cache = new Map<number, LineIds>();
  let offsets = new Float64Array(FIRST_CAPACITY);
  let lengths = new Uint32Array(FIRST_CAPACITY);
  let count = 0;

  function grow(): void {
    const [oldOffsets, oldLengths] = [offsets, lengths];
    offsets = new Float64Array(count * 2);
    lengths = new Uint32Array(count * 2);
    offsets.set(oldOffsets);
    lengths.set(oldLengths);
  }

  function bytes(at: number): Buffer {
    const line = Buffer.allocUnsafe(lengths[at] ?? 0);
    const read = readSync(file, line, 0, line.length, offsets[at] ?? 0);
    if (read !== line.length)
      throw new Error(`${path} became shorter while it was read. Do not change it during the check.`);
    return line;
  }

  return {
    get length() {
      return count;
    },
    add(offset, length) {
      if (count === offsets.length) grow();
      offsets[count] = offset;
      lengths[count] = length;
      count += 1;
    },
    bytes,
    offset: (at) => offsets[at] ?? 0,
    ids(at) {
      const cached = cache.get(at);
      if (cached !== undefined) return cached;
      const ids = toLineIds(JSON.parse(bytes(at).toString()));
      if (cache.size === CACHED_LINES) cache.delete([...cache.keys()][0] ?? at);
      cache.set(at, ids);
      return ids;
    },
    close: () => closeSync(file),
  };
}
