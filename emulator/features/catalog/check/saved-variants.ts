import { readManifest } from '../saved/manifest.ts';
import { openSegment } from '../saved/segment.ts';
import { toLineIds } from './check-product.ts';

/** Which saved product has which variant id, from the index on disk. */
export interface SavedVariants {
  readonly isEmpty: boolean;
  /** Saved products. */
  readonly count: number;
  /**
   * Whether no variant of a product belongs to another saved product. Fast, because it compares hashes: false may be a
   * false alarm.
   */
  areClearlyOwn(productId: string | null, variantIds: readonly (string | null)[]): boolean;
  /** The id of the saved product that has this variant, null if none has. Reads its line, so it is certain. */
  ownerOf(variantId: string): string | null;
  /** The line of the saved product with this id; null if there is none. */
  lineOf(productId: string): Buffer | null;
  close(): void;
}

/** Opens the saved products of a folder; none if it is null. Memory: the parts of the index that are used. */
export function openSavedVariants(savedDir: string | null): SavedVariants {
  const entries = savedDir === null ? [] : readManifest(savedDir).segments;
  const segments = entries.map((entry) => openSegment(savedDir ?? '', entry, { keeps: true }));

  return {
    isEmpty: segments.length === 0,
    count: entries.reduce((sum, { live }) => sum + live, 0),
    areClearlyOwn(productId, variantIds) {
      for (const segment of segments) {
        let own: number | null | undefined;
        for (const id of variantIds) {
          const owner = id === null ? null : segment.findVariant(id, () => true);
          if (owner === null) continue;
          own ??= productId === null ? null : segment.findProduct(productId);
          if (owner !== own) return false;
        }
      }
      return true;
    },
    ownerOf(variantId) {
      for (const segment of segments) {
        const idsAt = (at: number) => toLineIds(JSON.parse(segment.line(at).toString()));
        const at = segment.findVariant(variantId, (place) => idsAt(place).variants.includes(variantId));
        if (at !== null) return idsAt(at).product;
      }
      return null;
    },
    lineOf(productId) {
      for (const segment of segments) {
        const at = segment.findProduct(productId);
        if (at !== null) return segment.line(at);
      }
      return null;
    },
    close() {
      for (const segment of segments) segment.close();
    },
  };
}
