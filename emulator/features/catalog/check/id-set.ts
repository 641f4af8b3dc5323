import { randomInt } from 'node:crypto';

/** A 64-bit hash of an id as two unsigned 32-bit halves, written into `out`. */
export interface HashId {
  (id: string, out: Uint32Array): void;
  /** The hash of an id in ASCII: the same as of the text. */
  ofBytes(bytes: Uint8Array, from: number, to: number, out: Uint32Array): void;
}

export interface IdSet {
  readonly size: number;
  /**
   * Remembers that `id` is at `place` (an integer from 0) and returns null; or returns the place where the same id
   * already is. Equal hashes are no proof: `isSame` compares the id at that place.
   */
  add(id: string, place: number, isSame: (place: number) => boolean): number | null;
  /** The place of `id`, null if it was never added. */
  find(id: string, isSame: (place: number) => boolean): number | null;
  /**
   * Remembers an id in ASCII, unless an id with the same hash is there already, which may be another id: then it returns
   * false, and nothing is remembered.
   */
  addNew(bytes: Uint8Array, from: number, to: number, place: number): boolean;
  /** Its table: high half, low half and place + 1 (0: free) of each slot, found from `low & (slots - 1)` on. */
  slots(): Uint32Array<ArrayBuffer>;
}

const WORDS = 3; // high half, low half, place + 1 (0: free)
const FIRST_SLOTS = 16_384;
/** So that 2^21 slots are enough for the 1.5 million variants of a full file. */
const FULLEST = 0.75;

const isAny = (): boolean => true;

/** Random, so that no file can be crafted to collide. */
export const newSeed = (): number => randomInt(2 ** 32);

/** Both lanes of cyrb53 in full. */
export function createIdHash(seed: number): HashId {
  const [firstHigh, firstLow] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed];
  const finish = (h: number, l: number, out: Uint32Array): void => {
    const high = Math.imul(h ^ (h >>> 16), 2246822507) ^ Math.imul(l ^ (l >>> 13), 3266489909);
    out[0] = high;
    out[1] = Math.imul(l ^ (l >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  };
  const ofText = (id: string, out: Uint32Array): void => {
    let [high, low] = [firstHigh, firstLow];
    for (let i = 0; i < id.length; i += 1) {
      const unit = id.charCodeAt(i);
      high = Math.imul(high ^ unit, 2654435761);
      low = Math.imul(low ^ unit, 1597334677);
    }
    finish(high, low, out);
  };
  return Object.assign(ofText, {
    ofBytes(bytes: Uint8Array, from: number, to: number, out: Uint32Array) {
      let [high, low] = [firstHigh, firstLow];
      for (let i = from; i < to; i += 1) {
        const unit = bytes[i]!;
        high = Math.imul(high ^ unit, 2654435761);
        low = Math.imul(low ^ unit, 1597334677);
      }
      finish(high, low, out);
    },
  });
}

/**
 * A set of ids that stores only hashes: 12 bytes per slot in one table outside the JavaScript heap, so 16 to 32 bytes
 * per id. A Set of strings takes over 100, and is limited to 2^24 entries (a valid file can have as many).
 */
export function createIdSet(hash: HashId = createIdHash(newSeed())): IdSet {
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

  /** The word of the slot of the id whose hash is in `halves`, or of the free slot for it. */
  function seek(isSame: (place: number) => boolean): number {
    const high = halves[0]!;
    const low = halves[1]!;
    let at = start(low);
    for (let place = table[at + 2]!; place !== 0; place = table[at + 2]!) {
      if (table[at] === high && table[at + 1] === low && isSame(place - 1)) break;
      at = following(at);
    }
    return at;
  }

  /** The place of the id whose hash is in `halves`; null if it was remembered now. */
  function addHashed(place: number, isSame: (place: number) => boolean): number | null {
    if (size >= slots * FULLEST) grow();
    const at = seek(isSame);
    if (table[at + 2] !== 0) return table[at + 2]! - 1;
    // `isSame` may look at other ids, but never at this set: `halves` still has this id's hash.
    table[at] = halves[0]!;
    table[at + 1] = halves[1]!;
    table[at + 2] = place + 1;
    size += 1;
    return null;
  }

  return {
    get size() {
      return size;
    },
    add(id, place, isSame) {
      hash(id, halves);
      return addHashed(place, isSame);
    },
    addNew(bytes, from, to, place) {
      hash.ofBytes(bytes, from, to, halves);
      return addHashed(place, isAny) === null;
    },
    slots: () => table,
    find(id, isSame) {
      hash(id, halves);
      const at = seek(isSame);
      return table[at + 2] === 0 ? null : table[at + 2]! - 1;
    },
  };
}
