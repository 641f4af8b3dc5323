import { closeSync, openSync, readSync } from 'node:fs';
import { eachLine, toIndexEntry, type IndexEntry } from '../saved/index-file.ts';
import { createIdSet } from './id-set.ts';

/** Which saved product has which variant id, in memory as hashes only. */
export interface SavedVariants {
  readonly isEmpty: boolean;
  /**
   * Whether no variant of a product belongs to another saved product. Fast, because it compares hashes: false may be a
   * false alarm.
   */
  areClearlyOwn(productId: string | null, variantIds: readonly (string | null)[]): boolean;
  /** The id of the saved product that has this variant, null if none has. Reads the index, so it is certain. */
  ownerOf(variantId: string): string | null;
  close(): void;
}

const nothing: SavedVariants = {
  isEmpty: true,
  areClearlyOwn: () => true,
  ownerOf: () => null,
  close: () => undefined,
};

/** Reads the index of the saved products; empty if `indexPath` is null. */
export async function openSavedVariants(indexPath: string | null): Promise<SavedVariants> {
  if (indexPath === null) return nothing;
  const products = createIdSet();
  const variants = createIdSet();
  const offsets: number[] = [];
  const lengths: number[] = [];
  const file = openSync(indexPath, 'r');
  const isNew = (): boolean => false;
  const isFound = (): boolean => true;

  function entry(at: number): IndexEntry {
    const line = Buffer.allocUnsafe(lengths[at] ?? 0);
    readSync(file, line, 0, line.length, offsets[at] ?? 0);
    return toIndexEntry(line);
  }

  try {
    await eachLine(indexPath, (line, offset) => {
      const [id, , , , variantIds] = toIndexEntry(line);
      products.add(id, offsets.length, isNew);
      for (const variantId of variantIds) variants.add(variantId, offsets.length, isNew);
      offsets.push(offset);
      lengths.push(line.length);
    });
  } catch (error) {
    closeSync(file);
    throw error;
  }

  return {
    isEmpty: false,
    areClearlyOwn(productId, variantIds) {
      const own = productId === null ? null : products.find(productId, isFound);
      return variantIds.every((id) => {
        const owner = id === null ? null : variants.find(id, isFound);
        return owner === null || owner === own;
      });
    },
    ownerOf(variantId) {
      const at = variants.find(variantId, (place) => entry(place)[4].includes(variantId));
      return at === null ? null : entry(at)[0];
    },
    close: () => closeSync(file),
  };
}
