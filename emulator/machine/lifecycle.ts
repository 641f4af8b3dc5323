/**
 * Moves stored records through their table: by a call, by hand, by finished work, by the clock, and again after a
 * restart. Timers count from the time at which the record entered its state, so only the record has to survive.
 */
import type { Move, Mover, Stateful } from '../records.ts';
import { createDue } from './due.ts';
import { IllegalMove, moves, rowFor, step, type Delay, type StateTable } from './table.ts';
import { createTimers, type TimerClock } from './timers.ts';
import { createWork, isSameState, type JobAnswer, type WorkOptions } from './work.ts';

/** The part of a stored collection that a lifecycle needs. */
export interface MovedCollection<R> {
  get(id: string): R | null | undefined;
  put(record: R): unknown;
  all(): Iterable<R>;
}

/** The part of the store that a lifecycle needs. Synchronous; an inner transaction joins the outer one. */
export interface Transactions {
  transact<T>(work: () => T): { readonly result: T };
  /** Settles when all changes so far are written or undone; null if all are already written. */
  written(): Promise<void> | null;
}

/** The part of the clock that a lifecycle needs; times in virtual epoch ms. */
export interface MachineClock extends TimerClock {
  now(): number;
  /** Calls `fn` after this many real ms. */
  afterWall(ms: number, fn: () => void): void;
}

export interface LifecycleOptions<State extends string, Event extends string, R extends Stateful<State>> {
  readonly table: StateTable<State, Event, R>;
  readonly collection: MovedCollection<R>;
  readonly store: Transactions;
  readonly clock: MachineClock;
  /** A delay at the current pace, in ms: 0 to move immediately, null if the record moves only by hand. */
  readonly delays: (delay: Delay) => number | null;
  /** The jobs named by the rows. */
  readonly work?: WorkOptions<Event, R> | undefined;
  /** Runs in the move's own transaction; an exception undoes the move. */
  readonly onMoved?: ((before: R, after: R) => void) | undefined;
  /**
   * Runs after the outermost transaction, and only if it was kept. A move by the clock waits for the promise, and so
   * does advancing time.
   */
  readonly afterMoved?: ((after: R) => void | Promise<void>) | undefined;
  /** Like `afterMoved`, but after the job of a `prepare` row, when its result is in the record. */
  readonly afterPrepared?: ((after: R) => void | Promise<void>) | undefined;
  /** Called when an `afterMoved` fails; by default the process emits a warning. */
  readonly onError?: ((error: unknown, label: string) => void) | undefined;
}

export interface Shift<R> {
  readonly by: Mover;
  /** A reason that is more exact than the row's sentence. */
  readonly why?: string | undefined;
  /** When it happened, epoch ms, if that was before it became known; now if not given. */
  readonly at?: number | undefined;
  /**
   * Sets further fields in the same write. Guards see the record without them; only the table sets state and history.
   */
  readonly change?: ((record: R) => R) | undefined;
}

export interface Lifecycle<Event extends string, R> {
  /** Stores a new record, created with `enter`, and sets its timers. */
  start(record: R): R;
  /** Moves the record and returns it as stored. Throws IllegalMove, or an Error if there is no such record. */
  fire(id: string, event: Event, shift: Shift<R>): R;
  /**
   * Does the work that belongs to a move, then moves the record by hand. The returned record may have moved further.
   * Throws like `fire`, and whatever the work throws; `event` may be any text.
   */
  moveByHand(id: string, event: string): Promise<R>;
  /** Every event of the table for this record, with the time at which the clock would send it at the current pace. */
  moves(record: R): readonly Move[];
  /**
   * Call it when a record changed or was deleted: makes an overdue move whose guard is now open, and otherwise sets the
   * timers again.
   */
  poke(id: string): void;
  /**
   * Sets the timers of every record after a start or a replaced state. Moves that fell due meanwhile carry the time at
   * which they fell due.
   */
  resume(): void;
  /** Sets the timers of every record after a change of pace. Moves that are overdue at the new pace happen now. */
  rearm(): void;
  /** Stops running work, or waits for it; stopped work starts again at the next `resume`. */
  stop(): Promise<void>;
}

/** The lifecycle of the records of a table. */
export type LifecycleFor<T> = T extends StateTable<infer _State, infer Event, infer R> ? Lifecycle<Event, R> : never;

