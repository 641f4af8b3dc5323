import type { SavedProduct } from './product-schema.ts';
import type { XrayChanges } from './shapes.ts';

export type ChangeCounts = { -readonly [K in keyof XrayChanges]: XrayChanges[K] };

/** The counts before the first line. */
export function noChanges(): ChangeCounts {
  return { added: 0, changed: 0, same: 0, untouched: 0, variantsRemoved: 0, variantsUnavailable: 0, unavailable: 0 };
}

/**
 * Adds the effect of one good line to `counts`. `savedLine` is the saved product with its id; null if there is none.
 */
export function compareProducts(
  product: SavedProduct,
  line: Buffer,
  savedLine: Buffer | null,
  counts: ChangeCounts,
): void {
  if (savedLine === null) {
    counts.added += 1;
    return;
  }
  if (savedLine.equals(line)) {
    counts.same += 1;
    return;
  }
  const before = JSON.parse(savedLine.toString()) as SavedProduct;
  if (JSON.stringify(before) === JSON.stringify(product)) {
    counts.same += 1;
    return;
  }
  counts.changed += 1;
  const now = new Map(product.variants.map((variant) => [variant.id, variant]));
  for (const { id, availableForPurchase } of before.variants) {
    const variant = now.get(id);
    if (!variant) counts.variantsRemoved += 1;
    else if (availableForPurchase && !variant.availableForPurchase) counts.variantsUnavailable += 1;
  }
  const isSold = ({ variants }: SavedProduct): boolean => variants.some((variant) => variant.availableForPurchase);
  if (isSold(before) && !isSold(product)) counts.unavailable += 1;
}
