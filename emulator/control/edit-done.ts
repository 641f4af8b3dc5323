import type { Store } from '../store/store.ts';
import type { Edit, UndoCode } from '../world/edits.ts';
import type { DoneView } from './contract/parts.ts';

/** What handlers need for records that a person edits on the platform's own pages. */
export interface EditDeps {
  readonly store: Store;
  readonly edit: Edit;
}

/** Edits of a record whose calls answer with `done`; for their parameters see `Edit`. */
export function createEditDone(edit: Edit) {
  return <Made extends { readonly id: string }>(
    code: UndoCode,
    says: (made: Made) => string,
    work: () => Made,
    takeBack?: (made: Made, revert: () => void) => void,
  ): DoneView => {
    const edited = edit(code, says, work, takeBack);
    return { id: edited.made.id, says: edited.says };
  };
}
