import type { Feed } from '../feed.ts';
import type { Recorder } from '../http/record/recorder.ts';
import type { Store } from '../store/store.ts';
import type { Clock } from '../time/clock.ts';
import type { ClockMove, Touched } from '../world/activity.ts';
import { createCounter, type Counter } from '../world/tally.ts';
import type { Undo } from '../world/undo.ts';
import type { World } from '../world/world.ts';
import { toActivityWords, type ActivityWords } from './activity-words.ts';
import { calls, type CallName } from './calls.ts';
import type { CallTable } from './call.ts';
import { companyOf } from './of-company.ts';
import { wrapEach, type AnyHandler, type Handlers } from './route.ts';

export interface KeepDeps {
  readonly world: Pick<World, 'activities' | 'id'>;
  readonly recorder: Pick<Recorder, 'written'>;
  readonly undo: Undo;
  readonly clock: Clock;
  readonly store: Store;
  /** Notifies watchers of something done by hand, as a change of a record of the kind `activities`. */
  readonly feed: Pick<Feed, 'publish'>;
}

/** Clearing the record concerns the window, not the emulated platform. */
const leftOut: readonly string[] = ['requests.cleared', 'requests.deleted'];

/** Wraps the handlers so that the timeline keeps what a call changed by hand. */
export function keepActivities(handlers: Handlers<typeof calls>, deps: KeepDeps): Handlers<typeof calls> {
  return wrapEach(handlers, (name, handle) =>
    (calls as CallTable)[name]?.changes ? toKept(name as CallName, handle, deps) : handle,
  );
}

function toKept(
  name: CallName,
  handle: AnyHandler,
  { world, recorder, undo, clock, store, feed }: KeepDeps,
): AnyHandler {
  const { activities } = world;
  return async (input) => {
    const worldBefore = world.id();
    const from = clock.now();
    const wallAt = clock.wall();
    const counter = name === 'POST /control/clock' ? createCounter(store.definitions) : null;
    const stopCounting = counter && store.onCommit(counter.note);
    let done: { readonly result: unknown; readonly touched: readonly Touched[] } | null = null;
    let failure: unknown;
    const { edit, undone } = await undo.during(async () => {
      done = await activities
        .during(() => handle(input))
        .catch((error: unknown) => {
          failure = error;
          return null;
        });
    });
    stopCounting?.();
    if (done === null) {
      // If an undo of several edits fails, the newer ones have been undone already.
      if (undone !== null) tell();
      throw failure;
    }
    const { result, touched } = done;
    const own = edit && undo.list().find(({ id }) => id === edit.id);
    const words: ActivityWords | null =
      toActivityWords(name, { ...input, reply: result, isEdit: edit !== null }) ??
      (own && !leftOut.includes(own.code) ? { kind: 'edit', says: own.says } : null);
    if (words) {
      const hasReplaced = world.id() !== worldBefore;
      activities.add(
        {
          ...words,
          wallAt,
          person: words.person ?? null,
          companyId: companyOfFirst(touched),
          // Changes while the clock moves are not done by hand.
          touched: words.kind === 'clock' ? [] : touched,
          hasReplaced,
          move: counter && toMove(result as { readonly stopped: boolean }, from, counter),
        },
        edit ? { id: edit.id, isUndo: false } : undone === null ? null : { id: undone, isUndo: true },
        words.kind === 'clock' || hasReplaced ? clock.now() : input.now,
      );
      tell();
    }
    // A kill after the reply must not bring back what was cleared, nor lose what an undo restored.
    await Promise.all([recorder.written(), activities.written()]);
    return result;
  };

  function tell(): void {
    feed.publish({ type: 'changes', changes: [{ collection: 'activities', id: name }] });
  }

  /** The move of time that a call of the clock made. */
  function toMove({ stopped }: { readonly stopped: boolean }, from: number, counter: Counter): ClockMove | null {
    const to = clock.now();
    return { from, to, endedAt: clock.wall(), stopped, tally: counter.read() };
  }

  function companyOfFirst(touched: readonly Touched[]): string | null {
    for (const { collection, id } of touched) {
      const record = store.collection(collection).get(id);
      const companyId = record === undefined ? '' : companyOf(record);
      if (companyId !== '') return companyId;
    }
    return null;
  }
}
