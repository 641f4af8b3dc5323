/** Merges the codes that two states have for an offer into one list. */
import type { Offer, OfferUpload } from '../records.ts';
import { readList } from '../store/read-list.ts';
import type { BlobCopy, StateDocument } from '../store/store.ts';
import { createSlices } from '../time/slices.ts';
import { writeFiles, type SavedProducts } from './files.ts';
import type { Mergeable } from './merge-people.ts';

interface OffersOf {
  readonly offers?: readonly Offer[];
  readonly offerUploads?: readonly OfferUpload[];
}

/** Codes that are compared before the event loop gets a turn: a few milliseconds. */
const codesPerSlice = 10_000;

/**
 * Returns the state with each code of an offer once, and with the number of its codes: both states may have added some.
 * An upload that was merged in before, or that comes from a snapshot of this state, is there once.
 * @param renamed the new ids of the incoming records
 * @param files the files of both states; a file of codes is written again if one of its codes is repeated
 */
export async function uniteCodes(
  document: StateDocument,
  { collections: coming }: Mergeable,
  renamed: ReadonlyMap<string, string>,
  files: BlobCopy,
  products: SavedProducts,
): Promise<StateDocument> {
  const { offers = [], offerUploads = [] } = document.collections as OffersOf;
  const { offers: comingOffers = [], offerUploads: comingUploads = [] } = coming as OffersOf;
  const came = new Set(comingUploads.map(({ id }) => renamed.get(id) ?? id));
  const touched = new Set(comingOffers.map(({ id }) => id));
  const codesOf = new Map([...touched].map((id) => [id, new Set<string>()]));
  const turns = createSlices(codesPerSlice);
  const uploads: OfferUpload[] = [];
  /** Key → how many uploads of the present state have it, and are not yet matched by an incoming one. */
  const alike = new Map<string, number>();
  for (const upload of offerUploads) {
    const known = codesOf.get(upload.offerId);
    if (!known) {
      uploads.push(upload);
      continue;
    }
    const name = `${upload.id}.json`;
    const sent = files.has('codes', name) ? await readList(files.path('codes', name)) : [];
    const fresh: string[] = [];
    for (const code of sent) {
      if (!known.has(code)) fresh.push(code);
      known.add(code);
      const turn = turns();
      if (turn) await turn;
    }
    const { offerId, receivedAt, distributionStart, distributionStop, codeCount, duplicateCount } = upload;
    const key = JSON.stringify([offerId, receivedAt, distributionStart, distributionStop, codeCount + duplicateCount]);
    const count = alike.get(key) ?? 0;
    if (!came.has(upload.id)) alike.set(key, count + 1);
    else if (fresh.length === 0 && count > 0) {
      alike.set(key, count - 1);
      files.remove('codes', name);
      continue;
    }
    const repeated = sent.length - fresh.length;
    uploads.push(
      repeated === 0 ? upload : { ...upload, codeCount: fresh.length, duplicateCount: duplicateCount + repeated },
    );
    if (repeated > 0) await writeFiles(files, [{ kind: 'codes', id: upload.id, lines: fresh }], products);
  }
  const counted = new Map<string, number>();
  for (const { offerId, codeCount } of uploads) counted.set(offerId, (counted.get(offerId) ?? 0) + codeCount);
  return {
    ...document,
    collections: {
      ...document.collections,
      offerUploads: uploads,
      offers: offers.map((offer) =>
        touched.has(offer.id) ? { ...offer, codeCount: counted.get(offer.id) ?? 0 } : offer,
      ),
    },
  };
}
