import type { ShallowRef } from 'vue';
import type { Arguments, ChangeName, DoneView, Reply } from '../../emulator/control/calls.ts';
import { useReported } from '../live/reported.ts';

/** The calls whose reply describes the change, which can be undone. */
type DoneName = { readonly [Name in ChangeName]: Reply<Name> extends DoneView ? Name : never }[ChangeName];

export interface Doing {
  readonly problem: ShallowRef<string | null>;
  readonly busy: ShallowRef<boolean>;
  /**
   * Makes a change that the server describes and can undo.
   * @returns the reply; null if the server refused, and then `problem` says why
   */
  perform<Name extends DoneName>(name: Name, ...request: Arguments<Name>): Promise<Reply<Name> | null>;
}

/**
 * The fields that a person changed in the form of a record. Fields that were changed elsewhere meanwhile are not
 * overwritten.
 * @param before the fields as they were when the form opened
 * @returns the changed fields; null if there are none
 */
export function changedFields<Fields extends object>(before: Fields, now: Fields): Partial<Fields> | null {
  const was = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]));
  const changed = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== was.get(name));
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Fields>);
}

/**
 * A list as a person left it in a form, with the elements added and removed elsewhere since the form opened.
 * @param before the list as it was when the form opened
 * @param mine the list as the person left it
 * @param theirs the list as it is now
 */
export function mergedList(
  before: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): readonly string[] {
  const gone = before.filter((one) => !theirs.includes(one));
  const added = theirs.filter((one) => !before.includes(one) && !mine.includes(one));
  return [...mine.filter((one) => !gone.includes(one)), ...added];
}

/** Makes the changes to records that the platform's own pages offer: create, change and delete, each with its undo. */
export function useDoing(): Doing {
  const { change, problem, busy } = useReported();
  return {
    problem,
    busy,
    async perform<Name extends DoneName>(name: Name, ...request: Arguments<Name>) {
      const done = await change((reply) => (reply as DoneView).says, name, ...request);
      return done?.reply ?? null;
    },
  };
}

/** The events that the sheet of a record emits to its view. */
interface SheetEmit {
  (event: 'close'): void;
  (event: 'made', id: string): void;
}

/** Like `useDoing`, for the sheet of a record, which closes after the change. */
export function useSheet(emit: SheetEmit): Doing & {
  /** @param asked the call to the server; null if the form was not changed */
  finish(asked: Promise<DoneView | null> | null): Promise<void>;
} {
  return {
    ...useDoing(),
    async finish(asked) {
      const done = await asked;
      if (asked && !done) return;
      if (done) emit('made', done.id);
      emit('close');
    },
  };
}
