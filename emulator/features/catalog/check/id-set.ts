import { randomInt } from 'node:crypto';

/** A 64-bit hash of an id as two unsigned 32-bit halves, written into `out`. */
export type HashId = (id: string, out: Uint32Array) => void;

export interface IdSet {
  readonly size: number;
  /**
   * Remembers that `id` is at `place` (an integer from 0) and returns null; or returns the place where the same id
   * already is. Equal hashes are no proof: `isSame` compares the id at that place.
   */
  add(id: string, place: number, isSame: (place: number) => boolean): number | null;
  /** The place of `id`, null if it was never added. */
  find(id: string, isSame: (place: number) => boolean): number | null;
}

const WORDS = 3; // high half, low half, place + 1 (0: free)
const FIRST_SLOTS = 16_384;
const FULLEST = 0.7;

/** Both lanes of cyrb53 in full, with a new random seed each time, so that no file can be crafted to collide. */
function createIdHash(seed: number = randomInt(2 ** 32)): HashId {
  return (id, out) => {
    let high = 0xdeadbeef ^ seed;
    let low = 0x41c6ce57 ^ seed;
    for (let i = 0; i < id.length; i += 1) {
      const unit = id.charCodeAt(i);
      high = Math.imul(high ^ unit, 2654435761);
      low = Math.imul(low ^ unit, 1597334677);
    }
    high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
    low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
    out[0] = high;
    out[1] = low;
  };
}

/**
 * A set of ids that stores only hashes: 12 bytes per slot in one table outside the JavaScript heap, so 17 to 34 bytes
 * per id. A Set of strings takes over 100, and is limited to 2^24 entries (a valid file can have as many).
 */
export function createIdSet(hash: HashId = createIdHash()): IdSet {
  const halves = new Uint32Array(2);
  let slots = FIRST_SLOTS;
  let table = new Uint32Array(slots * WORDS);
  let size = 0;

  /** The word at which the search for this hash starts. */
  function start(low: number): number {
    return (low & (slots - 1)) * WORDS;
  }

  function following(at: number): number {
    return at + WORDS === table.length ? 0 : at + WORDS;
  }

  function grow(): void {
    const old = table;
    slots *= 2;
    table = new Uint32Array(slots * WORDS);
    for (let from = 0; from < old.length; from += WORDS) {
      if (old[from + 2] === 0) continue;
      let to = start(old[from + 1]!);
      while (table[to + 2] !== 0) to = following(to);
      table[to] = old[from]!;
      table[to + 1] = old[from + 1]!;
      table[to + 2] = old[from + 2]!;
    }
  }

  /** The word of the slot of `id`, or of the free slot for it. */
  function seek(id: string, isSame: (place: number) => boolean): number {
    hash(id, halves);
    const high = halves[0]!;
    const low = halves[1]!;
    let at = start(low);
    for (let place = table[at + 2]!; place !== 0; place = table[at + 2]!) {
      if (table[at] === high && table[at + 1] === low && isSame(place - 1)) break;
      at = following(at);
    }
    return at;
  }

  return {
    get size() {
      return size;
    },
    add(id, place, isSame) {
      if (size >= slots * FULLEST) grow();
      const at = seek(id, isSame);
      if (table[at + 2] !== 0) return table[at + 2]! - 1;
      // `isSame` may look at other ids, but never at this set: `halves` still has this id's hash.
      table[at] = halves[0]!;
      table[at + 1] = halves[1]!;
      table[at + 2] = place + 1;
      size += 1;
      return null;
    },
    find(id, isSame) {
      const at = seek(id, isSame);
      return table[at + 2] === 0 ? null : table[at + 2]! - 1;
    },
  };
}
