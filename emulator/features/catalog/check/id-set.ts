import { randomInt } from 'node:crypto';

/** A 64-bit hash of an id as two unsigned 32-bit halves, written into `out`. */
export interface HashId {
  (id: string, out: Uint32Array): void;
  /** Hashes an id in ASCII bytes. The hash is the same as that of the text. */
  ofBytes(bytes: Uint8Array, from: number, to: number, out: Uint32Array): void;
}

export interface IdSet {
  readonly size: number;
  /**
   * Remembers that `id` is at `place` (an integer from 0) and returns null; or returns the place where the same id
   * already is. Equal hashes are not proof: `isSame` compares the id at that place.
   */
  add(id: string, place: number, isSame: (place: number) => boolean): number | null;
  /** The place of `id`, null if it was never added. */
  find(id: string, isSame: (place: number) => boolean): number | null;
  /**
   * Remembers an id in ASCII, unless an id with the same hash, which may be another id, is already there. Then it
   * returns false and remembers nothing.
   */
  addNew(bytes: Uint8Array, from: number, to: number, place: number): boolean;
  /** The table of the set; each slot has two numbers (see `toEntry`). */
  slots(): Uint32Array<ArrayBuffer>;
}

/** A slot has two 32-bit numbers: the high half of the hash, and `toEntry`, which is 0 if the slot is free. */
export const SLOT_NUMBERS = 2;
const PLACE_BITS = 24;
const MOST_PLACES = 2 ** PLACE_BITS - 1;

/**
 * The second number of a slot: eight bits of the low half of the hash, and the place + 1. The search for an id begins
 * at slot `high & (slots - 1)`, and compares both numbers. So now and then two of a million ids look equal; then
 * `isSame` decides.
 */
const toEntry = (low: number, place: number): number => ((low << PLACE_BITS) | (place + 1)) >>> 0;

/** The place in the second number of an occupied slot, if the slot has this hash; else null. */
export function placeIn(entry: number, low: number): number | null {
  return entry >>> PLACE_BITS === (low & 0xff) ? (entry & MOST_PLACES) - 1 : null;
}

const FIRST_SLOTS = 16_384;
/** High enough that 2^21 slots suffice for the 1.5 million variants of a full file. */
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
 * A set of ids that stores only hashes: 8 bytes per slot in one table outside the JavaScript heap, so 11 to 22 bytes
 * per id. A Set of strings takes over 100, and is limited to 2^24 entries.
 */
export function createIdSet(hash: HashId = createIdHash(newSeed())): IdSet {
  const halves = new Uint32Array(2);
  let slots = FIRST_SLOTS;
  let table = new Uint32Array(slots * SLOT_NUMBERS);
  let size = 0;

  /** Where in the table the search for this hash starts. */
  function start(high: number): number {
    return (high & (slots - 1)) * SLOT_NUMBERS;
  }

  function following(at: number): number {
    return at + SLOT_NUMBERS === table.length ? 0 : at + SLOT_NUMBERS;
  }

  function grow(): void {
    const old = table;
    slots *= 2;
    table = new Uint32Array(slots * SLOT_NUMBERS);
    for (let from = 0; from < old.length; from += SLOT_NUMBERS) {
      if (old[from + 1] === 0) continue;
      let to = start(old[from]!);
      while (table[to + 1] !== 0) to = following(to);
      table[to] = old[from]!;
      table[to + 1] = old[from + 1]!;
    }
  }

  /** The slot of the id whose hash is in `halves`, or the free slot for it. */
  function seek(isSame: (place: number) => boolean): number {
    const high = halves[0]!;
    const low = halves[1]!;
    let at = start(high);
    for (let entry = table[at + 1]!; entry !== 0; entry = table[at + 1]!) {
      if (table[at] === high) {
        const place = placeIn(entry, low);
        if (place !== null && isSame(place)) break;
      }
      at = following(at);
    }
    return at;
  }

  const placeAt = (at: number): number | null => {
    const entry = table[at + 1]!;
    return entry === 0 ? null : (entry & MOST_PLACES) - 1;
  };

  /** The place of the id whose hash is in `halves`; null if it was remembered now. */
  function addHashed(place: number, isSame: (place: number) => boolean): number | null {
    if (place >= MOST_PLACES) throw new RangeError(`There are more than ${MOST_PLACES} products in one file.`);
    if (size >= slots * FULLEST) grow();
    const at = seek(isSame);
    const found = placeAt(at);
    if (found !== null) return found;
    // `isSame` may look at other ids, but never at this set: `halves` still has this id's hash.
    table[at] = halves[0]!;
    table[at + 1] = toEntry(halves[1]!, place);
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
      return placeAt(seek(isSame));
    },
  };
}
