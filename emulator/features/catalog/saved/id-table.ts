import { closeSync, openSync, readSync, writeFileSync } from 'node:fs';
import { createIdHash, createIdSet, newSeed, type IdSet } from '../check/id-set.ts';

/**
 * An id set in a file: the seed of its hashes and the number of its slots, each in four bytes, four free ones, then its
 * slots. Looking up an id reads one small page.
 */
export interface IdTable {
  /** The first place of an id for which `isWanted` is true. Equal hashes are no proof of equal ids. */
  find(id: string, isWanted: (place: number) => boolean): number | null;
  close(): void;
}

const HEADER_BYTES = 12;
const SLOT_BYTES = 12;
const PAGE_SLOTS = 512;

export interface NewIdTable {
  readonly ids: IdSet;
  save(path: string): void;
}

/** A set that can be saved as a table. */
export function createIdTable(): NewIdTable {
  const seed = newSeed();
  const ids = createIdSet(createIdHash(seed));
  return {
    ids,
    save(path) {
      const slots = ids.slots();
      const header = Uint32Array.of(seed, slots.length / 3, 0);
      // In two steps, because joining them would take the memory of the table once more.
      writeFileSync(path, header, { mode: 0o600 });
      writeFileSync(path, slots, { flag: 'a', flush: true });
    },
  };
}

/** @param keeps whether pages stay in memory: for many lookups */
export function openIdTable(path: string, { keeps }: { readonly keeps: boolean }): IdTable {
  const file = openSync(path, 'r');
  const header = new Uint32Array(3);
  readSync(file, header, 0, HEADER_BYTES, 0);
  const [seed = 0, slots = 0] = header;
  const hash = createIdHash(seed);
  const halves = new Uint32Array(2);
  const pages: Uint32Array[] = [];

  function page(number: number): Uint32Array {
    const known = pages[number];
    if (known) return known;
    const read = new Uint32Array(PAGE_SLOTS * 3);
    readSync(file, read, 0, PAGE_SLOTS * SLOT_BYTES, HEADER_BYTES + number * PAGE_SLOTS * SLOT_BYTES);
    if (keeps) pages[number] = read;
    return read;
  }

  return {
    find(id, isWanted) {
      hash(id, halves);
      const [high, low] = halves as unknown as [number, number];
      let at = low & (slots - 1);
      for (let words = page(Math.floor(at / PAGE_SLOTS)); ;) {
        const word = (at % PAGE_SLOTS) * 3;
        const place = words[word + 2]!;
        if (place === 0) return null;
        if (words[word] === high && words[word + 1] === low && isWanted(place - 1)) return place - 1;
        at = (at + 1) & (slots - 1);
        if (at % PAGE_SLOTS === 0) words = page(at / PAGE_SLOTS);
      }
    },
    close: () => closeSync(file),
  };
}
