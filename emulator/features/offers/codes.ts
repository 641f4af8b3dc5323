import { rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createSerialQueues } from '../../machine/serial-queues.ts';
import type { OfferUpload } from '../../records.ts';
import { renameAtOnce, syncFile } from '../../system.ts';
import type { Store } from '../../store/store.ts';
import { nextTurn } from '../../globals.ts';
import { createCodeSet, type CodeSet } from './code-set.ts';

/** The codes of offers. They are bulk data, so each upload's codes are in a separate file and never in the state. */
export interface Codes {
  /**
   * Stores the codes that are new to the offer, without repetitions and in the order sent, for the upload that `put`
   * stores. Reading, comparing and writing happen in slices, between which other requests are answered; uploads to
   * one offer are done one after the other.
   * @param put stores the upload, in one transaction: gets the number of new codes, and a function that gives their
   *   file the name of the upload
   */
  add(
    offerId: string,
    sent: readonly string[],
    put: (newCodes: number, keep: (uploadId: string) => void) => OfferUpload,
  ): Promise<void>;
  /** Whether a file already has this upload's name: left by a transaction that was reverted, or by a kill. */
  isTaken(uploadId: string): boolean;
}

/** The codes of the most recently used offer, and the uploads that they come from. */
interface Known {
  readonly offerId: string;
  readonly uploads: readonly OfferUpload[];
  readonly codes: CodeSet;
}

const kind = 'codes';
const fileOf = (uploadId: string): string => `${uploadId}.json`;

/** How many codes are compared before the event loop gets a turn, or written at once: about ten milliseconds each. */
const comparedAtOnce = 25_000;
const writtenAtOnce = 100_000;

/** The new codes of an upload, in the order sent. */
export async function readCodes({ blobs }: Pick<Store, 'blobs'>, uploadId: string): Promise<readonly string[]> {
  // A state that was copied without its files has the number of codes, but not the codes.
  return (await blobs.readList(kind, fileOf(uploadId))) ?? [];
}

/**
 * Stores the codes of an upload at once, without slices. For a world that is still being built: no client waits for it.
 */
export function writeCodes({ blobs }: Pick<Store, 'blobs'>, uploadId: string, codes: readonly string[]): void {
  blobs.append(kind, fileOf(uploadId), JSON.stringify(codes));
}

/** Creates the store of codes. The codes of the most recently used offer stay in memory. */
export function createCodes({ store }: { store: Store }): Codes {
  const { blobs } = store;
  const uploadsOf = store.offerUploads.index('byOffer', ({ offerId }) => [offerId]);
  const queues = createSerialQueues();
  let latest: Known | null = null;

  // After a reverted transaction or a replaced state, the codes in memory come from other uploads.
  const isCurrent = ({ offerId, uploads }: Known): boolean => {
    const present = uploadsOf.get(offerId);
    return uploads.length === present.length && uploads.every((one, at) => one === present[at]);
  };

  const read = async (offerId: string): Promise<Known> => {
    if (latest?.offerId === offerId && isCurrent(latest)) return latest;
    const uploads = uploadsOf.get(offerId);
    const codes = createCodeSet();
    for (const { id } of uploads) await addTo(codes, await readCodes(store, id));
    return { offerId, uploads, codes };
  };

  const add: Codes['add'] = async (offerId, sent, put) => {
    const known = await read(offerId);
    // From here on the set is ahead of the state: if anything below fails, it is read again.
    latest = null;
    const fresh = await addTo(known.codes, sent);
    const aside = blobs.createTemp(kind);
    try {
      await writeList(aside, fresh);
      // If the offer was deleted or restored meanwhile, it has other codes.
      if (!isCurrent(known)) return await add(offerId, sent, put);
      const upload = put(fresh.length, (uploadId) => renameAtOnce(aside, blobs.path(kind, fileOf(uploadId))));
      latest = { ...known, uploads: [...known.uploads, upload] };
    } finally {
      rmSync(aside, { force: true });
    }
  };

  return {
    isTaken: (uploadId) => blobs.exists(kind, fileOf(uploadId)),
    add: (offerId, sent, put) => queues.run(offerId, () => add(offerId, sent, put)),
  };
}

/** Adds codes to the set and returns those that were not in it: the same list, if all are new. */
async function addTo(known: CodeSet, codes: readonly string[]): Promise<readonly string[]> {
  let fresh: string[] | null = null;
  for (let from = 0; from < codes.length; from += comparedAtOnce) {
    if (from > 0) await nextTurn();
    const end = Math.min(codes.length, from + comparedAtOnce);
    for (let at = from; at < end; at++) {
      const code = codes[at] as string;
      if (!known.add(code)) fresh ??= codes.slice(0, at);
      else fresh?.push(code);
    }
  }
  return fresh ?? codes;
}

/** Writes a list as JSON. */
async function writeList(path: string, codes: readonly string[]): Promise<void> {
  const handle = await open(path, 'w', 0o600);
  try {
    for (let from = 0; from === 0 || from < codes.length; from += writtenAtOnce) {
      const part = JSON.stringify(codes.slice(from, from + writtenAtOnce)).slice(1, -1);
      const isLast = from + writtenAtOnce >= codes.length;
      await handle.writeFile(`${from === 0 ? '[' : ','}${part}${isLast ? ']' : ''}`);
    }
    // The upload's record may survive a power loss, so the codes must, too.
    await syncFile(handle);
  } finally {
    await handle.close();
  }
}
