/** The whole state as one thing: a checkpoint of it, and the way back to one. */
import type { Clock } from '../time/clock.ts';
import type { Feed } from '../feed.ts';
import { randomSecret } from '../ids.ts';
import type { BlobCopy, StateDocument, Store, Track } from '../store/store.ts';
import { createInTurn } from '../time/in-turn.ts';
import { shownTime, withClock, type TimeSettings } from '../time/time-settings.ts';
import { createLookBack, type LookBack } from './past.ts';
import { createActivities, type Activities } from './activities.ts';

/**
 * The records, including the clock and the pace, and their files at the same time. It costs little: records are never
 * changed, only replaced, and the files are shared with the blobs until one of them is removed.
 */
export interface Checkpoint {
  readonly document: StateDocument;
  readonly files: BlobCopy;
  /** What led to it; without it, its past begins when it is restored. */
  readonly track?: Track;
}

export interface World {
  /**
   * Which records these are: another one after each replacement, and after a restart in memory. In two worlds one id may be
   * that of different records.
   */
  id(): string;
  /** What was done to it by hand. They are not part of a checkpoint: what is undone was done, too. */
  readonly activities: Activities;
  readonly past: LookBack;
  checkpoint(): Checkpoint;
  /**
   * Makes everything as it is in a checkpoint; the checkpoint stays. It is written first, while the present world goes
   * on, and then takes its place in one turn, or nothing happens. What waits for time is armed again.
   * @param before called synchronously before the replacement; if it throws, nothing happens
   */
  restore(checkpoint: Checkpoint, before?: () => void): Promise<void>;
  /** Work that moves or replaces the whole world runs one after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /**
   * The same for work that replaces all data: a running jump of the clock ends where it is.
   * @param check throws if the work is refused anyway: then the jump goes on
   */
  replaceInTurn<T>(work: () => Promise<T>, check?: () => unknown): Promise<T>;
}

export interface WorldDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly feed: Feed;
  readonly time: TimeSettings;
  /** Background work on the records: `stop` ends it, `resume` continues with the new content of the store. */
  readonly features: { stop(): Promise<void>; resume(): void };
  readonly onNotice: (text: string) => void;
}

/** Creates the world over a store. */
export function createWorld({ store, clock, feed, time, features, onNotice }: WorldDeps): World {
  const inTurn = createInTurn();
  const past = createLookBack({ store, clock });
  /** In a jump the stored clock is the one from before it, while the records are of the time that is shown. */
  const toDocument = (): StateDocument =>
    clock.jump() === null ? store.toDocument() : withClock(store.toDocument(), clock.state());
  // The journal with which a world begins is stored in the folder.
  const place = store.dataDir ?? randomSecret(8);
  return {
    id: () => `${place}#${store.past.track().at(-1)?.from ?? 0}`,
    past,
    activities: createActivities({ store, onProblem: onNotice }),
    checkpoint: () => ({ document: toDocument(), files: store.blobs.copy(), track: past.track() }),
    async restore({ document, files, track = [] }, before) {
      let isStopped = false;
      try {
        await store.replace(document, {
          files,
          track,
          at: shownTime(document, clock.wall()),
          async ready() {
            isStopped = true;
            await features.stop();
          },
          ...(before && { before }),
          after() {
            for (const { key } of clock.upcoming()) clock.cancel(key);
            time.apply();
          },
        });
        feed.publish({ type: 'reset' });
      } finally {
        if (isStopped) features.resume();
      }
    },
    inTurn,
    async replaceInTurn(work, check) {
      if (clock.jump() !== null) await check?.();
      clock.stop();
      return inTurn(work);
    },
  };
}
