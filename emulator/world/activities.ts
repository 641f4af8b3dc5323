/**
 * The actions done by hand: on the clock, on records, with the phone and the inbox, with faults. The newest are kept.
 */
import { createAsyncContext } from './async-context.ts';
import { randomSecret } from '../ids.ts';
import type { Change, Store } from '../store/store.ts';
import { openActivityFile } from './activity-file.ts';
import type { Activity, Touched } from './activity.ts';

/** The fields of a new activity. */
export type NewActivity = Omit<Activity, 'id' | 'at' | 'isTakenBack'>;

export interface Activities {
  /** Runs work, and returns its result and the records that it changed. Work that it leaves running is not watched. */
  during<T>(work: () => Promise<T> | T): Promise<{ readonly result: T; readonly touched: readonly Touched[] }>;
  /**
   * @param of the edit that it made, or did again, or undid, so that it can be marked when the edit is undone or done
   *   again; null if there is none
   * @param at epoch ms on the virtual clock
   */
  add(activity: NewActivity, of: OfEdit | null, at: number): void;
  /**
   * The id of the edit that an activity made or did again; null after a restart, and for activities that are not edits.
   */
  editOf(activity: Activity): string | null;
  /** Marks the activities that were these edits as undone, or as done again, and those that undid them the opposite. */
  mark(undoIds: readonly string[], isTakenBack: boolean): void;
  /**
   * Keeps which activities led to the present records. The function that it returns says so again: later ones are then
   * taken back.
   */
  keepMarks(): () => void;
  /** Marks activities as undone. */
  takeBack(which: (activity: Activity) => boolean): void;
  /** Oldest first. */
  all(): readonly Activity[];
  /** Removes these, wherever they are in the list. */
  takeOut(activities: readonly Activity[]): void;
  /** Puts removed activities back, before those that were added since. */
  putBack(activities: readonly Activity[]): void;
  /** Increases with each change of the list. */
  readonly version: number;
  /** Resolves when everything is written. */
  written(): Promise<void>;
}

/** The edit that an activity is about, and whether the activity undid it. */
export interface OfEdit {
  readonly id: string;
  readonly isUndo: boolean;
}

/** How many activities are kept. */
const keptActivities = 2_000;
/** How many records of one activity are kept. */
const keptTouched = 1_000;

/**
 * Creates the list. It begins with the activities that earlier processes on the data folder kept.
 * @param removedUpTo the activities up to the one with this id are removed: a kill interrupted their removal
 * @param onProblem called once, with a sentence, if the disk refuses
 */
export function createActivities({
  store,
  removedUpTo = null,
  onProblem,
}: {
  readonly store: Pick<Store, 'onCommit' | 'dataDir' | 'checkFolder'>;
  readonly removedUpTo?: string | null;
  readonly onProblem: (text: string) => void;
}): Activities {
  const file = openActivityFile({ store, kept: keptActivities, onProblem });
  const earlier = file?.earlier ?? [];
  const removed = earlier.findIndex(({ id }) => id === removedUpTo) + 1;
  let list = earlier.slice(removed).slice(-keptActivities);
  if (removed > 0) file?.replace(list);
  let version = 0;
  /** Activity → its edit. Removed activities keep theirs. */
  const edits = new WeakMap<Activity, OfEdit>();
  const watch = createAsyncContext<{ note: ((changes: readonly Change[]) => void) | null }>();
  store.onCommit((changes) => watch.current()?.note?.(changes));

  const change = (next: readonly Activity[]): void => {
    list = next.slice(-keptActivities);
    version += 1;
  };
  const editOf = (activity: Activity): string | null => {
    const of = edits.get(activity);
    return of && !of.isUndo ? of.id : null;
  };
  /** Sets the mark of each activity. */
  const markEach = (isTakenBack: (one: Activity) => boolean): void => {
    const changed: Activity[] = [];
    const next = list.map((one) => {
      const is = isTakenBack(one);
      if (is === one.isTakenBack) return one;
      const other = { ...one, isTakenBack: is };
      const edit = edits.get(one);
      if (edit !== undefined) edits.set(other, edit);
      changed.push(other);
      return other;
    });
    if (changed.length === 0) return;
    change(next);
    file?.append(changed, list);
  };

  return {
    async during(work) {
      const touched = new Map<string, Touched>();
      const note = (changes: readonly Change[]): void => {
        for (const { collection, id, before } of changes) {
          const key = `${collection} ${id}`;
          if (touched.size < keptTouched && !touched.has(key))
            touched.set(key, { collection, id, isNew: before === null });
        }
      };
      const watched: { note: typeof note | null } = { note };
      const result = await watch.run(watched, async () => work());
      watched.note = null;
      return { result, touched: [...touched.values()] };
    },
    add(activity, of, at) {
      const added: Activity = { id: `act_${randomSecret(9)}`, at, ...activity, isTakenBack: false };
      change([...list, added]);
      file?.append([added], list);
      if (of !== null) edits.set(added, of);
    },
    editOf,
    mark(undoIds, isTakenBack) {
      markEach((one) => {
        const of = edits.get(one);
        return of && undoIds.includes(of.id) ? isTakenBack !== of.isUndo : one.isTakenBack;
      });
    },
    keepMarks() {
      const led = list.filter((one) => !one.isTakenBack);
      const ids = new Set(led.map(({ id }) => id));
      const made = new Set(led.flatMap((one) => editOf(one) ?? []));
      // An undo and a redo may be later than the state; they hold if their edit led to it, or did not.
      return () =>
        markEach((one) => {
          const of = edits.get(one);
          const isMade = of !== undefined && made.has(of.id);
          return of?.isUndo ? isMade : !isMade && !ids.has(one.id);
        });
    },
    takeBack: (which) => markEach((one) => one.isTakenBack || which(one)),
    all: () => list,
    takeOut(activities) {
      const ids = new Set(activities.map(({ id }) => id));
      change(list.filter(({ id }) => !ids.has(id)));
      file?.replace(list);
    },
    putBack(activities) {
      change([...activities, ...list]);
      file?.replace(list);
    },
    get version() {
      return version;
    },
    written: () => file?.written() ?? Promise.resolve(),
  };
}
