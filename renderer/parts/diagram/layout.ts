import type { MachineView } from '../../../emulator/control/calls.ts';
import { keyOf, toMainLine, type Edge } from './edges.ts';

/** The top left corner of a state's pill, in pixels. */
export interface Place {
  readonly state: string;
  readonly x: number;
  readonly y: number;
}

export interface Route {
  /** The path of the line. */
  readonly d: string;
  /**
   * The place of the words. `across`: over, on and under a level line of this width. `down`: beside a line that falls
   * through the middle of a pill's width. `beside`: right of a line that has another one next to it.
   */
  readonly label: {
    readonly form: 'across' | 'down' | 'beside';
    readonly x: number;
    readonly y: number;
    readonly width: number;
  };
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly places: readonly Place[];
  /** The routes by the `keyOf` of their edge. */
  readonly routes: ReadonlyMap<string, Route>;
}

export const pill = { width: 118, height: 36 } as const;
/** A button must fit between two pills. */
const [leastGap, mostGap] = [120, 156];
const rowPitch = 122;
/** A line above the main one has its words below it, clear of the words over the main line. */
const lanePitch = 46;

interface Cell {
  readonly column: number;
  readonly row: number;
}

/**
 * Lays out the diagram on a fixed grid: the main line from left to right, the side states below it.
 * @param width the available width, in pixels
 * @returns null if that is too narrow
 */
export function layOut(machine: MachineView, edges: readonly Edge[], width: number): Layout | null {
  const cells = toCells(machine);
  const columns = Math.max(...[...cells.values()].map(({ column }) => column)) + 1;
  const gap = Math.min(mostGap, Math.floor((width - columns * pill.width - 10) / Math.max(1, columns - 1)));
  if (gap < leastGap) return null;

  const lanes = toLanes(edges, cells);
  const laneCount = Math.max(0, ...[...lanes.values()].map((lane) => lane + 1));
  const top = Math.max(24, laneCount * lanePitch + 14);
  const places = [...cells].map(([state, { column, row }]) => ({
    state,
    x: 5 + column * (pill.width + gap),
    y: top + row * rowPitch,
  }));
  const rows = Math.max(...[...cells.values()].map(({ row }) => row));
  const routes = new Map<string, Route>();
  for (const edge of edges) {
    const [from, to] = [cells.get(edge.from), cells.get(edge.to)];
    const [start, end] = [edge.from, edge.to].map((state) => places.find((place) => place.state === state));
    if (!from || !to || !start || !end) continue;
    const lane = lanes.get(keyOf(edge));
    routes.set(
      keyOf(edge),
      lane === undefined ? draw(edge, start, end, edges, cells) : drawLane(start, end, top, lane),
    );
  }
  return {
    width: 10 + columns * pill.width + (columns - 1) * gap,
    height: top + rows * rowPitch + pill.height + (rows === 0 ? 44 : 24),
    places,
    routes,
  };
}

/** Places a side state under the state that it leads to, else under the state that leads to it, else where it fits. */
function toCells(machine: MachineView): ReadonlyMap<string, Cell> {
  const line = toMainLine(machine);
  const cells = new Map<string, Cell>(line.map((state, column) => [state, { column, row: 0 }]));
  const taken = new Set<string>();
  for (const state of machine.states.filter((one) => !line.includes(one))) {
    const parents = machine.rows.filter(({ from, to }) => to === state && line.includes(from));
    const parent = Math.max(0, line.indexOf(parents[0]?.from ?? machine.initial));
    const onward = machine.rows
      .filter(({ from }) => from === state)
      .map(({ to }) => line.indexOf(to))
      .find((column) => column > parent);
    const wanted = [onward ?? parent, parent, ...line.map((_one, column) => column)];
    let cell: Cell | undefined;
    for (let row = 1; !cell; row++) {
      const column = wanted.find((one) => !taken.has(`${one} ${row}`));
      if (column !== undefined) cell = { column, row };
    }
    taken.add(`${cell.column} ${cell.row}`);
    cells.set(state, cell);
  }
  return cells;
}

