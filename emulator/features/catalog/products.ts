import { mkdir, open, rm, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { createIdSet, type IdSet } from './check/id-set.ts';
import type { SavedProduct } from './check/product-schema.ts';
import { startJob } from './job.ts';
import {
  eachLine,
  generationFiles,
  generationName,
  listGenerations,
  readHead,
  toIndexEntry,
} from './saved/index-file.ts';
import type { MergeResult } from './saved/merge.ts';

export interface ProductQuery {
  /** Part of a product's id or name, ignoring case. Empty: every product. */
  readonly q?: string;
  readonly offset: number;
  readonly limit: number;
}

export interface ProductPage {
  /** Products that match, on all pages. */
  readonly total: number;
  readonly products: readonly SavedProduct[];
}

/**
 * The saved products of one company. They survive a restart, and are stored in files of their own, never in the state
 * file.
 */
export interface Products {
  /** Saves the lines of `goodPath` (see mergeProducts), in a worker thread, one merge at a time. */
  merge(goodPath: string): Promise<MergeResult>;
  get(productId: string): Promise<SavedProduct | null>;
  /** The most recently saved products come first. */
  page(query: ProductQuery): Promise<ProductPage>;
  count(): number;
  /** The index that `checkFile` compares with; null if nothing is saved. Valid until the next merge. */
  indexPath(): string | null;
  /** Waits for running work. Do not call anything afterwards. */
  close(): Promise<void>;
}

export interface ProductsOptions {
  readonly dir: string;
  /** The entry of the catalog's worker, check/worker.ts. */
  readonly workerUrl: URL;
}

/** Where each product's line is; 12 bytes per product and the id table. */
interface Places {
  readonly ids: IdSet;
  readonly offsets: Float64Array;
  readonly lengths: Uint32Array;
}

interface Generation {
  readonly folder: string;
  readonly count: number;
  readonly file: FileHandle;
  /** Read when the first product is needed, not at start. */
  places: Promise<Places> | null;
  readers: number;
  /** `replaced`: its folder is removed after the last reader. `closed`: its folder stays. */
  state: 'open' | 'replaced' | 'closed';
}

/** Opens the saved products in `dir` (created if missing) and removes the leftovers of a merge that was killed. */
export async function openProducts({ dir, workerUrl }: ProductsOptions): Promise<Products> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  await clearDead(dir);
  let current = await openNewest(dir);
  let merging: Promise<unknown> = Promise.resolve();

  /** Reads from the current generation, which stays open until its last reader is done. */
  async function reading<T>(read: (generation: Generation) => Promise<T>, nothing: T): Promise<T> {
    const generation = current;
    if (generation === null) return nothing;
    generation.readers += 1;
    try {
      return await read(generation);
    } finally {
      generation.readers -= 1;
      await closeUnused(generation);
    }
  }

  async function retire(generation: Generation | null, state: 'replaced' | 'closed'): Promise<void> {
    if (generation === null) return;
    generation.state = state;
    await closeUnused(generation);
  }

  async function runMerge(goodPath: string): Promise<MergeResult> {
    const result = await startJob('merge', { dir, goodPath }, { workerUrl }).done;
    const old = current;
    current = await openNewest(dir);
    await retire(old, 'replaced');
    return result;
  }

  return {
    merge(goodPath) {
      const merge = merging.then(() => runMerge(goodPath));
      // The next merge waits for this one, but only this one's caller gets its error.
      merging = merge.catch(() => undefined);
      return merge;
    },
    get(productId) {
      return reading((generation) => findProduct(generation, productId), null);
    },
    page(query) {
      return reading((generation) => readPage(generation, query), { total: 0, products: [] });
    },
    count: () => current?.count ?? 0,
    indexPath: () => (current === null ? null : generationFiles(current.folder).index),
    async close() {
      await merging;
      const last = current;
      current = null;
      await retire(last, 'closed');
    },
  };
}

/** A folder that cannot be removed yet (Windows, while a check reads it) is removed at the next start. */
async function removeFolders(folders: readonly string[]): Promise<void> {
  await Promise.allSettled(folders.map((folder) => rm(folder, { recursive: true, force: true })));
}

/** Removes generations that were replaced or never completed. */
async function clearDead(dir: string): Promise<void> {
  const { numbers, leftovers } = await listGenerations(dir);
  const dead = [...numbers.slice(1).map(generationName), ...leftovers];
  await removeFolders(dead.map((name) => join(dir, name)));
}

async function openNewest(dir: string): Promise<Generation | null> {
  const newest = (await listGenerations(dir)).numbers[0];
  if (newest === undefined) return null;
  const folder = join(dir, generationName(newest));
  const { products } = await readHead(folder);
  const file = await open(generationFiles(folder).products, 'r');
  return { folder, count: products, file, places: null, readers: 0, state: 'open' };
}

async function closeUnused({ state, readers, file, folder }: Generation): Promise<void> {
  if (state === 'open' || readers > 0) return;
  await file.close();
  if (state === 'replaced') await removeFolders([folder]);
}

async function readPlaces({ folder, count }: Generation): Promise<Places> {
  const places: Places = { ids: createIdSet(), offsets: new Float64Array(count), lengths: new Uint32Array(count) };
  let at = 0;
  await eachLine(generationFiles(folder).index, (line) => {
    const [id, , offset, length] = toIndexEntry(line);
    places.ids.add(id, at, () => false);
    places.offsets[at] = offset;
    places.lengths[at] = length;
    at += 1;
  });
  return places;
}

async function readProduct({ file }: Generation, places: Places, at: number): Promise<SavedProduct> {
  const bytes = Buffer.alloc(places.lengths[at] ?? 0);
  await file.read(bytes, 0, bytes.length, places.offsets[at] ?? 0);
  return JSON.parse(bytes.toString()) as SavedProduct;
}

async function findProduct(generation: Generation, productId: string): Promise<SavedProduct | null> {
  const places = await (generation.places ??= readPlaces(generation));
  // Two ids may share a hash: each candidate is read before it is returned.
  const candidates: number[] = [];
  places.ids.find(productId, (place) => {
    candidates.push(place);
    return false;
  });
  for (const at of candidates) {
    const product = await readProduct(generation, places, at);
    if (product.id === productId) return product;
  }
  return null;
}

async function readPage(generation: Generation, { q = '', offset, limit }: ProductQuery): Promise<ProductPage> {
  const places = await (generation.places ??= readPlaces(generation));
  const matches = q === '' ? null : await search(generation, q);
  const total = matches === null ? generation.count : matches.length;
  const products: SavedProduct[] = [];
  for (let i = offset; i < Math.min(offset + limit, total); i += 1) {
    products.push(await readProduct(generation, places, matches === null ? i : (matches[i] ?? 0)));
  }
  return { total, products };
}

/** The products whose id or name contains `q`, by their number in the index. */
async function search({ folder }: Generation, q: string): Promise<readonly number[]> {
  const wanted = q.toLowerCase();
  const found: number[] = [];
  let at = 0;
  await eachLine(generationFiles(folder).index, (line) => {
    const [id, name] = toIndexEntry(line);
    if (id.toLowerCase().includes(wanted) || name.toLowerCase().includes(wanted)) found.push(at);
    at += 1;
  });
  return found;
}
