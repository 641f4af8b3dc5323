import { closeSync, fstatSync, openSync, readFileSync, readSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { damaged } from '../rules.ts';
import { openFileWriter } from '../check/file-writer.ts';
import { createIdTable, openIdTable, type IdTable } from './id-table.ts';
import { segmentName, type SegmentEntry } from './manifest.ts';
import { openTrigramWriter } from './trigrams.ts';

/** The files of a segment. */
export function segmentFiles(folder: string) {
  return {
    /** One product per line. */
    products: join(folder, 'products.ndjson'),
    /** Two 64-bit numbers per product: where its line begins, and its length in bytes. */
    places: join(folder, 'places'),
    /** One line per product with the text to search: its id, its name and the ids of its variants, in lower case. */
    words: join(folder, 'words'),
    /** An index of `words`: in which parts of it each group of three bytes occurs. */
    trigrams: join(folder, 'trigrams'),
    /** Id of a product → its number in the segment. */
    ids: join(folder, 'ids'),
    /** Id of a variant → the number of its product. */
    variants: join(folder, 'variants'),
  } as const;
}

const PLACE_NUMBERS = 2;
const PLACE_BYTES = PLACE_NUMBERS * 8;

/** The facts of a line that are indexed. */
export interface LineFacts {
  readonly id: string;
  readonly name: string;
  readonly variantIds: readonly string[];
}

/**
 * A text in the form for searching: in lower case, an accent and its letter as one character, on one line. U+0000
 * separates texts.
 */
export function toWords(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[\u0001-\u001f]/g, ' ');
}

export interface SegmentWriter {
  readonly products: number;
  /** Adds the next line of the file of products. False if its product is in the segment already. */
  add(facts: LineFacts, place: Place): boolean;
  /** Writes the index. */
  finish(): void;
  abandon(): void;
}

/**
 * Writes the index of a segment whose products are, or will be, in `folder`; `file` is open and has all added so far.
 */
export function openSegmentWriter(folder: string, file: number): SegmentWriter {
  const files = segmentFiles(folder);
  const words = openFileWriter(files.words);
  const trigrams = openTrigramWriter(files.trigrams);
  const [ids, variants] = [createIdTable(), createIdTable()];
  let places = new Float64Array(4096 * PLACE_NUMBERS);
  let products = 0;

  function addPlace(numbers: readonly number[]): void {
    if ((products + 1) * PLACE_NUMBERS > places.length) {
      const old = places;
      places = new Float64Array(old.length * 2);
      places.set(old);
    }
    places.set(numbers, products * PLACE_NUMBERS);
  }

  return {
    get products() {
      return products;
    },
    add({ id, name, variantIds }, { offset, length }) {
      const placeOf = (at: number): Place => ({
        offset: places[at * PLACE_NUMBERS]!,
        length: places[at * PLACE_NUMBERS + 1]!,
      });
      const isSame = (at: number): boolean => hasId(file, placeOf(at), id);
      if (ids.ids.add(id, products, isSame) !== null) return false;
      addPlace([offset, length]);
      // A variant is looked up together with its product, so several entries may have the same hash.
      for (const variantId of variantIds) variants.ids.add(variantId, products, () => false);
      const line = Buffer.from(toWords([id, name, ...variantIds].join('\0')));
      words.line(line);
      trigrams.add(line);
      products += 1;
      return true;
    },
    finish() {
      words.finish();
      trigrams.finish();
      writeFileSync(files.places, places.subarray(0, products * PLACE_NUMBERS), { mode: 0o600, flush: true });
      ids.save(files.ids);
      variants.save(files.variants);
    },
    abandon() {
      words.abandon();
      trigrams.abandon();
    },
  };
}

/** Where a line is in the file of products. */
export interface Place {
  readonly offset: number;
  readonly length: number;
}

