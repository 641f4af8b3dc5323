import type { LineAcceptor } from './accept/accept-line.ts';
import type { LineIds } from './check-product.ts';
import { createIdSet, type HashId } from './id-set.ts';
import { toShownValue, type FoundIssue } from './issues.ts';
import type { SeenLines } from './seen-lines.ts';

export interface Duplicates {
  /**
   * Compares the ids of line `at` (from 0, already in `seen`) with the good lines before it. Only a good line takes its
   * ids: a line in error is not a product of the catalog (section 2.1). A line that is refused only later, by the
   * comparison with the saved products, still counts as good here.
   * @param isGood whether the line has no other issue
   */
  check(ids: LineIds, at: number, isGood: boolean): readonly FoundIssue[];
  /**
   * The same for an accepted line: true if none of its ids was there before. False is only a suspicion, about which
   * `check` decides.
   */
  areNew(line: Buffer, accepted: LineAcceptor, at: number): boolean;
  /** The good line (from 0) that has this product id, null if none has. */
  lineOfProduct(productId: string): number | null;
}

/**
 * Finds ids that occur twice in a file. A hash only says where to look: the first line is read again to be certain.
 * @param isGood whether an earlier line is good
 */
export function createDuplicates(seen: SeenLines, isGood: (at: number) => boolean, hash?: HashId): Duplicates {
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

  /** The line that took the variant id, which may be this one; null if none has. */
  function lineOfVariant(ids: LineIds, i: number, id: string, at: number): number | null {
    if (ids.variants.indexOf(id) < i) return at;
    return variants.find(id, (place) => place !== at && isGood(place) && seen.ids(place).variants.includes(id));
  }

  /** Remembers the ids of a line. Those that `areNew` remembered already stay as they are. */
  function remember({ product, variants: all }: LineIds, at: number): void {
    const isHere = (place: number): boolean => place === at;
    if (product !== null) products.add(product, at, isHere);
    for (const id of all) if (id !== null) variants.add(id, at, isHere);
  }

  const lineOfProduct = (id: string, at: number | null = null): number | null =>
    products.find(id, (place) => place !== at && isGood(place) && seen.ids(place).product === id);

  return {
    check(ids, at, isOtherwiseGood) {
      const issues: FoundIssue[] = [];
      const { product } = ids;
      const same = product === null ? null : lineOfProduct(product, at);
      if (product !== null && same !== null) issues.push(productIssue(product, same));

      for (let i = 0; i < ids.variants.length; i += 1) {
        const id = ids.variants[i];
        if (typeof id !== 'string') continue;
        const first = lineOfVariant(ids, i, id, at);
        // The variants of a duplicate product are duplicates, too: one issue reports both.
        if (first === null || first === same) continue;
        issues.push(variantIssue(ids, i, id, first, at));
      }
      if (isOtherwiseGood && issues.length === 0) remember(ids, at);
      return issues;
    },
    areNew(line, { productId, variantIds }, at) {
      if (!products.addNew(line, productId.ranges[0]!, productId.ranges[1]!, at)) return false;
      const { count, ranges } = variantIds;
      for (let i = 0; i < count; i += 1)
        if (!variants.addNew(line, ranges[i * 2]!, ranges[i * 2 + 1]!, at)) return false;
      return true;
    },
    lineOfProduct: (productId) => lineOfProduct(productId),
  };
}
