import type { ShallowRef } from 'vue';
import type { Arguments, ChangeName, DoneView, Reply } from '../../emulator/control/calls.ts';
import { useReported } from '../live/reported.ts';

/** The calls that the server words, and that can be undone. */
type DoneName = { readonly [Name in ChangeName]: Reply<Name> extends DoneView ? Name : never }[ChangeName];

export interface Doing {
  readonly problem: ShallowRef<string | null>;
  readonly busy: ShallowRef<boolean>;
  /**
   * An act that the server words and can undo.
   * @returns what the server answered; null if it refused, and then `problem` says why
   */
  perform<Name extends DoneName>(name: Name, ...request: Arguments<Name>): Promise<Reply<Name> | null>;
}

/**
 * What a person changed in the form of a record, so that nothing is overwritten that was changed elsewhere meanwhile.
 * @param before the fields as they were when the form opened
 * @returns the fields that differ; null if none does
 */
export function changedFields<Fields extends object>(before: Fields, now: Fields): Partial<Fields> | null {
  const was = new Map(Object.entries(before).map(([name, value]) => [name, JSON.stringify(value)]));
  const changed = Object.entries(now).filter(([name, value]) => JSON.stringify(value) !== was.get(name));
  return changed.length === 0 ? null : (Object.fromEntries(changed) as Partial<Fields>);
}

/**
 * A list as a person left it in a form, with what was added to it and taken out of it elsewhere since the form opened.
 * @param before the list as it was when the form opened
 * @param mine as the person left it
 * @param theirs as it is now
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

/** Acts on records as the platform's own pages have them: made, changed, deleted, each with its undo. */
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

/** What the sheet of a record tells its view. */
interface SheetEmit {
  (event: 'close'): void;
  (event: 'made', id: string): void;
}

/** The same for the sheet of a record, which closes when that is done. */
export function useSheet(emit: SheetEmit): Doing & {
  /** @param asked what was asked of the server; null if nothing was changed in the form */
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