/** Real ms before a move by the clock is tried again after the disk refused it. */
const retryMs = 1_000;

export function createLifecycle<State extends string, Event extends string, R extends Stateful<State>>(
  options: LifecycleOptions<State, Event, R>,
): Lifecycle<Event, R> {
  const { table, collection, store, clock, delays, onMoved, afterMoved, onError = warn } = options;
  const work = createWork<Event, R>((id) => collection.get(id), options.work ?? { jobs: {}, queueOf: () => '' });
  const { timedEvents, jobBefore, dueOf, dueBy } = createDue(table, delays);
  const timers = createTimers(table.kind, timedEvents, clock);

  /** `notBefore`: the earliest time, epoch ms, that a move may have. */
  function arm(record: R, notBefore: number): void {
    timers.removeOf(record.id);
    for (const event of timedEvents) {
      const job = jobBefore(record, event);
      if (job !== null) {
        timers.set(record.id, event, clock.now(), () => prepare(record, event, job));
        continue;
      }
      const due = dueOf(record, event);
      if (due === null) continue;
      timers.set(record.id, event, due, async () => {
        const now = collection.get(record.id);
        // A stale timer: the record left the state, or entered it again.
        if (!now || !isSameState(now, record)) return;
        const { row } = rowFor(table, now, event, 'clock');
        // A closed guard: the record stays in its state until `poke`.
        if (row === null) return;
        // Meanwhile another row of this event opened, which falls due later.
        if ((dueBy(row, now) ?? Infinity) > clock.now()) return arm(now, notBefore);
        if (row.work !== undefined) await workFor(now, event, row.work, 'clock');
        else await move(now.id, event, { by: 'clock' }, Math.max(due, notBefore)).settled;
      });
    }
  }

  /** Does the job before a move and stores its result in the record; then the move waits for its time. */
  function prepare(record: R, event: Event, job: string): Promise<void> {
    const isWanted = (now: R): boolean => jobBefore(now, event) === job;
    return work.run(job, record, isWanted, async (now, answer) => {
      if ('instead' in answer) return finish(now, event, answer, 'work');
      const prepared = orAgain(now, () =>
        store.transact(() => {
          const changed = keepState(answer.change(now), now);
          collection.put(changed);
          arm(changed, clock.now());
          return changed;
        }),
      ).result;
      await options.afterPrepared?.(prepared);
    });
  }

  /** Does the job of a move, then moves the record. */
  function workFor(record: R, event: Event, job: string, by: Mover): Promise<void> {
    const isWanted = (now: R): boolean => rowFor(table, now, event, by).row?.work === job;
    return work.run(job, record, isWanted, (now, answer) => finish(now, event, answer, by));
  }

  async function finish({ id }: R, event: Event, answer: NonNullable<JobAnswer<Event, R>>, by: Mover): Promise<void> {
    const { settled } =
      'instead' in answer
        ? move(id, answer.instead, { by: 'work', why: answer.why }, clock.now())
        : move(id, event, { by, change: answer.change }, clock.now());
    await settled;
  }

  function armAll(notBefore: (record: R) => number): void {
    timers.removeAll();
    for (const record of collection.all()) arm(record, notBefore(record));
  }

  function move(id: string, event: Event, shift: Shift<R>, at: number) {
    try {
      const { result: after } = store.transact(() => {
        const before = collection.get(id);
        if (!before) throw new Error(`There is no ${table.kind} "${id}" to send "${event}" to.`);
        const stepped = step(table, before, event, { by: shift.by, at: new Date(at).toISOString(), why: shift.why });
        const moved: R = shift.change ? keepState(shift.change(stepped), stepped) : stepped;
        collection.put(moved);
        arm(moved, at);
        onMoved?.(before, moved);
        return moved;
      });
      return { after, settled: settle(id, after, afterMoved) };
    } catch (error) {
      void settle(id, null, undefined, error instanceof IllegalMove ? armNow : armAgain);
      throw error;
    }
  }

  /**
   * Transactions are synchronous, so by the next microtask the outermost one is over too. Waits until it is written or
   * undone. If it was undone, the timers of the unchanged record are set again.
   */
  async function settle(id: string, after: R | null, tell: typeof afterMoved, again = armAgain): Promise<void> {
    await Promise.resolve();
    const written = store.written();
    if (written) await written.catch(() => {});
    try {
      const record = collection.get(id);
      if (!record) timers.removeOf(id);
      else if (!after || !isSameState(record, after)) again(record);
      if (record && after && hasMove(record, after)) await tell?.(after);
    } catch (error) {
      onError(error, `${table.kind} ${id} after "${after?.history.at(-1)?.event ?? 'an undone move'}"`);
    }
  }

  /**
   * Sets the timers again, but delays overdue moves: they were just refused or undone. Tried again immediately, they
   * would be tried without end, and a jump of the clock could not finish.
   */
  function armAgain(record: R): void {
    armNow(record);
    const isOverdue = (event: Event): boolean =>
      jobBefore(record, event) !== null || (dueOf(record, event) ?? Infinity) <= clock.now();
    const overdue = timedEvents.filter(isOverdue);
    if (overdue.length === 0) return;
    for (const event of overdue) timers.remove(record.id, event);
    clock.afterWall(retryMs, () => {
      const now = collection.get(record.id);
      if (now && isSameState(now, record)) armNow(now);
    });
  }

  /** If the result of a job cannot be stored, the job is done again. */
  function orAgain<T>(record: R, store: () => T): T {
    try {
      return store();
    } catch (error) {
      armAgain(record);
      throw error;
    }
  }

  function armNow(record: R): void {
    arm(record, Date.parse(record.enteredAt));
  }

  function fire(id: string, event: Event, shift: Shift<R>): R {
    const record = collection.get(id);
    if (record && rowFor(table, record, event, shift.by).row?.work !== undefined)
      throw new Error(`"${event}" of ${table.kind} ${id} needs work first; move it with moveByHand().`);
    const { after } = move(id, event, shift, shift.at ?? clock.now());
    return collection.get(id) ?? after;
  }

  return {
    start(record) {
      if (record.state !== table.initial) {
        throw new Error(`A new ${table.kind} starts in state "${table.initial}", not "${record.state}".`);
      }
      store.transact(() => {
        collection.put(record);
        arm(record, Date.parse(record.enteredAt));
      });
      void settle(record.id, record, undefined);
      return record;
    },
    fire,
    async moveByHand(id, name) {
      const event = name as Event;
      const record = collection.get(id);
      const job = record ? rowFor(table, record, event, 'hand').row?.work : undefined;
      if (!record || job === undefined) return fire(id, event, { by: 'hand' });
      await workFor(record, event, job, 'hand');
      return collection.get(id) ?? record;
    },
    moves: (record) =>
      moves(table, record).map((one) => {
        const due = dueOf(record, one.event as Event);
        // A delay may lead past the last time that a Date can hold.
        return { ...one, dueAt: due === null ? null : new Date(Math.min(due, 8.64e15)).toISOString() };
      }),
    poke(id) {
      const record = collection.get(id);
      if (!record) return timers.removeOf(id);
      const now = clock.now();
      const overdue = timedEvents
        .map((event) => ({ event, due: dueOf(record, event) ?? Infinity }))
        .filter(({ due }) => due <= now)
        .map((one) => ({ ...one, row: rowFor(table, record, one.event, 'clock').row }))
        .filter(({ row }) => row !== null)
        .sort((a, b) => a.due - b.due)[0];
      if (overdue && overdue.row?.work === undefined) move(id, overdue.event, { by: 'clock' }, now);
      else arm(record, now);
    },
    resume: () => armAll((record) => Date.parse(record.enteredAt)),
    rearm() {
      const now = clock.now();
      armAll(() => now);
    },
    stop: work.stop,
  };
}

/** A changed record that keeps the state and history set by the table. */
function keepState<R extends Stateful<string>>(changed: R, { id, state, enteredAt, history }: R): R {
  return { ...changed, id, state, enteredAt, history };
}

function hasMove<State extends string>(record: Stateful<State>, after: Stateful<State>): boolean {
  const wanted = after.history.at(-1);
  return record.history.some((one) => one.event === wanted?.event && one.at === wanted.at && one.to === wanted.to);
}

function warn(error: unknown, label: string): void {
  const told = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.emitWarning(`${label} failed: ${told}`, 'LifecycleWarning');
}
