import type { MachineView, MoverView, RecordView } from '../../../emulator/control/calls.ts';

export type PastMove = RecordView['history'][number];

/** A move as drawn on an edge. */
export interface Offer {
  readonly event: string;
  /** False if a person never makes the move: then it is described, not offered. */
  readonly pressable: boolean;
  readonly open: boolean;
  /** The meaning of the move, or why it is closed. */
  readonly why: string;
  /** Who else makes the move in the current state of the record. */
  readonly others: readonly MoverView[];
  /** When the clock makes the move, ISO 8601. */
  readonly dueAt: string | null;
}

/** A line between two states. */
export interface Edge {
  readonly from: string;
  readonly to: string;
  /** `open`: a person may do it now. `told`: it can happen, but not by a person. `past`: it happened. */
  readonly status: 'open' | 'told' | 'past' | 'closed';
  readonly offers: readonly Offer[];
  /** The last time that the line was taken, if it is `past`. */
  readonly past: PastMove | null;
}

/** With more lines than this between its states, a machine shows only those that matter now. */
const most = 8;

/** The states from the initial one on, following the first row that leads to another state. */
export function toMainLine({ initial, rows }: MachineView): readonly string[] {
  const line = [initial];
  for (;;) {
    const here = line.at(-1);
    const next = rows.find(({ from, to }) => from === here && to !== here)?.to;
    if (next === undefined || line.includes(next)) return line;
    line.push(next);
  }
}

/** The lines to draw for a record in its state: past moves, possible ones and closed ones, each move once. */
export function toEdges(machine: MachineView, view: RecordView): readonly Edge[] {
  const rows = machine.rows.filter(({ from, to }) => from !== to);
  const here = view.state ?? machine.initial;
  const edges = new Map<string, Edge>();
  const told = new Set<string>();
  const keep = (edge: Edge): void => {
    edges.set(keyOf(edge), edge);
    for (const { event } of edge.offers) told.add(event);
  };

  for (const row of rows.filter(({ from }) => from === here)) {
    if (edges.has(keyOf(row))) continue;
    const events = [...new Set(rows.filter((one) => keyOf(one) === keyOf(row)).map(({ event }) => event))];
    const offers = events.flatMap((event) => toOffer(machine, view, event));
    const status = offers.some(({ open }) => open) ? 'open' : offers.some(canHappen) ? 'told' : 'closed';
    keep({ from: row.from, to: row.to, status, offers, past: null });
  }
  for (const past of view.history.toReversed()) {
    if (past.from === null || past.from === past.to) continue;
    told.add(past.event);
    const key = keyOf({ from: past.from, to: past.to });
    if (!edges.has(key)) edges.set(key, { from: past.from, to: past.to, status: 'past', offers: [], past });
  }
  const line = toMainLine(machine);
  const isDense = new Set(rows.map(keyOf)).size > most;
  const reached = new Set([...line, ...[...edges.values()].flatMap(({ from, to }) => [from, to])]);
  for (const row of rows) {
    if (edges.has(keyOf(row))) continue;
    const isMain = line.indexOf(row.to) === line.indexOf(row.from) + 1 && line.includes(row.from);
    const isNew = !told.has(row.event) && !isDense;
    if (!isMain && !isNew && reached.has(row.to)) continue;
    reached.add(row.to);
    const offers = told.has(row.event) ? [] : toOffer(machine, view, row.event);
    keep({ from: row.from, to: row.to, status: 'closed', offers, past: null });
  }
  return [...edges.values()];
}

export const keyOf = ({ from, to }: { readonly from: string; readonly to: string }): string => `${from}→${to}`;

/** Whether the move can happen by itself: at a time, or when something arrives. */
const canHappen = ({ dueAt, others }: Offer): boolean => dueAt !== null || others.some((by) => by !== 'clock');

/** Whether a move needs a hint: why it is closed, or who else makes it. */
export const hasHint = ({ open, dueAt, others }: Offer): boolean => !open || dueAt !== null || others.length > 0;

function toOffer(machine: MachineView, view: RecordView, event: string): readonly Offer[] {
  const move = view.moves.find((one) => one.event === event);
  if (!move) return [];
  const rows = machine.rows.filter((row) => row.event === event);
  const here = rows.filter(({ from }) => from === view.state);
  const movers = new Set(here.flatMap(({ by }) => by));
  return [
    {
      event,
      pressable: (here.length === 0 ? rows : here).some(({ by }) => by.includes('hand')),
      open: move.open,
      why: move.why,
      others: [...movers].filter((by) => by !== 'hand'),
      dueAt: move.dueAt,
    },
  ];
}
