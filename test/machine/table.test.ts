import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Mover } from '../../emulator/records.ts';
import { defineTable, historyLimit, IllegalMove, moves, step, type Row } from '../../emulator/machine/table.ts';
import { source, table, upload, type State, type Upload } from './sample.ts';

const at = '2025-01-01T00:00:05.000Z';
type SampleRow = Row<State, string, Upload>;
const row: SampleRow = { from: 'initialized', event: 'go', to: 'validating', by: ['call'], why: 'It goes.', source };

function define(rows: readonly SampleRow[], states: readonly State[] = ['initialized', 'validating']) {
  return () => defineTable<State, string, Upload>({ kind: 'upload', initial: 'initialized', states, rows });
}

function caught(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test('no walk leaves the declared states, and the history leads to where the record is', () => {
  const send = fc.record({
    event: fc.constantFrom(...table.events),
    by: fc.constantFrom<Mover>('call', 'clock', 'hand', 'work'),
    lines: fc.boolean(),
    /** Follows this row of the current state instead, so that walks get far; null sends the event, allowed or not. */
    row: fc.option(fc.nat()),
  });
  const reached = new Set<State>();
  fc.assert(
    fc.property(fc.boolean(), fc.array(send, { maxLength: 30 }), (validateOnly, sends) => {
      let record = upload('u1', { validateOnly });
      sends.forEach((sent, index) => {
        const rows = table.rows.filter((one) => one.from === record.state);
        const followed = sent.row === null ? undefined : rows[sent.row % rows.length];
        const { event, by } = { event: followed?.event ?? sent.event, by: followed?.by[0] ?? sent.by };
        const time = new Date(Date.parse(at) + index).toISOString();
        if (sent.lines) record = { ...record, lines: 1 };
        const before = record;
        const result = caught(() => step(table, before, event, { by, at: time }));
        const declared = table.rows.filter((one) => one.from === before.state && one.event === event);
        const mayMove = declared.some((one) => one.by.includes(by) && !one.when?.(before));
        expect(result instanceof IllegalMove).toBe(!mayMove);
        if (!mayMove) return;
        record = result as Upload;
        expect(declared.map((one) => one.to)).toContain(record.state);
        expect(before).toEqual({ ...before, state: before.history.at(-1)?.to });
      });
      for (const move of record.history) reached.add(move.to);
      expect(table.states).toContain(record.state);
      let state: State | null = null;
      for (const move of record.history) {
        expect(move.from).toBe(state);
        state = move.to;
      }
      expect(state).toBe(record.state);
      expect(record.history.at(-1)?.at).toBe(record.enteredAt);
    }),
    { numRuns: 300 },
  );
  expect([...reached].sort()).toEqual([...table.states].sort());
});

test('a step keeps the other fields and notes who, when and why', () => {
  const record = upload('u1', { lines: 3 });
  const after = step(table, record, 'fileReceived', { by: 'call', at });
  expect(after).toEqual({
    ...record,
    state: 'validating',
    enteredAt: at,
    history: [
      ...record.history,
      { from: 'initialized', event: 'fileReceived', to: 'validating', by: 'call', at, why: 'The file was received.' },
    ],
  });
  expect(record.state).toBe('initialized');
  expect(step(table, record, 'expire', { by: 'hand', at, why: 'Pressed.' }).history.at(-1)?.why).toBe('Pressed.');
});

test('an event that a final state does not allow is named with the state', () => {
  const error = caught(() => step(table, upload('u1', { state: 'completed' }), 'fileReceived', { by: 'call', at }));
  expect(error).toBeInstanceOf(IllegalMove);
  expect(error).toMatchObject({ kind: 'upload', state: 'completed', event: 'fileReceived', open: [] });
  expect(String(error)).toBe(
    'IllegalMove: An upload in state "completed" takes no "fileReceived"; possible now: none.',
  );
});

test('an illegal move says what the same mover may send instead', () => {
  expect(() => step(table, upload('u1', { state: 'validated' }), 'expire', { by: 'hand', at })).toThrow(
    'An upload in state "validated" takes no "expire"; possible now: save, failSave.',
  );
  expect(() => step(table, upload('u1'), 'expire', { by: 'call', at })).toThrow(
    'An upload in state "initialized" takes no "expire" (only by the clock or by hand, not by a call); possible now: fileReceived.',
  );
  expect(() =>
    step(table, upload('u1', { state: 'validated', validateOnly: true }), 'save', { by: 'hand', at }),
  ).toThrow('takes no "save" (no data is saved when validateOnly); possible now: none.');
});

test('moves lists every event once, possible by hand or with the reason why not', () => {
  const shown = moves(table, upload('u1', { expiresAt: at })).map(({ event, to, open, why, dueAt }) => ({
    event,
    to,
    open,
    why,
    dueAt,
  }));
  expect(shown).toEqual([
    { event: 'fileReceived', to: 'validating', open: false, why: 'only by a call, not by hand', dueAt: null },
    { event: 'expire', to: 'expired', open: true, why: 'The file did not come in time.', dueAt: at },
    { event: 'checked', to: 'validated', open: false, why: 'only in state "validating"', dueAt: null },
    { event: 'save', to: 'completed', open: false, why: 'only in state "validated" or "save_failed"', dueAt: null },
    { event: 'failSave', to: 'save_failed', open: false, why: 'only in state "validated"', dueAt: null },
  ]);
});

test('a closed guard is the reason that moves shows', () => {
  const record = upload('u1', { state: 'validated', validateOnly: true });
  expect(moves(table, record).find((move) => move.event === 'save')).toMatchObject({
    open: false,
    why: 'no data is saved when validateOnly',
  });
});

test('exactly the moves shown as possible can be done by hand', () => {
  for (const state of table.states) {
    for (const validateOnly of [false, true]) {
      const record = upload('u1', { state, validateOnly });
      for (const move of moves(table, record)) {
        const event = move.event as (typeof table.events)[number];
        const result = caught(() => step(table, record, event, { by: 'hand', at }));
        expect(result instanceof IllegalMove).toBe(!move.open);
        expect(move.open ? (result as Upload).state : move.to).toBe(move.to);
      }
    }
  }
});

test('of several rows for one event the first open one applies', () => {
  const choosing = define(
    [
      { ...row, when: (record) => (record.validateOnly ? null : 'it is to be saved') },
      { ...row, to: 'completed' },
    ],
    ['initialized', 'validating', 'completed'],
  )();
  const go = (validateOnly: boolean): State =>
    step(choosing, upload('u1', { validateOnly }), 'go', { by: 'call', at }).state;
  expect([go(true), go(false)]).toEqual(['validating', 'completed']);
});

test('a record that moves in circles keeps only its latest moves', () => {
  const round = define([row, { ...row, from: 'validating', to: 'initialized' }])();
  let record = upload('u1');
  for (let n = 0; n < historyLimit + 50; n++) record = step(round, record, 'go', { by: 'call', at, why: `${n}` });
  expect(record.history).toHaveLength(historyLimit);
  expect(record.history.at(-1)?.why).toBe(`${historyLimit + 49}`);
});

test.each<[string, readonly SampleRow[]]>([
  ['state "validating" cannot be reached', []],
  ['"expired" is not among its states', [row, { ...row, event: 'end', to: 'expired' }]],
  ['"expired" is not among its states', [row, { ...row, from: 'expired' }]],
  ['nothing may send "go" in "initialized"', [{ ...row, by: [] }]],
  ['an earlier row without a guard already matches "go" in "initialized"', [row, { ...row, when: () => null }]],
  ['must have "clock" in by if and only if it has after or until', [{ ...row, by: ['clock'] }]],
  ['must have "clock" in by if and only if it has after or until', [{ ...row, after: { name: 'wait', realistic: 1 } }]],
  ['has both after and until', [{ ...row, by: ['clock'], after: { name: 'wait', realistic: 1 }, until: () => at }]],
  ['prepares something without a guard that waits for it', [{ ...row, prepare: 'check' }]],
  ['does not say why', [{ ...row, why: '' }]],
])('a table is refused at definition if %s', (flaw, rows) => {
  expect(define(rows)).toThrow(flaw);
  expect(define([row])).not.toThrow();
});

test('one event may lead different movers from one state to different states', () => {
  expect(define([row, { ...row, by: ['hand'], to: 'initialized' }])).not.toThrow();
  expect(define([row], ['initialized', 'validating', 'validating'])).toThrow('a state is listed twice');
});
