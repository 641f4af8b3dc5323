/** The whole state as one thing: a checkpoint of it, and the return to a checkpoint. */
import type { Clock } from '../time/clock.ts';
import type { Feed } from '../feed.ts';
import type { Recorder } from '../http/record/recorder.ts';
import { randomSecret } from '../ids.ts';
import type { BlobCopy, StateDocument, Store, Track } from '../store/store.ts';
import { createInTurn } from '../time/in-turn.ts';
import { shownTime, withClock, type TimeSettings } from '../time/time-settings.ts';
import { openLineage, type Lineage, type Run } from './lineage.ts';
import { createLookBack, type LookBack } from './past.ts';
import { createActivities, type Activities } from './activities.ts';
import type { ResetMark } from './reset-mark.ts';

/**
 * The records, including the clock and the pace, and their files at the same time. It costs little: records are never
 * changed, only replaced, and the files are shared with the blobs until one of them is removed.
 */
export interface Checkpoint {
  readonly document: StateDocument;
  readonly files: BlobCopy;
  /** The history that led to it. Without a track, the past begins when the checkpoint is restored. */
  readonly track?: Track;
  /** What led to it. Left out if that is the same as for the present state. */
  readonly led?: Led;
}

/** The recorded requests and the activities that led to a state. */
export interface Led {
  readonly requests: Run | null;
  /** Marks the other activities as undone. */
  markActivities(): void;
}

export interface World {
  /**
   * The identity of this world. It changes with each replacement, and with a restart in memory. In two worlds, the same
   * record id may belong to different records.
   */
  id(): string;
  /** The actions done to it by hand. They are not part of a checkpoint: an action that is undone was still done. */
  readonly activities: Activities;
  readonly lineage: Lineage;
  readonly past: LookBack;
  checkpoint(): Checkpoint;
  /** What led to a state that was saved at a time on the wall clock, epoch ms. */
  ledUntil(wallAt: number): Led;
  /**
   * Restores everything from a checkpoint; the checkpoint stays. The new state is written first, while the present
   * world goes on. Then it replaces the world in one turn of the event loop, or nothing happens. Timers are set again.
   * @param before called synchronously before the replacement; if it throws, nothing happens
   */
  restore(checkpoint: Checkpoint, before?: () => void): Promise<void>;
  /** Runs work that moves or replaces the whole world, one piece of work after the other. */
  inTurn<T>(work: () => Promise<T>): Promise<T>;
  /**
   * Like `inTurn`, for work that replaces all data: a running jump of the clock ends at the time that it has reached.
   * @param check throws if the work will be refused anyway; the jump then goes on
   */
  replaceInTurn<T>(work: () => Promise<T>, check?: () => unknown): Promise<T>;
}

export interface WorldDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly feed: Feed;
  readonly recorder: Pick<Recorder, 'all' | 'changing' | 'newest'>;
  readonly time: TimeSettings;
  /** Background work on the records: `stop` ends it, `resume` continues with the new content of the store. */
  readonly features: { stop(): Promise<void>; resume(): void };
  readonly mark: Pick<ResetMark, 'unfinished'>;
  readonly onNotice: (text: string) => void;
}

/** Creates the world over a store. */
export function createWorld({ store, clock, feed, recorder, time, features, mark, onNotice }: WorldDeps): World {
  const inTurn = createInTurn();
  const past = createLookBack({ store, clock });
  /** During a jump the stored clock is the one from before it, but the records belong to the time that is shown. */
  const toDocument = (): StateDocument =>
    clock.jump() === null ? store.toDocument() : withClock(store.toDocument(), clock.state());
  // With a folder the id survives a restart, because the journal with which a world begins is stored there.
  const place = store.dataDir ?? randomSecret(8);
  const activities = createActivities({ store, removedUpTo: mark.unfinished?.activity ?? null, onProblem: onNotice });
  const lineage = openLineage(store.dataDir, { recorder, clock, onProblem: onNotice });
  return {
    id: () => `${place}#${store.past.track().at(-1)?.from ?? 0}`,
    past,
    activities,
    lineage,
    checkpoint: () => ({
      document: toDocument(),
      files: store.blobs.copy(),
      track: past.track(),
      led: { requests: lineage.upTo(), markActivities: activities.keepMarks() },
    }),
    ledUntil: (wallAt) => ({
      requests: lineage.until(wallAt),
      markActivities: () => activities.takeBack((activity) => activity.wallAt > wallAt),
    }),
    async restore({ document, files, track = [], led }, before) {
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
            if (!led) return;
            lineage.goOnFrom(led.requests);
            led.markActivities();
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
