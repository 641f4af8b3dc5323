import { closeSync, fstatSync, openSync, readSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { createIdHash, createIdSet, newSeed, placeIn, SLOT_NUMBERS, type IdSet } from '../check/id-set.ts';
import { damaged } from '../rules.ts';

/**
 * An id set in a file: the seed of its hashes and the number of its slots, each in four bytes, then its slots. A lookup
 * of an id reads one small page.
 */
export interface IdTable {
  /** The first place of an id for which `isWanted` is true. Equal hashes are not proof of equal ids. */
  find(id: string, isWanted: (place: number) => boolean): number | null;
  close(): void;
}

const HEADER_BYTES = 8;
const PAGE_SLOTS = 512;
const PAGE_NUMBERS = PAGE_SLOTS * SLOT_NUMBERS;

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
      const header = Uint32Array.of(seed, slots.length / SLOT_NUMBERS);
      // In two steps, because joining them would take the memory of the table once more.
      writeFileSync(path, header, { mode: 0o600 });
      writeFileSync(path, slots, { flag: 'a', flush: true });
    },
  };
}

/** @param keeps whether pages stay in memory: for many lookups */
export function openIdTable(path: string, { keeps }: { readonly keeps: boolean }): IdTable {
  const file = openSync(path, 'r');
  const header = new Uint32Array(2);
  readSync(file, header, 0, HEADER_BYTES, 0);
  const [seed = 0, slots = 0] = header;
  if (slots === 0 || fstatSync(file).size !== HEADER_BYTES + slots * SLOT_NUMBERS * 4) {
    closeSync(file);
    throw damaged(basename(dirname(path)));
  }
  const hash = createIdHash(seed);
  const halves = new Uint32Array(2);
  const readPage = keeps ? createPageKeeper(file, slots) : createPageReader(file);

  return {
    find(id, isWanted) {
      hash(id, halves);
      const [high, low] = halves as unknown as [number, number];
      let at = high & (slots - 1);
      for (let page = readPage(Math.floor(at / PAGE_SLOTS)); ;) {
        const from = (at % PAGE_SLOTS) * SLOT_NUMBERS;
        const entry = page[from + 1]!;
        if (entry === 0) return null;
        const place = page[from] === high ? placeIn(entry, low) : null;
        if (place !== null && isWanted(place)) return place;
        at = (at + 1) & (slots - 1);
        if (at % PAGE_SLOTS === 0) page = readPage(at / PAGE_SLOTS);
      }
    },
    close: () => closeSync(file),
  };
}

type PageReader = (number: number) => Uint32Array;

function createPageReader(file: number): PageReader {
  return (number) => {
    const page = new Uint32Array(PAGE_NUMBERS);
    readSync(file, page, 0, page.byteLength, HEADER_BYTES + number * page.byteLength);
    return page;
  };
}

/**
 * Keeps the pages in one block of memory with the size of the table, of which the system provides only the used parts.
 * Separate blocks would be scattered among other memory, which could then not be given back.
 */
function createPageKeeper(file: number, slots: number): PageReader {
  const table = new Uint32Array(slots * SLOT_NUMBERS);
  const pages: Uint32Array[] = [];
  return (number) => {
    const known = pages[number];
    if (known) return known;
    const page = table.subarray(number * PAGE_NUMBERS, (number + 1) * PAGE_NUMBERS);
    readSync(file, page, 0, page.byteLength, HEADER_BYTES + number * page.byteLength);
    pages[number] = page;
    return page;
  };
}
