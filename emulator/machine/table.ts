/**
 * State machines as tables whose rows are those of the specification (section 3). Pure: a record and an event go in,
 * the moved record comes out. The inspector's buttons and the control API use `moves`, so the rules exist only once.
 */
import type { Move, Moved, Mover, Source, Stateful } from '../records.ts';
import type { Definition } from '../records/definition.ts';

/** How long the clock waits before it moves a record, in virtual milliseconds. The paces are in time/pace.ts. */
export interface Delay {
  /** The name in the settings and in GET /control/pace, such as `privacy.start`. */
  readonly name: string;
  /** At pace `realistic`. */
  readonly realistic: number;
  /** At pace `instant`; 0 if not given. */
  readonly instant?: number;
}

/**
 * One transition. If several rows have the same event in the same state, the first with an open guard applies; they may
 * fall due at different times.
 */
export interface Row<State extends string, Event extends string, R> {
  readonly from: State;
  readonly event: Event;
  readonly to: State;
  readonly by: readonly Mover[];
  /** The guard: null if the row is open, else a sentence that says why it is closed. */
  readonly when?: (record: R) => string | null;
  /** The delay after which the clock moves the record, counted from its entry into `from`. */
  readonly after?: Delay;
  /** Instead of `after`: the ISO time at which the clock moves the record, null for never. */
  readonly until?: (record: R) => string | null;
  /** The job that starts when the record enters `from` and the guard is closed; its result opens the guard. */
  readonly prepare?: string;
  /** The job that is part of the move, whether the clock or a developer starts it. */
  readonly work?: string;
  /** What the move means, in one sentence. */
  readonly why: string;
  readonly source: Source;
}

export interface TableDefinition<State extends string, Event extends string, R> {
  /** The record's kind as messages call it: `catalog upload`, `privacy request`. */
  readonly kind: string;
  readonly initial: State;
  readonly states: readonly State[];
  readonly rows: readonly Row<State, Event, R>[];
}

export interface StateTable<State extends string, Event extends string, R> extends TableDefinition<State, Event, R> {
  /** The events of the rows, each once, in order. */
  readonly events: readonly Event[];
}

/** An event that the record's state does not allow. `open`: the events that the same mover may send. */
export class IllegalMove extends Error {
  readonly kind: string;
  readonly state: string;
  readonly event: string;
  readonly open: readonly string[];

  constructor(kind: string, state: string, event: string, open: readonly string[], because: string | null) {
    const article = /^[aeiou]/i.test(kind) ? 'An' : 'A';
    const reason = because === null ? '' : ` (${because})`;
    const others = open.length === 0 ? 'none' : open.join(', ');
    super(`${article} ${kind} in state "${state}" takes no "${event}"${reason}; possible now: ${others}.`);
    this.name = 'IllegalMove';
    this.kind = kind;
    this.state = state;
    this.event = event;
    this.open = open;
  }
}

/**
 * A record keeps at most this many of its latest moves, because a record that moves in circles would grow without
 * limit.
 */
export const historyLimit = 100;

/** Checks the rows. Throws at definition if a row would fail only at run time: see `flawsOf`. */
export function defineTable<State extends string, Event extends string, R extends Stateful<State>>(
  definition: TableDefinition<State, Event, R>,
): StateTable<State, Event, R> {
  const flaws = flawsOf(definition);
  if (flaws.length > 0) throw new Error(`The table of "${definition.kind}" is not valid: ${flaws.join('; ')}.`);
  return { ...definition, events: [...new Set(definition.rows.map((row) => row.event))] };
}

/** Defines the table of a kind of record, with the states and the name from its definition. */
export function defineTableOf<State extends string, const Event extends string, R extends Stateful<State>>(
  { words: [kind], states }: Definition<R> & { readonly states: readonly State[] },
  { initial, rows }: Pick<TableDefinition<State, Event, R>, 'initial' | 'rows'>,
): StateTable<State, Event, R> {
  return defineTable({ kind, initial, states, rows });
}

/** The events that a table has rows for. */
export type EventOf<T> = T extends { readonly events: readonly (infer Event)[] } ? Event : never;

/** Every event of the table, in its order: whether it can be sent to this record by hand, and if not, why not. */
export function moves<State extends string, Event extends string, R extends Stateful<State>>(
  table: StateTable<State, Event, R>,
  record: R,
): readonly Move[] {
  return table.events.map((event) => toMove(table, record, event));
}

/** The row that applies when `by` sends `event` to the record: the first open one, or the reason why none is. */
export function rowFor<State extends string, Event extends string, R extends Stateful<State>>(
  table: StateTable<State, Event, R>,
  record: R,
  event: Event,
  by: Mover,
): { readonly row: Row<State, Event, R> } | { readonly row: null; readonly because: string | null } {
  const here = table.rows.filter((row) => row.from === record.state && row.event === event);
  let because = here.length === 0 ? null : `only ${listMovers(here.flatMap((row) => row.by))}, not ${moverWords[by]}`;
  for (const row of here.filter((candidate) => candidate.by.includes(by))) {
    because = row.when?.(record) ?? null;
    if (because === null) return { row };
  }
  return { row: null, because };
}

