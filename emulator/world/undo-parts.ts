/**
 * The parts that an edit stores so that it can be undone: everything, the records that it changed, a setting, or data
 * that is only in memory.
 */
import type { RecordedExchange } from '../http/record/recorded-exchange.ts';
import type { Recorder } from '../http/record/recorder.ts';
import type { CollectionName, Delivery, StoredRecord, Webhook } from '../records.ts';
import type { Change, Store } from '../store/store.ts';
import { putInPlace, toDeleted } from './deleted.ts';
import type { Swap } from './edits.ts';
import { isNoChange, toFields, watchUndo } from './undo-note.ts';
import type { Checkpoint, World } from './world.ts';

export interface Part {
  /**
   * `everything` goes back in time: everything since is reverted, too, except for the recorded requests and the memory.
   */
  readonly kind: 'everything' | 'records' | 'requests' | 'activities' | 'memory' | 'setting';
  /**
   * Restores what it stores, and returns the part of the same kind that restores the replaced state.
   * @param before for `everything` and `records`: called synchronously with the swap; if it throws, nothing happens
   */
  swap(before?: () => void): Promise<Part>;
  /** On a part that an undo returned: sentences about what else the undo did, or left; null or absent if nothing. */
  readonly note?: string | null;
  /** Releases its files. */
  release(): void;
}

export interface Parts {
  /** Everything as it is now. */
  everything(): Part;
  /**
   * The changes of a transaction.
   * @param takeBack for edits where restoring the changed records is not enough, because others have used them since;
   *   `revert` restores them
   */
  records(changes: readonly Change[], takeBack?: (revert: () => void) => void): Part;
  /** A setting, which `takeBack` puts back. */
  setting(takeBack: Swap): Part;
  /** These recorded requests, or all up to now. */
  requests(exchanges?: readonly RecordedExchange[]): Part;
  /** All activities up to now. */
  activities(): Part;
  /** The memory as it is now. */
  memory(): Part;
}

/** Data that a reset clears although it is neither a record nor a recorded request: faults, limits, first steps. */
export interface Memory {
  clear(): void;
  /** Returns a function that restores its present state. */
  keep(): () => void;
}

export interface PartsDeps {
  readonly store: Store;
  readonly recorder: Recorder;
  readonly world: World;
  readonly memory: readonly Memory[];
  /** Sets the timers of a record that was changed from outside. */
  readonly poke: (collection: CollectionName, id: string) => void;
  /**
   * Called for each change of the store that no part makes, except the progress that deliveries make by themselves.
   * @param ofRecords false if only settings changed
   */
  readonly onForeignChange: (ofRecords: boolean) => void;
}

interface ListOf<T> {
  putBack(items: readonly T[]): void;
  takeOut(items: readonly T[]): void;
}

