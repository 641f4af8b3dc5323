import { read as readCallback } from 'node:fs';
import { promisify } from 'node:util';
import type { SavedProduct } from './check/product-schema.ts';
import type { Jobs } from './jobs.ts';
import { oldGeneration, readManifest, removeUnused } from './saved/manifest.ts';
import { makeFolder } from '../../system.ts';
import { createInTurn } from '../../time/in-turn.ts';
import { searchSegment } from './saved/search.ts';
import { openSegment, type Segment } from './saved/segment.ts';
import type { ProductPage } from './shapes.ts';

export interface ProductQuery {
  /**
   * Part of a product's id or name or of the id of a variant, ignoring case; é is not e. Empty: every product. The
   * product with exactly this id comes first.
   */
  readonly q?: string;
  readonly offset: number;
  readonly limit: number;
}

/**
 * The saved products of one company. They survive a restart, and are stored in files of their own with an index
 * (docs/decisions/0018-saved-catalog.md), never in the state file.
 */
export interface Products {
  /**
   * Saves the lines of `goodPath` (see mergeProducts), in a worker thread, one merge at a time. Returns their number.
   */
  merge(goodPath: string): Promise<number>;
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
  readonly jobs: Jobs;
}

/** One state of the catalog. It stays open until its last reader is done. */
interface View {
  readonly segments: readonly Segment[];
  readonly count: number;
  /** The last search: the next page needs the same matches. */
  found: { readonly q: string; readonly matches: Promise<Matches> } | null;
  readers: number;
  isCurrent: boolean;
}

/** The matches of a search, in order. */
interface Matches {
  readonly products: readonly Match[];
  readonly more: boolean;
}

interface Match {
  readonly segment: Segment;
  /** The number of the product in the segment. */
  readonly at: number;
}

/** The most products of one search that are counted and shown: no one looks through more, and counting takes time. */
const MOST_FOUND = 10_000;

/** Opens the saved products in `dir` (created if missing) and removes the files of a killed merge. Reads no product. */
export async function openProducts({ dir, jobs }: ProductsOptions): Promise<Products> {
  makeFolder(dir);
  if (oldGeneration(dir) !== null) await jobs.start('merge', { dir, goodPath: null }).done;
  await removeUnused(dir);
  let current = openView(dir);
  const inTurn = createInTurn();

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

  async function runMerge(goodPath: string): Promise<number> {
    const saved = await jobs.start('merge', { dir, goodPath }).done;
    const old = current;
    current = openView(dir);
    retire(old);
    await removeUnused(dir);
    return saved;
  }

  return {
    merge: (goodPath) => inTurn(() => runMerge(goodPath)),
    get: (productId) => reading((view) => findProduct(view, productId)),
    page: (query) => reading((view) => readPage(view, query)),
    count: () => current.count,
    savedDir: () => (current.count === 0 ? null : dir),
    close: () =>
      inTurn(async () => {
        const last = current;
        current = { segments: [], count: 0, found: null, readers: 0, isCurrent: true };
        retire(last);
      }),
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
  const found = q === '' ? null : await search(view, q);
  const wanted = found === null ? inOrder(view, offset, limit) : found.products.slice(offset, offset + limit);
  const products = await Promise.all(wanted.map(({ segment, at }) => readProduct(segment, at)));
  return { total: found?.products.length ?? view.count, more: found?.more ?? false, products };
}

/** A page of the live products of all segments. */
function inOrder({ segments }: View, offset: number, limit: number): readonly Match[] {
  const products: Match[] = [];
  let skipped = 0;
  for (const segment of segments) {
    const { live } = segment.entry;
    for (let rank = Math.max(0, offset - skipped); rank < live && products.length < limit; rank += 1)
      products.push({ segment, at: segment.atRank(rank) });
    skipped += live;
  }
  return products;
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
  const whole = segments.flatMap((segment): Match[] => {
    const at = segment.findProduct(q);
    return at === null ? [] : [{ segment, at }];
  });
  const parts: Match[] = [];
  for (const segment of segments) {
    const numbers = await searchSegment(segment, q, MOST_FOUND + 1 - parts.length);
    for (const at of numbers) parts.push({ segment, at });
    if (parts.length > MOST_FOUND) break;
  }
  const others = parts.filter(({ segment, at }) => !whole.some((one) => one.segment === segment && one.at === at));
  return { products: [...whole, ...others].slice(0, MOST_FOUND), more: parts.length > MOST_FOUND };
}
