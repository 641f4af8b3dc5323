import { expect, test } from 'vitest';
import { lifecycleKinds } from '../../emulator/lifecycles.ts';
import { toKind } from '../../emulator/records/kind.ts';
import type { MachinesView, MachineView, RecordView } from '../../emulator/control/calls.ts';
import { keyOf, toEdges, toMainLine } from '../../renderer/parts/diagram/edges.ts';
import { layOut, pill, type Layout } from '../../renderer/parts/diagram/layout.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

async function machineOf(kind: string): Promise<MachineView> {
  const { machines } = (await sandbox.control('GET', '/control/machines')).body as MachinesView;
  const found = machines.find((one) => one.kind === kind);
  if (!found) throw new Error(`There is no machine of ${kind}.`);
  return found;
}

/** A record that was moved through these states by hand; every move that its table allows there is possible. */
function viewAt({ rows, initial }: MachineView, ...states: readonly string[]): RecordView {
  const state = states.at(-1) ?? initial;
  const events = [...new Set(rows.map(({ event }) => event))];
  return {
    kind: 'settings',
    record: { id: 'one', value: null },
    state,
    moves: events.map((event) => {
      const row = rows.find((one) => one.event === event && one.from === state);
      return {
        event,
        to: row?.to ?? '',
        open: row?.by.includes('hand') ?? false,
        why: row ? row.why : 'only elsewhere',
        by: row?.by ?? [],
        dueAt: null,
        source: { provenance: 'assumed' as const, section: '3' },
      };
    }),
    history: states.flatMap((to, at) => {
      const from = states[at - 1] ?? null;
      const event = rows.find((row) => row.from === from && row.to === to)?.event ?? 'created';
      return [{ from, event, to, by: 'hand' as const, at: '2026-01-31T09:30:00Z', why: '' }];
    }),
  };
}

const placesOf = ({ places }: Layout) => Object.fromEntries(places.map(({ state, x, y }) => [state, { x, y }]));

test('the main line of each machine is its path from the first state to the last', async () => {
  expect(toMainLine(await machineOf('uploads'))).toEqual(['initialized', 'validating', 'validated', 'completed']);
  expect(toMainLine(await machineOf('privacy-requests'))).toEqual(['received', 'processing', 'processed']);
  expect(toMainLine(await machineOf('offers'))).toEqual(['ACTIVE', 'SYNCING']);
});

test('past moves, possible moves and impossible moves are each marked, once', async () => {
  const uploads = await machineOf('uploads');
  const view = viewAt(uploads, 'initialized', 'validating', 'validated');
  const edges = toEdges(uploads, view);
  expect(Object.fromEntries(edges.map((edge) => [keyOf(edge), edge.status]))).toEqual({
    'validated→completed': 'open',
    'validated→save_failed': 'open',
    'validating→validated': 'past',
    'initialized→validating': 'past',
    'initialized→expired': 'closed',
  });
  const offered = edges.flatMap(({ offers }) => offers.map(({ event }) => event));
  expect(offered.toSorted()).toEqual(['expire', 'save', 'saveFailed']);
  expect(edges.find(({ status }) => status === 'closed')?.offers[0]?.why).toBe('only elsewhere');
});

test('a state outside the main line is below a state that leads to it, or that it leads to', async () => {
  const uploads = await machineOf('uploads');
  const layout = layOut(uploads, toEdges(uploads, viewAt(uploads, 'initialized')), 1_000);
  const places = placesOf(layout!);
  expect(places['expired']?.x).toBe(places['initialized']?.x);
  expect(places['save_failed']?.x).toBe(places['completed']?.x);
  expect(places['expired']?.y).toBeGreaterThan(places['initialized']?.y ?? 0);
});

test('if two buttons do not fit between the states, a list replaces the diagram', async () => {
  const uploads = await machineOf('uploads');
  const edges = toEdges(uploads, viewAt(uploads, 'initialized'));
  expect(layOut(uploads, edges, 640)).toBeNull();
  const layout = layOut(uploads, edges, 900);
  expect(layout?.width).toBeLessThanOrEqual(900);
});

test.each(Object.keys(lifecycleKinds).map(toKind))(
  'in every state of %s the pills do not overlap, and every line connects two of them',
  async (kind) => {
    const machine = await machineOf(kind);
    for (const state of machine.states) {
      const edges = toEdges(machine, viewAt(machine, machine.initial, state));
      const layout = layOut(machine, edges, 1_200);
      expect(layout, state).not.toBeNull();
      const { places, routes, width, height } = layout!;
      expect(places.map((place) => place.state).toSorted()).toEqual(machine.states.toSorted());
      for (const one of places) {
        expect([one.x >= 0, one.y >= 0, one.x + pill.width <= width, one.y + pill.height <= height]).not.toContain(
          false,
        );
        const near = places.filter(
          (other) => Math.abs(other.x - one.x) < pill.width && Math.abs(other.y - one.y) < pill.height,
        );
        expect(near).toEqual([one]);
      }
      expect(routes.size).toBe(edges.length);
      for (const { d } of routes.values()) expect(d).not.toContain('NaN');
    }
  },
);