/** Assigns lanes above the main line to lines that go back or skip a state, each as low as the others allow. */
function toLanes(edges: readonly Edge[], cells: ReadonlyMap<string, Cell>): ReadonlyMap<string, number> {
  const lanes = new Map<string, number>();
  const used: { readonly lane: number; readonly left: number; readonly right: number }[] = [];
  const over = edges.flatMap((edge) => {
    const [from, to] = [cells.get(edge.from), cells.get(edge.to)];
    if (!from || !to || from.row !== 0 || to.row !== 0 || to.column === from.column + 1) return [];
    return { edge, left: Math.min(from.column, to.column), right: Math.max(from.column, to.column) };
  });
  for (const { edge, left, right } of over.toSorted((a, b) => a.right - a.left - (b.right - b.left))) {
    let lane = 0;
    while (used.some((one) => one.lane === lane && one.left < right && left < one.right)) lane++;
    used.push({ lane, left, right });
    lanes.set(keyOf(edge), lane);
  }
  return lanes;
}

const middle = (place: Place): number => place.x + pill.width / 2;
const level = (place: Place): number => place.y + pill.height / 2;

function drawLane(start: Place, end: Place, top: number, lane: number): Route {
  const isBack = end.x < start.x;
  const shift = isBack ? -14 : 14;
  const [from, to] = [middle(start) + shift, middle(end) - shift];
  const y = top + 2 - (lane + 1) * lanePitch;
  return {
    d: `M${from} ${start.y - 3}V${y}H${to}V${end.y - 5}`,
    label: { form: 'across', x: Math.min(from, to) + 10, y, width: Math.abs(to - from) - 20 },
  };
}

function draw(edge: Edge, start: Place, end: Place, edges: readonly Edge[], cells: ReadonlyMap<string, Cell>): Route {
  const isDown = end.y > start.y;
  if (start.x === end.x) {
    const hasTwin = edges.some((one) => one.from === edge.to && one.to === edge.from);
    const x = middle(start) + (hasTwin ? (isDown ? -14 : 14) : 0);
    const [from, to] = isDown ? [start.y + pill.height + 3, end.y - 5] : [start.y - 3, end.y + pill.height + 5];
    const y = from + (to - from) * (hasTwin ? 0.4 : 0.66);
    if (hasTwin) return { d: `M${x} ${from}V${to}`, label: { form: 'beside', x: middle(start) + 24, y, width: 190 } };
    return { d: `M${x} ${from}V${to}`, label: { form: 'down', x: start.x, y, width: 250 } };
  }
  const isRight = end.x > start.x;
  if (start.y === end.y) {
    const [from, to] = isRight ? [start.x + pill.width + 3, end.x - 5] : [start.x - 3, end.x + pill.width + 5];
    return { d: `M${from} ${level(start)}H${to}`, label: across(from, to, level(start)) };
  }
  // Around a corner: level in the lower row, upright under the state of the upper one.
  const [upper, lower] = isDown ? [start, end] : [end, start];
  const [upperState, lowerState] = isDown ? [edge.from, edge.to] : [edge.to, edge.from];
  const column = cells.get(upperState)?.column;
  const isCrowded = edges.some(
    (one) =>
      one !== edge &&
      [one.from, one.to].includes(upperState) &&
      [one.from, one.to].every((state) => state === upperState || cells.get(state)?.row !== 0) &&
      ![one.from, one.to].includes(lowerState) &&
      [one.from, one.to].some((state) => state !== upperState && cells.get(state)?.column === column),
  );
  const side = lower.x > upper.x ? 1 : -1;
  const x = middle(upper) + (isCrowded ? 40 * side : 0);
  const edgeOfLower = side === 1 ? lower.x : lower.x + pill.width;
  const foot = upper.y + pill.height;
  const y = level(lower);
  if (isDown) {
    return { d: `M${x} ${foot + 3}V${y}H${edgeOfLower - 5 * side}`, label: across(x, edgeOfLower - 5 * side, y) };
  }
  return { d: `M${edgeOfLower - 3 * side} ${y}H${x}V${foot + 5}`, label: across(edgeOfLower - 3 * side, x, y) };
}

function across(from: number, to: number, y: number): Route['label'] {
  return { form: 'across', x: Math.min(from, to) + 6, y, width: Math.abs(to - from) - 16 };
}
