/**
 * The last acts by hand, newest last, each with what it takes to undo it, and those that were undone, until something
 * else changes. In memory: a restart forgets them.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { toIso, type Clock } from '../time/clock.ts';
import type { Exchange, Recorder } from '../http/recorder.ts';
import type { CollectionName, StoredRecord } from '../records.ts';
import type { Change, Store } from '../store/store.ts';
import type { Done, UndoRef } from './undo-codes.ts';
import type { Checkpoint, World } from './world.ts';

/** One act that can be undone. */
export interface Undoable extends Done, UndoRef {
  /** When, ISO 8601 on the virtual clock. */
  readonly at: string;
  /** `everything`: undoing it also takes back all that happened since; `this`: only the act itself. */
  readonly takesBack: 'everything' | 'this';
}

export interface Undo {
  /** Newest first. */
  list(): readonly Undoable[];
  /** The act that `rewind` would go back before; null where there is none. */
  nextRewind(): Undoable | null;
  /** Remembers everything as it is, before an act. `jump`: an act to which time can be rewound. Answers how to forget it. */
  keepAll(done: Done, kind: 'act' | 'jump'): () => void;
  /** The same, together with the recorded requests. */
  keepAllAndRequests(done: Done): () => void;
  /** Remembers records as they were before an act took them away or changed them. */
  keepRecords(done: Done, collection: CollectionName, records: readonly StoredRecord[]): void;
  /** Remembers how to take an act back: work that runs in one transaction. */
  keepAct(done: Done, takeBack: () => void): void;
  /** Remembers the recorded requests, before they are cleared. */
  keepRequests(done: Done): void;
  /** Runs work, and answers with the act that it did and that can be undone; null where it did none. */
  during(work: () => Promise<void>): Promise<UndoRef | null>;
  /** Undoes the newest act and answers with it; null where there is none. */
  undo(): Promise<Undoable | null>;
  /** Undoes an act and all newer ones, newest first, and answers with it; null where it is not remembered any more. */
  undoBackTo(id: string): Promise<Undoable | null>;
  /** Undoes all up to and with the newest jump of time, and answers with that; null where there is none. */
  rewind(): Promise<Undoable | null>;
  /** What was undone and can be done again, the next one first. Any other change empties it. */
  redoable(): readonly Undoable[];
  /** Does again what was undone last, so that it can be undone once more; null where there is nothing to do again. */
  redo(): Promise<Undoable | null>;
  /** Gives back what the acts hold. */
  close(): void;
}

interface Entry extends Undoable {
  readonly kind: 'act' | 'jump';
  readonly checkpoint: Checkpoint | null;
  readonly records: { readonly collection: CollectionName; readonly records: readonly StoredRecord[] } | null;
  readonly act: (() => void) | null;
  /** Only the newest entry that has them keeps them: they are large. */
  exchanges: readonly Exchange[] | null;
}

/** An act that was undone, and what undoing it changed. */
interface Undone {
  readonly entry: Entry;
  /** Everything as it was before the undo, where the act was one on everything. */
  readonly checkpoint: Checkpoint | null;
  readonly changes: readonly Change[];
}

interface Exchanged {
  /** Everything as it was before. */
  readonly was: Checkpoint;
  /** How many foreign changes there had been. */
  readonly seen: number;
}

/** So many acts are remembered. */
export const undoLimit = 20;

export interface UndoDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly world: World;
  /** Sets the timers of a record that was changed from outside to what the store now holds. */
  readonly poke: (collection: CollectionName, id: string) => void;
}

