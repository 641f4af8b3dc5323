/**
 * The last edits, newest last, each with the parts that undo it, and the edits that were undone, until something else
 * changes. They are in memory: a restart forgets them.
 */
import { createAsyncContext } from './async-context.ts';
import type { RecordedExchange } from '../http/record/recorded-exchange.ts';
import { toIso, type Clock } from '../time/clock.ts';
import type { Done, Edit, EditSetting, Redoable, Undoable, Undone, UndoRef } from './edits.ts';
import { createSpans, type Span } from './spans.ts';
import { isNoChange } from './undo-note.ts';
import { createParts, type Part, type PartsDeps } from './undo-parts.ts';

export interface Undo {
  /** Call it outside of any transaction: it opens its own. */
  readonly edit: Edit;
  readonly editSetting: EditSetting;
  /**
   * Replaces or moves the whole world, so that this can be undone. If the work throws, nothing is remembered.
   * @param work calls `remember` just before it changes everything, in the same turn of the event loop. The function
   *   that `remember` returns gives the edit another sentence, if it turned out differently
   * @param of `jump`: time can be rewound to before it; `memory`: it also covers the recorded requests, the activities,
   *   faults and limits
   */
  editWorld<Made>(
    done: Done,
    work: (remember: () => (says: string) => void) => Promise<Made>,
    of?: { readonly jump?: boolean; readonly memory?: boolean },
  ): Promise<Made>;
  /** Removes recorded requests, those of `removed` or all, so that this can be undone. */
  editRequests(done: Done, work: () => void, removed?: readonly RecordedExchange[]): void;
  /** Newest first. */
  list(): readonly Undoable[];
  /** The newest jump of time, which `rewind` would undo with all later edits; null if there is none. */
  nextRewind(): Undoable | null;
  /** Runs work, and returns its effects on this list. */
  during(work: () => Promise<void>): Promise<Doings>;
  /** Undoes an edit of the list and all newer ones, newest first, and returns it. */
  undoBackTo(id: string): Promise<Undone>;
  /**
   * Undoes all edits back to and including the newest jump of time in one step, and returns the jump; null if there is
   * none.
   */
  rewind(): Promise<Undoable | null>;
  /**
   * The undone edits that can be done again, the next one first. Any other change empties the list, except attempts of
   * deliveries.
   */
  redoable(): readonly Redoable[];
  /**
   * Redoes the last undo or rewind: everything is as it was before it, and its edits can be undone once more. Null if
   * there is nothing to redo.
   */
  redo(): Promise<Redoable | null>;
  /** Forgets everything, and releases its files. */
  close(): void;
}

/** The effects of some work on the list of edits. */
export interface Doings {
  /** The edit that it made, or did again, and that can be undone; null if there is none. */
  readonly edit: UndoRef | null;
  /** The id of the edit that it undid; of several, the oldest. Null if it undid none. */
  readonly undone: string | null;
}

interface Entry extends Omit<Done, 'says'>, UndoRef {
  says: string;
  readonly at: string;
  readonly isJump: boolean;
  readonly span: Span;
  /** The parts that undo the edit; while it is undone, the parts that redo it. */
  parts: readonly Part[];
}

/** The changes of the list while some work ran. */
interface Watched {
  done: Entry | null;
  undone: string | null;
}

/** How many edits are remembered. */
export const undoLimit = 20;

export interface UndoDeps extends Omit<PartsDeps, 'onForeignChange'> {
  readonly clock: Clock;
}

