/**
 * Moves stored records through their table: by a call, by a hand, by work that finished, by the clock, and on after a
 * restart. Timers count from the record's entry into its state and are read off the record, so nothing but the record
 * has to survive.
 */
import type { Mover, Stateful } from '../records.ts';
import { moves, rowFor, step, type Move, type Row, type Table } from './table.ts';
import { createWork, isSameState, type JobAnswer, type WorkOptions } from './work.ts';

/** What the lifecycle needs of a collection of the store. */
export interface MovedCollection<R> {
  get(id: string): R | null | undefined;
  put(record: R): unknown;
  all(): Iterable<R>;
}

/** What it needs of the store: synchronous, an inner transaction joins the outer one. */
export interface Transactions {
  transact<T>(work: () => T): { readonly result: T };
}

/** What it needs of the clock; times in virtual epoch ms. */
export interface MachineClock {
  now(): number;
  at(key: string, dueMs: number, label: string, fire: () => void | Promise<void>): void;
  cancel(key: string): void;
}

export interface LifecycleOptions<State extends string, Event extends string, R extends Stateful<State>> {
  readonly table: Table<State, Event, R>;
  readonly collection: MovedCollection<R>;
  readonly store: Transactions;
  readonly clock: MachineClock;
  /** The delay of this name at the present pace, in ms: 0 for at once, null if only a hand moves the record. */
  readonly delays: (name: string) => number | null;
  /** The jobs that the rows name. */
  readonly work?: WorkOptions<Event, R> | undefined;
  /** Consequences that belong to the move's own transaction; a throw undoes the move. */
  readonly onMoved?: ((before: R, after: R) => void) | undefined;
  /**
   * Consequences once the outermost transaction is done, and only if it was kept. A move by the clock waits for the
   * promise, so that advancing time also waits for it.
   */
  readonly afterMoved?: ((after: R) => void | Promise<void>) | undefined;
  /** The same once the job of a `prepare` row was done, and what it answered is in the record. */
  readonly afterPrepared?: ((after: R) => void | Promise<void>) | undefined;
  /** Hears of an `afterMoved` that failed; a warning of the process if not given. */
  readonly onError?: ((error: unknown, label: string) => void) | undefined;
}

export interface Shift<R> {
  readonly by: Mover;
  /** If something more exact than the row's sentence is known. */
  readonly why?: string | undefined;
  /** As of when, epoch ms, where it happened before it is known; now if not given. */
  readonly at?: number | undefined;
  /** Sets further fields in the same write. Guards see the record before it; state and history stay the table's. */
  readonly change?: ((record: R) => R) | undefined;
}

export interface Lifecycle<Event extends string, R> {
  /** Puts a new record, made with `enter`, and arms its timers. */
  start(record: R): R;
  /** Moves the record and answers with it as stored. Throws IllegalMove, or an Error if there is no such record. */
  fire(id: string, event: Event, shift: Shift<R>): R;
  /**
   * A move by the developer's hand, with the work that belongs to it; the record may then be where the work brought it.
   * Throws as `fire`, and what the work throws; an event may be any text.
   */
  moveByHand(id: string, event: string): Promise<R>;
  /** Every event of the table for this record, with the time at which the clock would send it at the present pace. */
  moves(record: R): readonly Move[];
  /** To be called when a record changed or went: what is overdue and no longer held back moves now, the rest is re-armed. */
  poke(id: string): void;
  /** Arms every record after a start or a replaced state. What fell due meanwhile moves as of the time it fell due. */
  resume(): void;
  /** Arms every record after a change of pace. What is overdue by the new pace moves as of now. */
  rearm(): void;
  /** Breaks off work under way, or waits for it; it goes on at the next `resume`. */
  stop(): Promise<void>;
}

