import { read as readCallback } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { promisify } from 'node:util';
import type { SavedProduct } from './check/product-schema.ts';
import { startJob } from './job.ts';
import { oldGeneration, readManifest, removeUnused } from './saved/manifest.ts';
import type { MergeResult } from './saved/merge.ts';
import { searchSegment } from './saved/search.ts';
import { openSegment, type Segment } from './saved/segment.ts';

export interface ProductQuery {
  /** Part of a product's id or name or of the id of a variant, ignoring case. Empty: every product. */
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
 * The saved products of one company. They survive a restart, and are stored in files of their own with an index
 * (docs/decisions/0018-saved-catalog.md), never in the state file.
 */
export interface Products {
  /** Saves the lines of `goodPath` (see mergeProducts), in a worker thread, one merge at a time. */
  merge(goodPath: string): Promise<MergeResult>;
  get(productId: string): Promise<SavedProduct | null>;
  /** The most recently saved products come first. */
  page(query: ProductQuery): Promise<ProductPage>;
  count(): number;
  /** The folder that `checkFile` compares with; null if nothing is saved. Valid until the next merge. */
  savedDir(): string | null;
  /** Waits for running work. Do not call anything afterwards. */
  close(): Promise<void>;
}

export interface ProductsOptions {
  readonly dir: string;
  /** The entry of the catalog's worker, check/worker.ts. */
  readonly workerUrl: URL;
}

/** One state of the catalog. It stays open until its last reader is done. */
interface View {
  readonly segments: readonly Segment[];
  readonly count: number;
  /** What was searched for last: the next page needs the same. */
  found: { readonly q: string; readonly matches: Promise<Matches> } | null;
  readers: number;
  isCurrent: boolean;
}

/** Segments and the numbers of their products that match. */
type Matches = readonly { readonly segment: Segment; readonly numbers: readonly number[] }[];

/** Opens the saved products in `dir` (created if missing) and removes what a killed merge left. Reads no product. */
export async function openProducts({ dir, workerUrl }: ProductsOptions): Promise<Products> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (oldGeneration(dir) !== null) await startJob('merge', { dir, goodPath: null }, { workerUrl }).done;
  await removeUnused(dir);
  let current = openView(dir);
  let merging: Promise<unknown> = Promise.resolve();

  async function reading<T>(read: (view: View) => Promise<T>): Promise<T> {
    const view = current;
    view.readers += 1;
    try {
      return await read(view);
    } finally {
      view.readers -= 1;
      closeUnused(view);
    }
  }

  function retire(view: View): void {
    view.isCurrent = false;
    closeUnused(view);
  }

  async function runMerge(goodPath: string): Promise<MergeResult> {
    const result = await startJob('merge', { dir, goodPath }, { workerUrl }).done;
    const old = current;
    current = openView(dir);
    retire(old);
    await removeUnused(dir);
    return result;
  }

  return {
    merge(goodPath) {
      const merge = merging.then(() => runMerge(goodPath));
      // The next merge waits for this one, but only this one's caller gets its error.
      merging = merge.catch(() => undefined);
      return merge;
    },
    get: (productId) => reading((view) => findProduct(view, productId)),
    page: (query) => reading((view) => readPage(view, query)),
    count: () => current.count,
    savedDir: () => (current.count === 0 ? null : dir),
    async close() {
      await merging;
      const last = current;
      current = { segments: [], count: 0, found: null, readers: 0, isCurrent: true };
      retire(last);
    },
  };
}

function openView(dir: string): View {
  const segments: Segment[] = [];
  try {
    for (const entry of readManifest(dir).segments) segments.push(openSegment(dir, entry, { keeps: false }));
  } catch (error) {
    for (const segment of segments) segment.close();
    throw error;
  }
  const count = segments.reduce((sum, { entry }) => sum + entry.live, 0);
  return { segments, count, found: null, readers: 0, isCurrent: true };
}

function closeUnused({ segments, readers, isCurrent }: View): void {
  if (isCurrent || readers > 0) return;
  for (const segment of segments) segment.close();
}

const readBytes = promisify(readCallback);

async function readProduct({ file, place }: Segment, at: number): Promise<SavedProduct> {
  const { offset, length } = place(at);
  const { buffer } = await readBytes(file, Buffer.allocUnsafe(length), 0, length, offset);
  return JSON.parse(buffer.toString()) as SavedProduct;
}

async function findProduct({ segments }: View, productId: string): Promise<SavedProduct | null> {
  for (const segment of segments) {
    const at = segment.findProduct(productId);
    if (at !== null) return readProduct(segment, at);
  }
  return null;
}

async function readPage(view: View, { q = '', offset, limit }: ProductQuery): Promise<ProductPage> {
  const parts = q === '' ? wholeSegments(view) : (await search(view, q)).map(toPart);
  const total = parts.reduce((sum, { count }) => sum + count, 0);
  const products: SavedProduct[] = [];
  let skipped = 0;
  for (const { segment, count, numberAt } of parts) {
    for (let i = Math.max(0, offset - skipped); i < count && products.length < limit; i += 1)
      products.push(await readProduct(segment, numberAt(i)));
    skipped += count;
  }
  return { total, products };
}

interface Part {
  readonly segment: Segment;
  readonly count: number;
  /** The number in the segment of the product with this number in the part. */
  readonly numberAt: (i: number) => number;
}

function wholeSegments({ segments }: View): readonly Part[] {
  return segments.map((segment) => ({ segment, count: segment.entry.live, numberAt: segment.atRank }));
}

function toPart({ segment, numbers }: Matches[number]): Part {
  return { segment, count: numbers.length, numberAt: (i) => numbers[i] ?? 0 };
}

function search(view: View, q: string): Promise<Matches> {
  if (view.found?.q === q) return view.found.matches;
  const matches = searchAll(view.segments, q);
  view.found = { q, matches };
  // The next search tries again; this one's caller gets the error.
  matches.catch(() => (view.found = null));
  return matches;
}

async function searchAll(segments: readonly Segment[], q: string): Promise<Matches> {
  const found: Matches[number][] = [];
  for (const segment of segments) found.push({ segment, numbers: await searchSegment(segment, q) });
  return found;
}
