import { readFileSync } from 'node:fs';
import type { OfferUpload } from '../../records.ts';
import type { Store } from '../../store/store.ts';

/** The codes of offers. They are bulk, so each upload's stand in a file of their own and never in the state. */
export interface Codes {
  /** The codes that are new to the offer, without repetitions, in the order sent. */
  toNew(offerId: string, sent: readonly string[]): readonly string[];
  /** Writes the codes of one upload. What a transaction that is put back has written is a file that nothing names. */
  write(upload: OfferUpload, codes: readonly string[]): void;
}

/** The codes of an offer as far as they were read, and the uploads that are in them. */
interface Known {
  readonly uploadIds: readonly string[];
  readonly codes: Set<string>;
}

/** Creates the reader and writer of codes. The codes of the offer used last are kept in memory. */
export function createCodes({ store }: { store: Store }): Codes {
  const uploadsOf = store.offerUploads.index('byOffer', ({ offerId }) => [offerId]);
  let latest: { readonly offerId: string; readonly known: Known } | null = null;

  const read = (offerId: string): Known => {
    const uploadIds = uploadsOf.get(offerId).map(({ id }) => id);
    const known = latest?.offerId === offerId ? latest.known : null;
    // An upload that was put back, or a replaced state, leaves the kept codes with uploads that are no longer stored.
    const usable = known !== null && known.uploadIds.every((id, at) => id === uploadIds[at]);
    const codes = usable ? known.codes : new Set<string>();
    for (const id of uploadIds.slice(usable ? known.uploadIds.length : 0)) {
      for (const code of JSON.parse(readFileSync(store.blobs.path('codes', id), 'utf8')) as string[]) codes.add(code);
    }
    latest = { offerId, known: { uploadIds, codes } };
    return latest.known;
  };

  return {
    toNew(offerId, sent) {
      const { codes } = read(offerId);
      const unique = new Set(sent);
      return codes.size === 0 ? [...unique] : [...unique].filter((code) => !codes.has(code));
    },
    write(upload, fresh) {
      store.blobs.append('codes', upload.id, JSON.stringify(fresh));
      if (latest?.offerId !== upload.offerId) return;
      const { uploadIds, codes } = latest.known;
      for (const code of fresh) codes.add(code);
      latest = { offerId: upload.offerId, known: { uploadIds: [...uploadIds, upload.id], codes } };
    },
  };
}
