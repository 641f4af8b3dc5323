import { onScopeDispose, shallowRef, watch, type ShallowRef } from 'vue';
import type { Arguments, ChangeName, Reply } from '../../emulator/control/calls.ts';
import { ControlError, UnansweredError, call, callWith, type Call, type RefusedRequest } from './backend/control.ts';
import { lookingAt } from './backend/moment.ts';
import { useZone } from './zone.ts';
import { counted, toReadable } from '../format.ts';
import { provideRefused } from '../kit/refused.ts';
import { useToasts, type Report, type Toast } from '../kit/toasts.ts';

interface RunOptions {
  readonly undo?: () => Promise<unknown>;
  /** After a failure: what was done nevertheless, as a sentence for the toast with its undo; null if nothing was. */
  readonly half?: () => string | null;
}

/** Work whose result is reported to the person: a success in a toast, a failure as `problem`. */
export interface Reported {
  /** Why the last work failed, as a sentence; null after a success. */
  readonly problem: ShallowRef<string | null>;
  /** The recorded request of this window that the problem is about; null if there is none. */
  readonly refused: ShallowRef<RefusedRequest | null>;
  readonly busy: ShallowRef<boolean>;
  /** Reports a mistake before anything is sent. @param at the pointer of the field, as in `FieldRow` */
  refuse(says: string, at: string): void;
  /**
   * Changes a state and reports it with a verb in the past tense, and with Undo if possible.
   * @returns whether it worked
   */
  run<Result>(
    says: string | ((result: Result) => string),
    does: () => Promise<Result>,
    options?: RunOptions,
  ): Promise<boolean>;
  /**
   * Makes a call that changes something, and reports it with the server's undo.
   * @returns the reply, in an object because it may be null; null if the call was refused
   */
  change<Name extends ChangeName>(
    says: string | ((reply: Reply<Name>) => string),
    name: Name,
    ...request: Arguments<Name>
  ): Promise<{ readonly reply: Reply<Name> } | null>;
}

/**
 * Reports for one place of a view: a failure is shown there, or in a toast if the view was left.
 * @param of the subject of the place. If it changes before the answer, the view counts as left. A change also removes a
 *   shown problem
 */
export function useReported(of: () => unknown = () => null): Reported {
  const toasts = useToasts();
  const problem = shallowRef<string | null>(null);
  const busy = shallowRef(false);
  const at = shallowRef<string | null>(null);
  const refused = shallowRef<RefusedRequest | null>(null);
  let isLeft = false;
  onScopeDispose(() => (isLeft = true));
  // A sentence set directly concerns no field and no request.
  watch(problem, () => (at.value = refused.value = null), { flush: 'sync' });
  watch(of, () => (problem.value = null), { flush: 'sync' });
  // What was refused because the person looked back can be done now.
  watch(lookingAt, (at) => at === null && (problem.value = null), { flush: 'sync' });
  provideRefused({ problem, at });
  const refuse = (says: string, place: string | null): void => {
    problem.value = says;
    at.value = place;
  };

  const run: Reported['run'] = async (says, does, { undo = null, half = () => null } = {}) => {
    const report = toasts.begin();
    busy.value = true;
    const about = of();
    try {
      const result = await does();
      if (of() === about) problem.value = null;
      report.say(typeof says === 'string' ? says : says(result), undo);
      return true;
    } catch (error) {
      const isElsewhere = isLeft || of() !== about;
      if (!isElsewhere) {
        refuse(toProblem(error), error instanceof ControlError ? error.at : null);
        if (error instanceof ControlError) refused.value = error.request;
      }
      reportFailure(report, { done: half(), undo, why: isElsewhere ? toProblem(error) : null });
      return false;
    } finally {
      busy.value = false;
    }
  };

  return {
    problem,
    refused,
    busy,
    refuse,
    run,
    async change<Name extends ChangeName>(
      says: string | ((reply: Reply<Name>) => string),
      ...called: [Name, ...Arguments<Name>]
    ) {
      const server = useServerUndo();
      let done: { readonly reply: Reply<Name> } | null = null;
      const make = async (): Promise<Reply<Name>> => {
        const reply = await server.call(...called);
        done = { reply };
        return reply;
      };
      await run(says, make, { undo: server.undo });
      return done;
    },
  };
}

