/** Edits: changes of records or of a setting that a developer makes by hand, and that can be undone. */
import { described, integer, object, oneOf, text, time, type View } from '../contract/shape.ts';

/** The kinds of edits, for programs: the sentence of an edit is for people, and may change. */
export const undoCodes = [
  'app.changed',
  'app.created',
  'app.deleted',
  'app.secret-renewed',
  'attribute.changed',
  'attribute.created',
  'attribute.deleted',
  'clock.advanced',
  'clock.frozen',
  'clock.made-real',
  'clock.rate-changed',
  'clock.set',
  'clock.unfrozen',
  'clock.went-back',
  'company.changed',
  'company.created',
  'company.deleted',
  'credential.created',
  'credential.revoked',
  'credential.rotated',
  'fault.added',
  'fault.removed',
  'faults.cleared',
  'host.allowed',
  'host.refused',
  'limits.changed',
  'offer.changed',
  'offer.created',
  'offer.deleted',
  'pace.changed',
  'receiver.changed',
  'receiver.cleared',
  'receiver.started',
  'receiver.stopped',
  'record.moved',
  'requests.cleared',
  'requests.deleted',
  'scope.granted',
  'scope.taken',
  'sign-up-unit.changed',
  'sign-up-unit.created',
  'sign-up-unit.deleted',
  'webhook.changed',
  'webhook.created',
  'webhook.deleted',
  'webhook.key-rotated',
  'webhook-time.changed',
  'world.imported',
  'world.reset',
  'world.restored',
] as const;

export type UndoCode = (typeof undoCodes)[number];

/** One edit that can be undone. `at` is its time, ISO 8601 on the virtual clock. */
export const undoable = object({
  id: described('The id of the edit, for POST /control/undo; the reply to the edit has it in `x-sandbox-undo`.', text),
  code: described('The kind of the edit, for programs; also in `x-sandbox-undo-code`.', oneOf(...undoCodes)),
  says: described('The edit as a sentence, for people.', text),
  at: time,
  takesBack: described(
    'Whether undoing the edit also reverts everything that happened since, or only the edit itself. `this` if nothing happened since.',
    oneOf('everything', 'this'),
  ),
});
export type Undoable = View<typeof undoable>;

/** A reference to an edit that can be undone. Replies have it in `x-sandbox-undo` and `x-sandbox-undo-code`. */
export type UndoRef = Pick<Undoable, 'id' | 'code'>;

/** An edit as it is remembered. */
export type Done = Pick<Undoable, 'code' | 'says'>;

/** One edit that was undone. */
export interface Undone extends Undoable {
  /** Sentences about what else the undo did, or left as it was; null if it only took back the changes of the edit. */
  readonly note: string | null;
}

/** One or more edits that were undone in one step, and can be done again. */
export const redoable = object({
  ...undoable.properties,
  later: described(
    'The number of later edits that a rewind took back together with this one; a redo brings them back too.',
    integer,
  ),
});
export type Redoable = View<typeof redoable>;

/** The result of an edit of records, and the edit as a sentence. */
export interface Edited<Made> {
  readonly made: Made;
  readonly says: string;
}

/**
 * Changes records in one transaction, so that this can be undone. Work that changes nothing is not an edit.
 * @param code the kind of edit, for programs
 * @param says the edit as a sentence, built from its result
 * @param takeBack for edits where restoring the changed records is not enough, because others have used them since;
 *   `revert` restores them
 */
export type Edit = <Made>(
  code: UndoCode,
  says: (made: Made) => string,
  work: () => Made,
  takeBack?: (made: Made, revert: () => void) => void,
) => Edited<Made>;

/** Puts a setting back, with all its consequences, and returns the function that does the opposite. */
export type Swap = () => Swap | Promise<Swap>;

/** Remembers a change of a setting that was just made, so that it can be undone. Do not call it if nothing changed. */
export type EditSetting = (code: UndoCode, says: string, takeBack: Swap) => void;

/**
 * Sets a setting that is one value, so that this can be undone. The same value again is not an edit.
 * @param was the value before
 * @param toDone describes the edit; called when the value is set
 */
export function editValue<Value>(
  editSetting: EditSetting,
  { set, was, is }: { readonly set: (value: Value) => void; readonly was: Value; readonly is: Value },
  toDone: () => Done,
): void {
  set(is);
  if (was === is) return;
  const { code, says } = toDone();
  editSetting(code, says, swapBetween(set, was, is));
}

function swapBetween<Value>(set: (value: Value) => void, was: Value, is: Value): Swap {
  return () => {
    set(was);
    return swapBetween(set, is, was);
  };
}