/**
 * Returns the record moved by `event` at `at` (ISO). `why`: a reason that is more exact than the row's sentence. Throws
 * IllegalMove.
 */
export function step<State extends string, Event extends string, R extends Stateful<State>>(
  table: StateTable<State, Event, R>,
  record: R,
  event: Event,
  { by, at, why }: { readonly by: Mover; readonly at: string; readonly why?: string | undefined },
): R {
  const found = rowFor(table, record, event, by);
  if (found.row === null) {
    const open = table.events.filter((other) => rowFor(table, record, other, by).row !== null);
    throw new IllegalMove(table.kind, record.state, event, open, found.because);
  }
  const { to } = found.row;
  const moved: Moved<State> = { from: record.state, event, to, by, at, why: why ?? found.row.why };
  return { ...record, state: to, enteredAt: at, history: [...record.history, moved].slice(-historyLimit) };
}

/** The first state of a new record, as its `state`, `enteredAt` and `history`. */
export function enter<State extends string, Event extends string, R extends Stateful<State>>(
  table: StateTable<State, Event, R>,
  { by, at, why }: { readonly by: Mover; readonly at: string; readonly why: string },
): Pick<Stateful<State>, 'state' | 'enteredAt' | 'history'> {
  const { initial } = table;
  return { state: initial, enteredAt: at, history: [{ from: null, event: 'created', to: initial, by, at, why }] };
}

function toMove<State extends string, Event extends string, R extends Stateful<State>>(
  table: StateTable<State, Event, R>,
  record: R,
  event: Event,
): Move {
  const found = rowFor(table, record, event, 'hand');
  const here = table.rows.filter((row) => row.from === record.state && row.event === event);
  const shown = found.row ?? here[0] ?? table.rows.find((row) => row.event === event);
  if (!shown) throw new Error(`The table of "${table.kind}" has no event "${event}".`);
  return {
    event,
    to: shown.to,
    open: found.row !== null,
    why: found.row !== null ? found.row.why : (found.because ?? elsewhere(table, event)),
    by: shown.by,
    dueAt: here.find((row) => row.until)?.until?.(record) ?? null,
    source: shown.source,
  };
}

function elsewhere<State extends string, Event extends string, R>(
  table: StateTable<State, Event, R>,
  event: Event,
): string {
  const states = new Set(table.rows.filter((row) => row.event === event).map((row) => `"${row.from}"`));
  return `only in state ${[...states].join(' or ')}`;
}

const moverWords: { readonly [by in Mover]: string } = {
  call: 'by a call',
  clock: 'by the clock',
  hand: 'by hand',
  work: 'by the end of its work',
};

function listMovers(movers: readonly Mover[]): string {
  return [...new Set(movers)].map((mover) => moverWords[mover]).join(' or ');
}

function flawsOf<State extends string, Event extends string, R>(
  definition: TableDefinition<State, Event, R>,
): readonly string[] {
  const { initial, states, rows } = definition;
  const flaws: string[] = [];
  const reached = new Set<State>([initial]);
  // Iteration over a Set includes what the loop adds: each reached state adds its successors.
  for (const state of reached) rows.filter((row) => row.from === state).forEach((row) => reached.add(row.to));
  for (const state of reached) if (!states.includes(state)) flaws.push(`"${state}" is not among its states`);
  for (const state of states) if (!reached.has(state)) flaws.push(`state "${state}" cannot be reached`);
  if (new Set(states).size < states.length) flaws.push('a state is listed twice');
  rows.forEach((row, index) => {
    const name = `"${row.event}" in "${row.from}"`;
    const earlier = rows.slice(0, index).filter((other) => other.from === row.from && other.event === row.event);
    const taken = earlier.filter((other) => !other.when).flatMap((other) => other.by);
    const timed = row.by.includes('clock');
    if (!states.includes(row.from)) flaws.push(`"${row.from}" is not among its states`);
    if (row.by.length === 0) flaws.push(`nothing may send ${name}`);
    if (row.by.some((mover) => taken.includes(mover)))
      flaws.push(`an earlier row without a guard already matches ${name}`);
    if (timed !== (row.after !== undefined || row.until !== undefined)) {
      flaws.push(`${name} must have "clock" in by if and only if it has after or until`);
    }
    if (row.after !== undefined && row.until !== undefined) flaws.push(`${name} has both after and until`);
    if (row.prepare !== undefined && !row.when)
      flaws.push(`${name} prepares something without a guard that waits for it`);
    if (row.why === '') flaws.push(`${name} does not say why`);
  });
  return flaws;
}