/** Creates an empty list of acts. */
export function createUndo({ store, clock, recorder, world, poke }: UndoDeps): Undo {
  let entries: readonly Entry[] = [];
  let undone: readonly Undone[] = [];
  let count = 0;
  /** True while the list itself changes the store. */
  let isOwn = false;
  let foreignChanges = 0;
  const watch = new AsyncLocalStorage<{ done: Entry | null }>();

  const drop = (dropped: Entry): void => {
    entries = entries.filter((entry) => entry !== dropped);
    dropped.checkpoint?.files.release();
  };

  const forgetUndone = (): void => {
    for (const { checkpoint } of undone) checkpoint?.files.release();
    undone = [];
  };
  const noteChange = (): void => {
    if (isOwn) return;
    foreignChanges += 1;
    forgetUndone();
  };
  store.onCommit(noteChange);
  store.onReplace(noteChange);

  const remember = (kept: Entry): void => {
    if (kept.exchanges)
      for (const older of entries) {
        older.exchanges = null;
        if (!older.checkpoint && !older.records && !older.act) drop(older);
      }
    entries = [...entries, kept];
    const watched = watch.getStore();
    if (watched) watched.done = kept;
    for (const oldest of entries.slice(0, -undoLimit)) drop(oldest);
  };

  const push = (entry: Omit<Entry, 'id' | 'at' | 'takesBack'>): (() => void) => {
    count += 1;
    const id = `undo_${count}`;
    const kept: Entry = { ...entry, id, at: toIso(clock.now()), takesBack: entry.checkpoint ? 'everything' : 'this' };
    remember(kept);
    return () => drop(kept);
  };

  /** In one transaction, which is the list's own. */
  const change = (work: () => void): readonly Change[] => {
    isOwn = true;
    try {
      return store.transact(work).changes;
    } finally {
      isOwn = false;
    }
  };

  /**
   * Makes everything as it is in a checkpoint, and answers with one of what was there.
   * @param check called in the turn of the exchange; where it throws, nothing happens
   */
  const exchange = async (to: Checkpoint, check?: () => void): Promise<Exchanged> => {
    let done: Exchanged | null = null;
    try {
      await world.restore(to, () => {
        check?.();
        done = { was: world.checkpoint(), seen: foreignChanges };
        isOwn = true;
        // The exchange is over at the end of this turn.
        queueMicrotask(() => (isOwn = false));
      });
    } catch (error) {
      (done as Exchanged | null)?.was.files.release();
      throw error;
    }
    if (!done) throw new Error('The state was replaced without calling its hook.');
    return done;
  };

  const takeBack = async (entry: Entry): Promise<Undoable> => {
    const { checkpoint, records, act, exchanges } = entry;
    const exchanged = checkpoint ? await exchange(checkpoint) : null;
    const changes = change(() => {
      if (records) for (const record of records.records) store.collection(records.collection).put(record);
      act?.();
    });
    if (exchanges) recorder.putBack(exchanges);
    drop(entry);
    if (exchanged && exchanged.seen !== foreignChanges) exchanged.was.files.release();
    else undone = [...undone, { entry, checkpoint: exchanged?.was ?? null, changes }];
    return toUndoable(entry);
  };

  const doAgain = async (last: Undone): Promise<Undoable | null> => {
    const { entry, checkpoint, changes } = last;
    const seen = foreignChanges;
    undone = undone.filter((one) => one !== last);
    let was: Checkpoint | null = null;
    try {
      const check = (): void => {
        if (foreignChanges !== seen) throw overtaken;
      };
      if (checkpoint) ({ was } = await exchange(checkpoint, check));
      if (changes.length > 0) change(() => changes.forEach(reverse));
    } catch (error) {
      if (foreignChanges === seen) undone = [...undone, last];
      else checkpoint?.files.release();
      if (error === overtaken) return null;
      throw error;
    }
    if (entry.exchanges) recorder.takeOut(entry.exchanges);
    checkpoint?.files.release();
    remember({ ...entry, checkpoint: was });
    return toUndoable(entry);
  };

  /** Nothing else has changed since, so the record is what the change made it. */
  const reverse = ({ collection, id, before }: Change): void => {
    const of = store.collection(collection);
    if (before === null) of.delete(id);
    else of.put(before);
    poke(collection, id);
  };

  const nextJump = (): number => entries.findLastIndex(({ kind }) => kind === 'jump');
  const none = { checkpoint: null, records: null, act: null, exchanges: null };
  const keepAll = (done: Done, kind: 'act' | 'jump', exchanges: readonly Exchange[] | null): (() => void) =>
    push({ ...none, ...done, kind, checkpoint: world.checkpoint(), exchanges });

  return {
    list: () => entries.map(toUndoable).reverse(),
    nextRewind() {
      const jump = entries[nextJump()];
      return jump ? toUndoable(jump) : null;
    },
    keepAll: (done, kind) => keepAll(done, kind, null),
    keepAllAndRequests: (done) => keepAll(done, 'act', recorder.all()),
    keepRecords(done, collection, records) {
      push({ ...none, ...done, kind: 'act', records: { collection, records } });
    },
    keepAct(done, act) {
      push({ ...none, ...done, kind: 'act', act });
    },
    keepRequests(done) {
      forgetUndone();
      push({ ...none, ...done, kind: 'act', exchanges: recorder.all() });
    },
    async during(work) {
      const watched: { done: Entry | null } = { done: null };
      await watch.run(watched, work);
      const { done } = watched;
      // What failed is forgotten by whoever remembered it.
      return done && entries.includes(done) ? { id: done.id, code: done.code } : null;
    },
    async undoBackTo(id) {
      if (!entries.some((entry) => entry.id === id)) return null;
      for (;;) {
        const newest = entries.at(-1);
        if (!newest) return null;
        const act = await takeBack(newest);
        if (act.id === id) return act;
      }
    },
    async undo() {
      const newest = entries.at(-1);
      return newest ? takeBack(newest) : null;
    },
    async rewind() {
      const at = nextJump();
      const jump = entries[at];
      if (!jump) return null;
      const act = await takeBack(jump);
      for (const later of entries.slice(at)) drop(later);
      return act;
    },
    redoable: () => undone.map(({ entry }) => toUndoable(entry)).reverse(),
    async redo() {
      const last = undone.at(-1);
      return last ? doAgain(last) : null;
    },
    close() {
      for (const entry of entries) drop(entry);
      forgetUndone();
    },
  };
}

const overtaken = new Error('Something else changed while it was done again.');

function toUndoable({ id, code, says, at, takesBack }: Entry): Undoable {
  return { id, code, says, at, takesBack };
}