/** Creates the parts of edits. */
export function createParts({ store, recorder, world, memory, poke, onForeignChange }: PartsDeps): Parts {
  /** True while a part changes the store. */
  let isOwn = false;
  store.onCommit((changes) => {
    if (!isOwn && changes.some(isForeign))
      onForeignChange(changes.some((change) => change.collection !== 'settings' && isForeign(change)));
  });
  store.onReplace(() => {
    if (!isOwn) onForeignChange(true);
  });

  /**
   * Commits the changes that still wait in a group: they came before the change of a part, so they count as foreign
   * ones.
   */
  const tellOthers = (): void => void store.transact(() => undefined);

  const everything = (checkpoint: Checkpoint): Part => ({
    kind: 'everything',
    async swap(before) {
      const held: { was: Checkpoint | null } = { was: null };
      try {
        await world.restore(checkpoint, () => {
          before?.();
          held.was = world.checkpoint();
          isOwn = true;
          // The replacement is over at the end of this turn.
          queueMicrotask(() => (isOwn = false));
        });
      } catch (error) {
        held.was?.files.release();
        throw error;
      }
      if (!held.was) throw new Error('The state was replaced without calling its hook.');
      checkpoint.files.release();
      return everything(held.was);
    },
    release: () => checkpoint.files.release(),
  });

  /** Changes records in one transaction, and sets their timers again. */
  const change = (work: () => void, touched: readonly Change[]): readonly Change[] => {
    isOwn = true;
    try {
      return store.transact(() => {
        work();
        for (const { collection, id } of touched) poke(collection, id);
      }).changes;
    } finally {
      isOwn = false;
    }
  };

  /**
   * Returns a function that reverts changes that were just made. Records that others deleted or made again since then
   * stay so.
   */
  const toRevert = (changes: readonly Change[]): (() => void) => {
    const deleted = toDeleted(changes, store);
    return () => {
      for (const { collection, id, before, after } of changes) {
        const of = store.collection(collection);
        const now = of.get(id);
        if (before === null) of.delete(id);
        else if (after !== null && now) of.put(withFieldsOf(before, after, now));
      }
      for (const [name, records] of deleted) {
        const of = store.collection(name);
        putInPlace(
          of,
          records.filter(({ record }) => !of.get(record.id)),
        );
      }
    };
  };

  const records = (changes: readonly Change[], takeBack?: (revert: () => void) => void): Part => {
    const revert = toRevert(changes);
    const undo = takeBack ? () => takeBack(revert) : revert;
    const part: Part = {
      kind: 'records',
      async swap(before) {
        tellOthers();
        before?.();
        const toNote = watchUndo(changes, store);
        const undone = change(undo, changes);
        const redo = toRevert(undone);
        return { ...part, note: toNote(undone), swap: (beforeRedo) => doAgain(undone, redo, beforeRedo) };
      },
      release() {},
    };
    const doAgain = async (undone: readonly Change[], redo: () => void, before?: () => void): Promise<Part> => {
      tellOthers();
      before?.();
      change(redo, undone);
      return part;
    };
    return part;
  };

  const setting = (takeBack: Swap): Part => ({
    kind: 'setting',
    async swap() {
      tellOthers();
      isOwn = true;
      let opposite: ReturnType<Swap>;
      try {
        opposite = takeBack();
      } finally {
        isOwn = false;
      }
      return setting(await opposite);
    },
    release() {},
  });

  /** A part for items that are taken out of a list to which others add. */
  const takenOut = <T>(kind: 'requests' | 'activities', list: ListOf<T>, items: readonly T[]): Part => {
    const part: Part = {
      kind,
      async swap() {
        list.putBack(items);
        return { ...part, swap: takeOutAgain };
      },
      release() {},
    };
    const takeOutAgain = async (): Promise<Part> => {
      list.takeOut(items);
      return part;
    };
    return part;
  };

  const remembered = (): Part => {
    const restores = memory.map((one) => one.keep());
    return {
      kind: 'memory',
      async swap() {
        const other = remembered();
        for (const restore of restores) restore();
        return other;
      },
      release() {},
    };
  };

  return {
    everything: () => everything(world.checkpoint()),
    memory: remembered,
    records,
    setting,
    requests: (exchanges = recorder.all()) => takenOut('requests', recorder, exchanges),
    activities: () => takenOut('activities', world.activities, world.activities.all()),
  };
}

function isForeign(change: Change): boolean {
  return !isByItself(change) && !isNoChange(change);
}

/**
 * Whether a delivery continued by itself: its turn came, an answer arrived, or a retry fell due. Neither a person nor
 * an app decided it, and it may happen at any time.
 */
function isByItself({ collection, before, after }: Change): boolean {
  if (before === null || after === null) return false;
  if (collection === 'deliveries') return /^(?:work|clock)$/.test((after as Delivery).history.at(-1)?.by ?? '');
  if (collection !== 'webhooks') return false;
  const { failingSince } = after as Webhook;
  return JSON.stringify({ ...before, failingSince }) === JSON.stringify(after);
}

/**
 * Returns the present record with the edit taken back: fields that still have the value of the edit get the one from
 * before it; fields that changed since then stay. The fields are in the order that they had, so that an undone state is
 * the same text.
 */
function withFieldsOf(before: StoredRecord, after: StoredRecord, now: StoredRecord): StoredRecord {
  const [was, became, is] = [toFields(before), toFields(after), toFields(now)];
  const back = Object.keys({ ...was, ...is }).flatMap((field) => {
    const source = JSON.stringify(is[field]) === JSON.stringify(became[field]) ? was : is;
    return field in source ? [[field, source[field]] as const] : [];
  });
  return Object.fromEntries(back) as unknown as StoredRecord;
}
