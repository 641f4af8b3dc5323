import { readFileSync } from 'node:fs';
import type { OfferUpload } from '../../records.ts';
import type { Store } from '../../store/store.ts';

/** The codes of offers. They are bulk data, so each upload's codes are in a separate file and never in the state. */
export interface Codes {
  /**
   * Stores the codes that are new to the offer, without repetitions and in the order sent, for the upload that
   * `toUpload` creates from their number. Inside a transaction; if that is reverted, an unused file stays.
   */
  keep(offerId: string, sent: readonly string[], toUpload: (newCodes: number) => OfferUpload): OfferUpload;
  /** Whether a file already has this upload's name: left by a transaction that was reverted, or by a kill. */
  isTaken(uploadId: string): boolean;
}

/** The codes of the most recently used offer, and the uploads that they come from. */
interface Known {
  readonly offerId: string;
  readonly uploads: readonly OfferUpload[];
  readonly codes: Set<string>;
}

const fileOf = (uploadId: string): string => `${uploadId}.json`;

/** The new codes of an upload, in the order sent. */
export function readCodes({ blobs }: Pick<Store, 'blobs'>, uploadId: string): readonly string[] {
  // A state that was copied without its files has the number of codes, but not the codes.
  if (!blobs.exists('codes', fileOf(uploadId))) return [];
  return JSON.parse(readFileSync(blobs.path('codes', fileOf(uploadId)), 'utf8')) as readonly string[];
}

/** Creates the store of codes. The codes of the most recently used offer stay in memory. */
export function createCodes({ store }: { store: Store }): Codes {
  const { blobs } = store;
  const uploadsOf = store.offerUploads.index('byOffer', ({ offerId }) => [offerId]);
  let latest: Known | null = null;

  const read = (offerId: string): Known => {
    const uploads = uploadsOf.get(offerId);
    // After a reverted transaction or a replaced state, the codes in memory come from other uploads.
    const usable =
      latest?.offerId === offerId &&
      latest.uploads.length === uploads.length &&
      latest.uploads.every((one, at) => one === uploads[at]);
    if (latest && usable) return latest;
    return { offerId, uploads, codes: new Set(uploads.flatMap(({ id }) => readCodes(store, id))) };
  };

  return {
    isTaken: (uploadId) => blobs.exists('codes', fileOf(uploadId)),
    keep(offerId, sent, toUpload) {
      const { uploads, codes } = read(offerId);
      // From here on the set is ahead of the state: if anything below fails, it is read again.
      latest = null;
      const fresh: string[] = [];
      for (const code of sent) {
        const before = codes.size;
        codes.add(code);
        if (codes.size > before) fresh.push(code);
      }
      const upload = toUpload(fresh.length);
      blobs.append('codes', fileOf(upload.id), JSON.stringify(fresh));
      latest = { offerId, uploads: [...uploads, upload], codes };
      return upload;
    },
  };
}