/** Creates an empty list of edits. */
export function createUndo({ clock, ...deps }: UndoDeps): Undo {
  const { store, recorder, poke, world } = deps;
  let entries: readonly Entry[] = [];
  /** The edits that each undo or rewind took back, oldest edit first. */
  let undone: readonly (readonly Entry[])[] = [];
  let count = 0;
  let foreignChanges = 0;
  const spans = createSpans();
  /** The oldest edit that is being undone. */
  let underWay: Entry | null = null;
  const watch = createAsyncContext<Watched>();

  const release = (released: readonly Entry[]): void => {
    for (const { parts: held } of released) for (const part of held) part.release();
  };
  const drop = (dropped: readonly Entry[]): void => {
    entries = entries.filter((entry) => !dropped.includes(entry));
    release(dropped);
  };
  const forgetUndone = (): void => {
    release(undone.flat());
    undone = [];
  };

  const parts = createParts({
    ...deps,
    onForeignChange(ofRecords) {
      foreignChanges += 1;
      if (ofRecords) spans.count();
      forgetUndone();
    },
  });

  const push = (entry: Entry): void => {
    if (entry.parts.some(isRequests)) dropRequests();
    entries = [...entries, entry];
    const first = underWay ? entries.indexOf(underWay) : -1;
    drop(entries.slice(0, -undoLimit).filter((_one, at) => first === -1 || at < first));
  };

  /** Only the newest edit that has recorded requests keeps them: they are large. */
  const dropRequests = (): void => {
    for (const entry of entries) entry.parts = entry.parts.filter((part) => !isRequests(part));
    drop(entries.filter((entry) => entry.parts.length === 0));
  };

  /** Marks each step at once: the next step of the same undo stores the marks in order to restore them. */
  const mark = (step: readonly Entry[], isTakenBack: boolean): void =>
    world.activities.mark(step.map(toId), isTakenBack);

  const name = (entry: Entry): void => {
    const watched = watch.current();
    if (watched) watched.done = entry;
  };

  const remember = ({ code, says }: Done, held: readonly Part[], span = spans.begin(), isJump = false): Entry => {
    count += 1;
    const entry: Entry = { id: `undo_${count}`, code, says, at: toIso(clock.now()), isJump, span, parts: held };
    span.end();
    push(entry);
    name(entry);
    return entry;
  };

  /**
   * Swaps the stored parts of an edit with the current state.
   * @param before called synchronously with the first swap
   */
  const swap = async (entry: Entry, isWanted: (part: Part) => boolean, before?: () => void): Promise<void> => {
    let check = before;
    for (const part of entry.parts.filter(isWanted)) {
      const other = await part.swap(check);
      entry.parts = entry.parts.map((one) => (one === part ? other : one));
      check = undefined;
    }
  };

  /**
   * Swaps the parts of edits that are not records. An edit of everything has already covered the records of the edits
   * after it. A setting that is also a record is swapped nevertheless: with the same value it stays as it is.
   */
  const swapBeside = async (step: readonly Entry[]): Promise<void> => {
    for (const entry of step) await swap(entry, isBeside);
  };

  /** Reverts an edit and, if it covers everything, all later ones. An edit that does not must be the newest. */
  const takeBack = async (oldest: Entry): Promise<Undone> => {
    let seen = foreignChanges;
    let later: readonly Entry[] = [];
    let isBegun = false;
    const begin = (): void => {
      isBegun = true;
      oldest.span.undo(oldest.parts.some(isEverything));
    };
    await swap(oldest, isOfRecords, () => {
      seen = foreignChanges;
      begin();
      later = entries.slice(entries.indexOf(oldest) + 1);
    });
    const step = [oldest, ...later];
    if (!isBegun) begin();
    await swapBeside(step.toReversed());
    entries = entries.filter((entry) => !step.includes(entry));
    mark(step, true);
    const watched = watch.current();
    if (watched) watched.undone = oldest.id;
    if (seen === foreignChanges) undone = [...undone, step];
    else release(step);
    const notes = oldest.parts.map(({ note = null }) => note);
    const edit = toUndoable(oldest);
    return { ...edit, note: joinNotes([edit.takesBack === 'everything' ? moreNote : null, ...notes]) };
  };

  /**
   * Runs the undo of an edit. Meanwhile the edit and those after it stay in the list, even if it exceeds its limit:
   * their files are in use.
   */
  const keeping = async <Made>(oldest: Entry, work: () => Promise<Made>): Promise<Made> => {
    underWay = oldest;
    try {
      return await work();
    } finally {
      underWay = null;
    }
  };

  const doAgain = async (step: readonly Entry[]): Promise<Redoable | null> => {
    const [oldest] = step;
    if (!oldest) return null;
    const seen = foreignChanges;
    undone = undone.filter((one) => one !== step);
    try {
      await swap(oldest, isOfRecords, () => {
        if (foreignChanges !== seen) throw overtaken;
      });
      await swapBeside(step);
    } catch (error) {
      if (foreignChanges === seen) undone = [...undone, step];
      else release(step);
      if (error === overtaken) return null;
      throw error;
    }
    oldest.span.redo();
    for (const entry of step) push(entry);
    name(oldest);
    mark(step, false);
    return toRedoable(step);
  };

  const nextJump = (): Entry | undefined => entries.findLast(({ isJump }) => isJump);

  return {
    edit(code, says, work, takeBackMade) {
      const own = spans.begin();
      const { result: made, changes } = store.transact(work);
      for (const { collection, id } of changes) poke(collection, id);
      const sentence = says(made);
      if (!changes.every(isNoChange))
        remember(
          { code, says: sentence },
          [parts.records(changes, takeBackMade && ((revert) => takeBackMade(made, revert)))],
          own,
        );
      return { made, says: sentence };
    },
    editSetting(code, says, takeBack) {
      forgetUndone();
      remember({ code, says }, [parts.setting(takeBack)]);
    },
    async editWorld(done, work, { jump = false, memory = false } = {}) {
      const remembered: Entry[] = [];
      const newest = recorder.all().at(-1)?.sequence ?? 0;
      try {
        const made = await work(() => {
          const held = [parts.everything(), ...(memory ? [parts.requests(), parts.activities(), parts.memory()] : [])];
          const entry = remember(done, held, spans.begin(), jump);
          remembered.push(entry);
          return (says) => void (entry.says = says);
        });
        // What followed from the work is part of the edit, but not what apps did meanwhile.
        if (!recorder.all().some(({ sequence, touched }) => sequence > newest && touched.length > 0))
          for (const { span } of remembered) span.end();
        return made;
      } catch (error) {
        drop(remembered);
        throw error;
      }
    },
    editRequests(done, work, removed) {
      forgetUndone();
      remember(done, [parts.requests(removed)]);
      work();
    },
    list: () => entries.map(toUndoable).reverse(),
    nextRewind() {
      const jump = nextJump();
      return jump ? toUndoable(jump) : null;
    },
    async during(work) {
      const watched: Watched = watch.current() ?? { done: null, undone: null };
      await watch.run(watched, work);
      const { done, undone: undoneId } = watched;
      return {
        // A failed edit is no longer in the list: the code that added it removed it.
        edit: done && entries.includes(done) ? { id: done.id, code: done.code } : null,
        undone: undoneId,
      };
    },
    async undoBackTo(id) {
      const wanted = entries.find((entry) => entry.id === id);
      if (!wanted) throw new Error(`There is no edit ${id} to undo.`);
      return keeping(wanted, async () => {
        const notes: (string | null)[] = [];
        for (;;) {
          const edit = await takeBack(entries.at(-1) ?? wanted);
          notes.push(edit.note);
          if (edit.id === id) return { ...edit, note: joinNotes(notes) };
        }
      });
    },
    async rewind() {
      const jump = nextJump();
      if (!jump) return null;
      await keeping(jump, () => takeBack(jump));
      return toUndoable(jump);
    },
    redoable: () => undone.flatMap((step) => toRedoable(step) ?? []).reverse(),
    async redo() {
      const last = undone.at(-1);
      return last ? doAgain(last) : null;
    },
    close() {
      drop(entries);
      forgetUndone();
    },
  };
}

const overtaken = new Error('Something else changed while it was done again.');

function isOfRecords({ kind }: Part): boolean {
  return kind === 'everything' || kind === 'records';
}

function isBeside(part: Part): boolean {
  return !isOfRecords(part);
}

function isRequests({ kind }: Part): boolean {
  return kind === 'requests';
}

function joinNotes(notes: readonly (string | null)[]): string | null {
  return notes.filter((note) => note !== null).join(' ') || null;
}

const moreNote = 'Everything since was undone with it.';

function isEverything({ kind }: Part): boolean {
  return kind === 'everything';
}

const toId = ({ id }: Entry): string => id;

function toUndoable({ id, code, says, at, parts, span }: Entry): Undoable {
  return { id, code, says, at, takesBack: parts.some(isEverything) && span.hasMore() ? 'everything' : 'this' };
}

function toRedoable([oldest, ...later]: readonly Entry[]): Redoable | null {
  return oldest ? { ...toUndoable(oldest), later: later.length } : null;
}
