/** Which rows of a table wait for the clock, and when each is due. Pure. */
import type { Stateful } from '../records.ts';
import type { Delay, Row, StateTable } from './table.ts';

export interface DueMoves<State extends string, Event extends string, R> {
  /** The events that a timer may send, or whose job a timer starts. */
  readonly timedEvents: readonly Event[];
  /** The job that has to be done before `event` can move the record; null if there is none. */
  jobBefore(record: R, event: Event): string | null;
  /**
   * When the clock sends `event` to the record, epoch ms. Null if it does not, also if the guard is closed and no job
   * of its row can open it.
   */
  dueOf(record: R, event: Event): number | null;
  /** When the clock moves the record by this row, epoch ms; null if it does not. */
  dueBy(row: Row<State, Event, R>, record: R): number | null;
}

/** @param delays a delay at the current pace, in ms; null if the record moves only by hand */
export function createDue<State extends string, Event extends string, R extends Stateful<State>>(
  table: StateTable<State, Event, R>,
  delays: (delay: Delay) => number | null,
): DueMoves<State, Event, R> {
  const isTimed = (row: Row<State, Event, R>): boolean => row.by.includes('clock') || row.prepare !== undefined;
  const rowsOf = (record: R, event: Event): readonly Row<State, Event, R>[] =>
    table.rows.filter((row) => row.from === record.state && row.event === event);

  function dueBy(row: Row<State, Event, R>, record: R): number | null {
    if (row.until) {
      const until = row.until(record);
      return until === null ? null : Date.parse(until);
    }
    const delay = row.after === undefined ? null : delays(row.after);
    return delay === null ? null : Date.parse(record.enteredAt) + delay;
  }

  return {
    timedEvents: [...new Set(table.rows.filter(isTimed).map((row) => row.event))],
    jobBefore: (record, event) =>
      rowsOf(record, event).find((row) => row.prepare && !isOpen(row, record))?.prepare ?? null,
    dueOf(record, event) {
      const rows = rowsOf(record, event).filter((row) => row.by.includes('clock'));
      const row = rows.find((one) => isOpen(one, record)) ?? rows.find((one) => one.prepare !== undefined);
      return row ? dueBy(row, record) : null;
    },
    dueBy,
  };
}

function isOpen<State extends string, Event extends string, R>(row: Row<State, Event, R>, record: R): boolean {
  return !row.when || row.when(record) === null;
}
