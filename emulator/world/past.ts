/** Looks back: reads the records at an earlier moment. */
import type { StoredRecord } from '../records.ts';
import { emptyDocument, type StateDocument, type Store, type Track } from '../store/store.ts';
import type { Clock } from '../time/clock.ts';

/** The records at an earlier moment. */
export interface EarlierWorld {
  readonly document: StateDocument;
  readonly track: Track;
  /** Whether a catalog was saved since: products are files, and are as they are now. */
  readonly hasOtherProducts: boolean;
}

export interface LookBack {
  /** The first moment that is known, epoch ms. */
  earliest(): Promise<number>;
  /**
   * The state after everything up to a time, epoch ms; null if that is before the first moment that is known.
   * @throws Refusal if a file that is needed is damaged
   */
  at(time: number): Promise<EarlierWorld | null>;
  /** The history that led to the present state, for a checkpoint. */
  track(): Track;
}

/** How long the data that was read is kept after a look, because people often look at many moments in a row. */
const lookMs = 20_000;

/** Creates the past of a store. The present state is known from now on; nothing is read until someone asks. */
export function createLookBack({
  store,
  clock,
}: {
  readonly store: Store;
  readonly clock: Pick<Clock, 'afterWall'>;
}): LookBack {
  let cancel = (): void => {};
  store.past.mark();
  return {
    earliest: store.past.earliest,
    track: store.past.track,
    async at(time) {
      cancel();
      try {
        const moment = await store.past.at(time);
        if (!moment) return null;
        const { sequence, collections } = store.toDocument();
        const wereSaved = new Set(moment.records.uploads?.filter(isSaved).map(({ id }) => id));
        return {
          document: { ...emptyDocument(), sequence, collections: moment.records },
          track: moment.track,
          hasOtherProducts: (collections.uploads ?? []).some((one) => isSaved(one) && !wereSaved.has(one.id)),
        };
      } finally {
        cancel();
        cancel = clock.afterWall(lookMs, store.past.forget);
      }
    },
  };
}

function isSaved(record: StoredRecord): boolean {
  return (record as { readonly state?: unknown }).state === 'completed';
}
