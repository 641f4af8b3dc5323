import type { LineIds } from './check-product.ts';
import { createIdSet, type HashId } from './id-set.ts';
import { toShownValue, type FoundIssue } from './issues.ts';
import type { SeenLines } from './seen-lines.ts';

export interface Duplicates {
  /** Compares the ids of line `at` (from 0, already in `seen`) with all lines before it, and remembers them. */
  check(ids: LineIds, at: number): readonly FoundIssue[];
  /** The line (from 0) that has this product id, null when none has. */
  lineOfProduct(productId: string): number | null;
  readonly size: number;
}

/** Finds ids that stand twice in a file. A hash only says where to look: the first line is read again as the proof. */
export function createDuplicates(seen: SeenLines, hash?: HashId): Duplicates {
  const products = createIdSet(hash);
  const variants = createIdSet(hash);

  function checkProduct(id: string, at: number): FoundIssue | null {
    const first = products.add(id, at, (place) => seen.ids(place).product === id);
    if (first === null) return null;
    const value = toShownValue(id);
    const message = `The product id "${value}" stands on line ${first + 1} already. Keep one of the two lines.`;
    return { rule: 'catalog.duplicate-product', message, pointer: '/id', value };
  }

  function checkVariant(ids: LineIds, i: number, at: number): FoundIssue | null {
    const id = ids.variants[i];
    if (typeof id !== 'string') return null;
    const first = variants.add(id, at, (place) =>
      place === at ? ids.variants.indexOf(id) < i : seen.ids(place).variants.includes(id),
    );
    if (first === null) return null;
    const value = toShownValue(id);
    const where =
      first === at
        ? `variants[${ids.variants.indexOf(id)}] of this product`
        : `line ${first + 1}, variants[${seen.ids(first).variants.indexOf(id)}],`;
    const message = `The variant id "${value}" stands on ${where} already. Give variants[${i}] an id of its own.`;
    return { rule: 'catalog.duplicate-variant', message, pointer: `/variants/${i}/id`, value };
  }

  return {
    check(ids, at) {
      const product = ids.product === null ? null : checkProduct(ids.product, at);
      const issues = ids.variants.map((_, i) => checkVariant(ids, i, at)).filter((issue) => issue !== null);
      return product === null ? issues : [product, ...issues];
    },
    lineOfProduct: (productId) => products.find(productId, (place) => seen.ids(place).product === productId),
    get size() {
      return products.size + variants.size;
    },
  };
}