/** A segment that is open for reading. */
export interface Segment {
  readonly entry: SegmentEntry;
  readonly folder: string;
  /** The file of its lines. */
  readonly file: number;
  isLive(at: number): boolean;
  place(at: number): Place;
  /** Reads one line in this thread. */
  line(at: number): Buffer;
  /** The number of a live product; null if there is none with this id. */
  findProduct(id: string): number | null;
  /**
   * The number of a live product that is `isWanted` and has a variant with the hash of this id, so probably with this
   * id.
   */
  findVariant(id: string, isWanted: (at: number) => boolean): number | null;
  /** The number of the live product with `rank` live ones before it. */
  atRank(rank: number): number;
  close(): void;
}

/** Refused if a file is missing, or has another size than it was written with. */
export function openSegment(dir: string, entry: SegmentEntry, reading: { readonly keeps: boolean }): Segment {
  const folder = join(dir, segmentName(entry.number));
  const files = segmentFiles(folder);
  const dead = entry.dead === null ? null : readFileSync(join(dir, entry.dead));
  const opened: (() => void)[] = [];
  const openFile = (path: string): number => {
    const file = openSync(path, 'r');
    opened.push(() => closeSync(file));
    return file;
  };
  const openTable = (path: string): IdTable => {
    const table = openIdTable(path, reading);
    opened.push(table.close);
    return table;
  };
  const close = (): void => {
    for (const one of opened.splice(0)) one();
  };
  try {
    const [file, places] = [openFile(files.products), openFile(files.places)];
    if (fstatSync(places).size !== entry.products * PLACE_BYTES) throw damaged(segmentName(entry.number));
    const [ids, variants] = [openTable(files.ids), openTable(files.variants)];
    const numbers = new Float64Array(2);
    const isLive = (at: number): boolean => dead === null || !isSet(dead, at);
    const segment: Segment = {
      entry,
      folder,
      file,
      isLive,
      place(at) {
        readSync(places, numbers, 0, 16, at * PLACE_BYTES);
        return { offset: numbers[0]!, length: numbers[1]! };
      },
      line(at) {
        const { offset, length } = segment.place(at);
        return readLine(file, offset, length);
      },
      findProduct: (id) => ids.find(id, (at) => isLive(at) && hasId(file, segment.place(at), id)),
      findVariant: (id, isWanted) => variants.find(id, (at) => isLive(at) && isWanted(at)),
      atRank: (rank) => (dead === null ? rank : nthClear(dead, rank)),
      close,
    };
    return segment;
  } catch (error) {
    close();
    throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? damaged(segmentName(entry.number)) : error;
  }
}

function readLine(file: number, offset: number, length: number): Buffer {
  const line = Buffer.allocUnsafe(length);
  if (readSync(file, line, 0, length, offset) !== length) throw damaged('the file of their lines');
  return line;
}

/**
 * Whether the product on a line has this id. It is mostly the first member: then only the start of the line is read.
 */
function hasId(file: number, { offset, length }: Place, id: string): boolean {
  const start = Buffer.from(`{"id":${JSON.stringify(id)}`);
  if (start.length < length && readLine(file, offset, start.length).equals(start)) return true;
  return (JSON.parse(readLine(file, offset, length).toString()) as { id: string }).id === id;
}

/** Whether the bit with this number is 1; bit 0 is the lowest of the first byte. */
export function isSet(bits: Uint8Array, at: number): boolean {
  return ((bits[at >> 3]! >> (at & 7)) & 1) === 1;
}

/** The number of the clear bit with `rank` clear ones before it. */
function nthClear(bits: Uint8Array, rank: number): number {
  let left = rank;
  for (let byte = 0; byte < bits.length; byte += 1) {
    const value = bits[byte]!;
    if (value === 0xff) continue;
    for (let bit = 0; bit < 8; bit += 1) {
      if ((value >> bit) & 1) continue;
      if (left === 0) return byte * 8 + bit;
      left -= 1;
    }
  }
  throw new RangeError(`There are not ${rank + 1} live products.`);
}
