import type { CollectionName, StoredRecord } from '../records.ts';
import type { Change, Collection, Store } from '../store/store.ts';
import type { Undo } from '../world/undo.ts';
import type { UndoCode } from '../world/undo-codes.ts';
import type { DoneView } from './contract/parts.ts';

export interface ActingDeps {
  readonly store: Store;
  readonly undo: Undo;
  /** Timers of a record that came or went by hand are set to what the store now holds. */
  poke(collection: CollectionName, id: string): void;
}

export interface Acting {
  /**
   * One act of the platform's own pages: in one transaction, remembered so that it can be taken back.
   * @param code what it was, for programs
   * @param says the act as a sentence, made of what came of it
   * @param takeBack where putting back what changed is not enough, as with what others have used since
   */
  <R extends StoredRecord>(
    code: UndoCode,
    says: (made: R) => string,
    work: () => R,
    takeBack?: (made: R) => void,
  ): DoneView;
}

/** Creates the way in which control routes act on records. Their handlers are asynchronous: acts open a transaction. */
export function createActing({ store, undo, poke }: ActingDeps): Acting {
  const of = (name: CollectionName): Collection<StoredRecord> => store[name] as unknown as Collection<StoredRecord>;

  const putBack = ({ collection, id, before, after }: Change): void => {
    const now = of(collection).get(id);
    if (before === null) of(collection).delete(id);
    else if (after === null || !now) of(collection).put(before);
    else of(collection).put({ ...now, ...changedFields(before, after) });
    poke(collection, id);
  };

  return (code, says, work, takeBack) => {
    const { result: made, changes } = store.transact(work);
    for (const { collection, id } of changes) poke(collection, id);
    const sentence = says(made);
    undo.keepAct({ code, says: sentence }, () => {
      if (!takeBack) return changes.forEach(putBack);
      takeBack(made);
      for (const { collection, id } of changes) poke(collection, id);
    });
    return { id: made.id, says: sentence };
  };
}

/** What the act changed, as it was before: other fields may have moved on since. */
function changedFields(before: StoredRecord, after: StoredRecord): Partial<StoredRecord> {
  const later = after as unknown as { readonly [field: string]: unknown };
  return Object.fromEntries(
    Object.entries(before).filter(([field, value]) => JSON.stringify(value) !== JSON.stringify(later[field])),
  );
}