/**
 * Reports the parts of a failure that the view does not show.
 * @param failure.done what was done nevertheless, and can be undone; null if nothing was
 * @param failure.why the problem if the view was left; null if the view shows it
 */
export function reportFailure(
  { say }: Report,
  { done, undo, why }: { readonly done: string | null; readonly undo: Toast['undo']; readonly why: string | null },
): void {
  const says = [done, why].filter((one) => one !== null).join('. ');
  if (says !== '') say(says, done === null ? null : undo, { refused: true });
}

/** The sentences for the rules that refuse an undo. */
const notUndone: { readonly [rule: string]: string } = {
  'undo.newer': 'Something else was changed after that. Undo that first.',
  'undo.gone': 'That can no longer be undone.',
  'undo.nothing': 'That can no longer be undone.',
};

/**
 * Describes an undo in sentences.
 * @param later the number of later changes undone with it
 */
export function toUndone({ undone, note }: Reply<'POST /control/undo'>, later = 0): string {
  const also = later === 0 ? null : `Also undone: ${counted(later, 'later change')}.`;
  const says = [`Undone: ${toReadable(undone, useZone().zone)}`, also, note];
  return says.filter((one) => one !== null).join(' ');
}

export interface ServerUndo {
  readonly call: Call;
  undo(): Promise<void>;
  /** Whether a call changed something. */
  isNeeded(): boolean;
}

/**
 * Calls of the control API that the server can undo, and an undo for the last one, which reports its own refusal.
 * @param undone reads again, after an undo, what does not wait for the stream
 */
export function useServerUndo(undone: () => unknown = () => {}): ServerUndo {
  let done: string | null = null;
  return {
    isNeeded: () => done !== null,
    call: callWith({ onUndo: ({ id }) => (done = id) }),
    async undo() {
      const toasts = useToasts();
      if (done === null) return toasts.refuse('That changed nothing, so there is nothing to undo.');
      const report = toasts.begin();
      try {
        const answer = await call('POST /control/undo', { body: { id: done } });
        // Only what else was removed is worth the toast of another act, with its undo.
        if (answer.note !== null || toasts.toast === null) report.say(toUndone(answer));
      } catch (error) {
        const says = error instanceof ControlError && error.rule !== null ? notUndone[error.rule] : undefined;
        return report.refuse(says ?? toFailure('Not undone:', error));
      }
      await undone();
    },
  };
}

/** The sentence of an error. An unreachable server is a TypeError in the browser, with a useless message. */
export function toProblem(error: unknown): string {
  if (error instanceof UnansweredError)
    return 'The server cannot be reached. It may have done this nevertheless: look before you try again.';
  if (error instanceof TypeError) return 'The server cannot be reached. Try again when it is back.';
  // The server's own sentence is for developers who set the header of a call.
  if (error instanceof ControlError && error.rule === 'timeline.read-only')
    return 'Nothing can be changed while you look at an earlier moment. Return to now first.';
  // The window chooses among the companies of the present, which may be newer than that moment.
  if (error instanceof ControlError && error.missing === 'company' && lookingAt.value !== null)
    return 'This company did not exist at the moment that you look at. Choose another company, or return to now.';
  return error instanceof Error ? error.message : String(error);
}

/** Like `toProblem`, after a note such as `Not sent.`, unless it is unknown whether the action was done. */
export function toFailure(notDone: string, error: unknown): string {
  return error instanceof UnansweredError ? toProblem(error) : `${notDone} ${toProblem(error)}`;
}
