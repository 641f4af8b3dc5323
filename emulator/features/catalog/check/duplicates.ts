import type { LineAcceptor } from './accept/accept-line.ts';
import type { LineIds } from './check-product.ts';
import { createIdSet, type HashId } from './id-set.ts';
import { toShownValue, type FoundIssue } from './issues.ts';
import type { SeenLines } from './seen-lines.ts';

export interface Duplicates {
  /** Compares the ids of line `at` (from 0, already in `seen`) with all lines before it, and remembers them. */
  check(ids: LineIds, at: number): readonly FoundIssue[];
  /**
   * The same for a line that was accepted: true if none of its ids was there before. False is only a suspicion, after
   * which `check` decides.
   */
  areNew(line: Buffer, accepted: LineAcceptor, at: number): boolean;
  /** The line (from 0) that has this product id, null if none has. */
  lineOfProduct(productId: string): number | null;
}

/** Finds ids that occur twice in a file. A hash only says where to look: the first line is read again to be certain. */
export function createDuplicates(seen: SeenLines, hash?: HashId): Duplicates {
  const products = createIdSet(hash);
  const variants = createIdSet(hash);

  function productIssue(id: string, first: number): FoundIssue {
    const value = toShownValue(id);
    const message = `The product id "${value}" is already on line ${first + 1}. Keep one of the two lines.`;
    return { rule: 'catalog.duplicate-product', message, pointer: '/id', value };
  }

  function variantIssue(ids: LineIds, i: number, id: string, first: number, at: number): FoundIssue {
    const value = toShownValue(id);
    const index = (first === at ? ids : seen.ids(first)).variants.indexOf(id);
    const where = first === at ? `as variants[${index}] of this product` : `on line ${first + 1} as variants[${index}]`;
    const message = `The variant id "${value}" is already used ${where}. Give variants[${i}] another id.`;
    return { rule: 'catalog.duplicate-variant', message, pointer: `/variants/${i}/id`, value };
  }

  function addVariant(ids: LineIds, i: number, id: string, at: number): number | null {
    return variants.add(id, at, (place) =>
      place === at ? ids.variants.indexOf(id) < i : seen.ids(place).variants.includes(id),
    );
  }

  return {
    check(ids, at) {
      const issues: FoundIssue[] = [];
      const { product } = ids;
      // Ids of this line that `areNew` remembered already are not earlier ones.
      const isProduct = (place: number): boolean => place !== at && seen.ids(place).product === product;
      const same = product === null ? null : products.add(product, at, isProduct);
      if (product !== null && same !== null) issues.push(productIssue(product, same));

      for (let i = 0; i < ids.variants.length; i += 1) {
        const id = ids.variants[i];
        if (typeof id !== 'string') continue;
        const first = addVariant(ids, i, id, at);
        // The variants of a duplicate product are duplicates, too: one issue reports both.
        if (first === null || first === same) continue;
        issues.push(variantIssue(ids, i, id, first, at));
      }
      return issues;
    },
    areNew(line, { productId, variantIds }, at) {
      if (!products.addNew(line, productId.ranges[0]!, productId.ranges[1]!, at)) return false;
      const { count, ranges } = variantIds;
      for (let i = 0; i < count; i += 1)
        if (!variants.addNew(line, ranges[i * 2]!, ranges[i * 2 + 1]!, at)) return false;
      return true;
    },
    lineOfProduct: (productId) => products.find(productId, (place) => seen.ids(place).product === productId),
  };
}
