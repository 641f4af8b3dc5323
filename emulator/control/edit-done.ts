import type { Edit, UndoCode } from '../world/edits.ts';
import type { DoneView } from './contract/parts.ts';

/** Edits a record and returns `done`; see `Edit` for the parameters. */
export type EditDone = <Made extends { readonly id: string }>(
  code: UndoCode,
  says: (made: Made) => string,
  work: () => Made,
  takeBack?: (made: Made, revert: () => void) => void,
) => DoneView;

/** Wraps `edit` for calls whose reply is `done`. */
export function createEditDone(edit: Edit): EditDone {
  return (...given) => {
    const { made, says } = edit(...given);
    return { id: made.id, says };
  };
}