export function createLifecycle<State extends string, Event extends string, R extends Stateful<State>>(
  options: LifecycleOptions<State, Event, R>,
): Lifecycle<Event, R> {
  const { table, collection, store, clock, delays, onMoved, afterMoved, onError = warn } = options;
  const work = createWork<Event, R>((id) => collection.get(id), options.work ?? { jobs: {}, queueOf: () => '' });
  const hasTimer = (row: Row<State, Event, R>): boolean => row.by.includes('clock') || row.prepare !== undefined;
  const timedEvents = [...new Set(table.rows.filter(hasTimer).map((row) => row.event))];
  const armed = new Set<string>();

  function keyOf(id: string, event: Event): string {
    return `${table.kind}:${id}:${event}`;
  }

  function rowsOf(record: R, event: Event): readonly Row<State, Event, R>[] {
    return table.rows.filter((row) => row.from === record.state && row.event === event);
  }

  /** The job that has to be done before `event` can move the record. */
  function jobBefore(record: R, event: Event): string | null {
    return rowsOf(record, event).find((row) => row.prepare && !isOpen(row, record))?.prepare ?? null;
  }

  /** When the clock sends `event` to the record, epoch ms; null if it does not. */
  function dueOf(record: R, event: Event): number | null {
    const rows = rowsOf(record, event).filter((row) => row.by.includes('clock'));
    const row = rows.find((one) => isOpen(one, record)) ?? rows[0];
    return row ? dueBy(row, record) : null;
  }

  function dueBy(row: Row<State, Event, R>, record: R): number | null {
    if (row.until) {
      const until = row.until(record);
      return until === null ? null : Date.parse(until);
    }
    const delay = row.after === undefined ? null : delays(row.after);
    return delay === null ? null : Date.parse(record.enteredAt) + delay;
  }

  function disarm(id: string): void {
    for (const event of timedEvents) {
      const key = keyOf(id, event);
      if (armed.delete(key)) clock.cancel(key);
    }
  }

  /** `notBefore`: the earliest time, epoch ms, that a move may carry. */
  function arm(record: R, notBefore: number): void {
    disarm(record.id);
    for (const event of timedEvents) {
      const job = jobBefore(record, event);
      if (job !== null) {
        setTimer(record, event, clock.now(), () => prepare(record, event, job));
        continue;
      }
      const due = dueOf(record, event);
      if (due === null) continue;
      setTimer(record, event, due, async () => {
        const now = collection.get(record.id);
        // A late timer: the record left the state, or entered it again.
        if (!now || !isSameState(now, record)) return;
        const { row } = rowFor(table, now, event, 'clock');
        // A closed guard: the record waits in its state until a poke.
        if (row === null) return;
        // Another row of this event is open by now, and falls due later.
        if ((dueBy(row, now) ?? Infinity) > clock.now()) return arm(now, notBefore);
        if (row.work !== undefined) await workFor(now, event, row.work, 'clock');
        else await move(now.id, event, { by: 'clock' }, Math.max(due, notBefore)).settled;
      });
    }
  }

  function setTimer(record: R, event: Event, due: number, fired: () => Promise<void>): void {
    const key = keyOf(record.id, event);
    armed.add(key);
    clock.at(key, due, `${table.kind} ${record.id}: ${event}`, () => {
      armed.delete(key);
      return fired();
    });
  }

  /** Does the job before a move. What it answers goes into the record; then the move waits for its time. */
  function prepare(record: R, event: Event, job: string): Promise<void> {
    const isWanted = (now: R): boolean => jobBefore(now, event) === job;
    return work.run(job, record, isWanted, async (now, answer) => {
      if ('instead' in answer) return finish(now, event, answer, 'work');
      const { result: prepared } = store.transact(() => {
        const changed = keepState(answer.change(now), now);
        collection.put(changed);
        arm(changed, clock.now());
        return changed;
      });
      await options.afterPrepared?.(prepared);
    });
  }

  /** Does the job of a move, and then moves the record. */
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
    for (const key of armed) clock.cancel(key);
    armed.clear();
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
      void settle(id, null, undefined);
      throw error;
    }
  }

  /**
   * Transactions are synchronous: by the next microtask also the outermost one is done, kept or undone. Where it was
   * undone, the timers of the record as it still stands are armed again.
   */
  async function settle(id: string, after: R | null, tell: typeof afterMoved): Promise<void> {
    await Promise.resolve();
    try {
      const record = collection.get(id);
      if (!record) disarm(id);
      else if (!after || !isSameState(record, after)) arm(record, Date.parse(record.enteredAt));
      if (record && after && hasMove(record, after)) await tell?.(after);
    } catch (error) {
      onError(error, `${table.kind} ${id} after "${after?.history.at(-1)?.event ?? 'a move undone'}"`);
    }
  }

  function fire(id: string, event: Event, shift: Shift<R>): R {
    const record = collection.get(id);
    if (record && rowFor(table, record, event, shift.by).row?.work !== undefined)
      throw new Error(`"${event}" of ${table.kind} ${id} needs work to be done first; move it with moveByHand().`);
    const { after } = move(id, event, shift, shift.at ?? clock.now());
    return collection.get(id) ?? after;
  }

  return {
    start(record) {
      if (record.state !== table.initial) {
        throw new Error(`A new ${table.kind} starts in "${table.initial}", not in "${record.state}".`);
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
        return { ...one, dueAt: due === null ? null : new Date(due).toISOString() };
      }),
    poke(id) {
      const record = collection.get(id);
      if (!record) return disarm(id);
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

function isOpen<State extends string, Event extends string, R>(row: Row<State, Event, R>, record: R): boolean {
  return !row.when || row.when(record) === null;
}

/** A changed record whose state and history stay the table's. */
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
