/** Edits: changes of records or of a setting that a developer makes by hand, and that can be undone. */

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

/** A reference to an edit that can be undone. Replies have it in `x-sandbox-undo` and `x-sandbox-undo-code`. */
export interface UndoRef {
  readonly id: string;
  readonly code: UndoCode;
}

/** An edit as it is remembered. */
export interface Done {
  readonly code: UndoCode;
  /** The edit as a sentence, for people. */
  readonly says: string;
}

/** One edit that can be undone. */
export interface Undoable extends Done, UndoRef {
  /** The time of the edit, ISO 8601 on the virtual clock. */
  readonly at: string;
  /** `everything`: undoing it also reverts everything that happened since; `this`: only the edit itself. */
  readonly takesBack: 'everything' | 'this';
}

/** One edit that was undone. */
export interface Undone extends Undoable {
  /** Sentences about what else the undo did, or left as it was; null if it only took back the changes of the edit. */
  readonly note: string | null;
}

/** One or more edits that were undone in one step. */
export interface Redoable extends Undoable {
  /** How many later edits a rewind took back together with it. */
  readonly later: number;
}

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
