/** The last destructive acts, newest last, each with what it takes to undo it. In memory: a restart forgets them. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { toIso, type Clock } from '../time/clock.ts';
import type { Exchange, Recorder } from '../http/recorder.ts';
import type { CollectionName, StoredRecord } from '../records.ts';
import type { Collection, Store } from '../store/store.ts';
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

/** So many acts are remembered. */
export const undoLimit = 20;

export interface UndoDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly recorder: Recorder;
  readonly world: World;
}

/** Creates an empty list of acts. */
export function createUndo({ store, clock, recorder, world }: UndoDeps): Undo {
  let entries: readonly Entry[] = [];
  let count = 0;
  const watch = new AsyncLocalStorage<{ done: Entry | null }>();

  const drop = (dropped: Entry): void => {
    entries = entries.filter((entry) => entry !== dropped);
    dropped.checkpoint?.files.release();
  };

  const push = (entry: Omit<Entry, 'id' | 'at' | 'takesBack'>): (() => void) => {
    if (entry.exchanges)
      for (const older of entries) {
        older.exchanges = null;
        if (!older.checkpoint && !older.records && !older.act) drop(older);
      }
    count += 1;
    const id = `undo_${count}`;
    const kept: Entry = { ...entry, id, at: toIso(clock.now()), takesBack: entry.checkpoint ? 'everything' : 'this' };
    entries = [...entries, kept];
    const watched = watch.getStore();
    if (watched) watched.done = kept;
    for (const oldest of entries.slice(0, -undoLimit)) drop(oldest);
    return () => drop(kept);
  };

  const takeBack = async (entry: Entry): Promise<Undoable> => {
    if (entry.checkpoint) await world.restore(entry.checkpoint);
    if (entry.records) {
      const { collection, records } = entry.records;
      const of = store[collection] as unknown as Collection<StoredRecord>;
      store.transact(() => records.forEach((record) => of.put(record)));
    }
    if (entry.act) store.transact(entry.act);
    if (entry.exchanges) recorder.putBack(entry.exchanges);
    drop(entry);
    return toUndoable(entry);
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
        const undone = await takeBack(newest);
        if (undone.id === id) return undone;
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
      const undone = await takeBack(jump);
      for (const later of entries.slice(at)) drop(later);
      return undone;
    },
    close() {
      for (const entry of entries) drop(entry);
    },
  };
}

function toUndoable({ id, code, says, at, takesBack }: Entry): Undoable {
  return { id, code, says, at, takesBack };
}
