import { expect, test } from 'vitest';
import { toKind } from '../../emulator/records/kind.ts';
import { definitions } from '../../emulator/records/definitions.ts';
import type { MachinesView, RecordView } from '../../emulator/control/calls.ts';
import { useSandbox } from '../support/sandbox.ts';

const sandbox = useSandbox();

const machines = async () => ((await sandbox.control('GET', '/control/machines')).body as MachinesView).machines;

test('every kind of record with states lists them and the moves between them', async () => {
  const all = await machines();
  const stateful = Object.entries(definitions).filter(([, { schema }]) => 'state' in schema.properties);
  expect(all.map(({ kind }) => kind).toSorted()).toEqual(stateful.map(([name]) => toKind(name)).toSorted());
  for (const { initial, states, rows } of all) {
    expect(states).toContain(initial);
    expect(rows.every(({ from, to }) => states.includes(from) && states.includes(to))).toBe(true);
  }
  const uploads = all.find(({ kind }) => kind === 'uploads');
  expect(uploads?.rows.find(({ event }) => event === 'checked')).toEqual({
    from: 'validating',
    event: 'checked',
    to: 'validated',
    by: ['clock', 'hand'],
    why: 'The file was checked; its problems are listed in the errors.',
    section: expect.any(String),
    provenance: 'documented',
    after: 'upload.validate',
  });
});

test('the moves of a record are those of its machine', async () => {
  const offers = (await machines()).find(({ kind }) => kind === 'offers');
  const { state, moves } = (await sandbox.control('GET', '/control/records/offers/54100')).body as RecordView;
  expect(offers?.states).toContain(state);
  expect(new Set(moves.map(({ event }) => event))).toEqual(new Set(offers?.rows.map(({ event }) => event)));
});
