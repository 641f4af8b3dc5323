/** The whole state as one thing: a checkpoint of it, and the way back to one. */
import type { Clock } from '../time/clock.ts';
import type { Feed } from '../feed.ts';
import { toDocument, type Hold, type StateDocument, type Store } from '../store/store.ts';
import type { TimeSettings } from '../time/time-settings.ts';

/**
 * The records, with the clock and the pace among them, and the files beside them as they were in the same turn. It costs
 * little: records are never changed, only replaced, and the files are shared with the blobs until one of them goes.
 */
export interface Checkpoint {
  readonly document: StateDocument;
  readonly files: Hold;
}

export interface World {
  checkpoint(): Checkpoint;
  /** Makes everything as it was; the checkpoint stays. What waits for time is armed anew. Durable when it resolves. */
  restore(checkpoint: Checkpoint): Promise<void>;
  /** Work that moves or replaces the whole world runs one after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
}

export interface WorldDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly feed: Feed;
  readonly time: TimeSettings;
  /** What works on the records by itself: `stop` ends it, `resume` goes on with what the store then holds. */
  readonly features: { stop(): Promise<void>; resume(): void };
}

/** Creates the world over a store. */
export function createWorld({ store, clock, feed, time, features }: WorldDeps): World {
  let last: Promise<unknown> = Promise.resolve();
  return {
    checkpoint: () => ({ document: store.toDocument(), files: store.blobs.hold() }),
    async restore({ document, files }) {
      toDocument(document, store.names);
      await features.stop();
      // One turn from here until the records and files have been exchanged: no request sees one without the other.
      for (const { key } of clock.upcoming()) clock.cancel(key);
      store.blobs.restore(files);
      const replaced = store.replace(document);
      time.apply();
      await replaced;
      features.resume();
      feed.publish({ type: 'reset' });
    },
    inTurn<T>(work: () => Promise<T>): Promise<T> {
      const result = last.then(work);
      last = result.catch(() => undefined);
      return result;
    },
  };
}
