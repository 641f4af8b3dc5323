import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { createClock, type Clock } from '../../emulator/time/clock.ts';
import { createLifecycle } from '../../emulator/machine/lifecycle.ts';
import { defineTable, IllegalMove } from '../../emulator/machine/table.ts';
import {
  bench,
  createMemoryStore,
  source,
  start,
  table,
  upload,
  type Event,
  type State,
  type Upload,
} from './sample.ts';

const iso = (after: number): string => new Date(start + after).toISOString();
const path = (record: Upload): readonly string[] =>
  record.history.map((move) => `${move.to} by ${move.by} at ${Date.parse(move.at) - start}`);
interface Act {
  readonly event: Event;
  readonly id: string;
  readonly wait: number;
  readonly restart: boolean;
}

const checked = { by: 'work', change: (record: Upload) => ({ ...record, lines: 7 }) } as const;

test('a record runs through its table by call, work and clock, each move at its own time', async () => {
  const { clock, lifecycle, get } = bench();
  lifecycle.start(upload('u1'));
  await clock.advance(1000);
  lifecycle.fire('u1', 'fileReceived', { by: 'call', change: (record) => ({ ...record, lines: 7 }) });
  await clock.advance(60_000);
  expect(path(get('u1'))).toEqual([
    'initialized by call at 0',
    'validating by call at 1000',
    'validated by clock at 3000',
    'completed by clock at 13000',
  ]);
  expect(clock.upcoming()).toEqual([]);
});

test('an unsent file expires at the time the record names', async () => {
  const { clock, lifecycle, get } = bench();
  lifecycle.start(upload('u1', { expiresAt: iso(5000) }));
  expect(clock.upcoming()).toEqual([{ key: 'upload:u1:expire', at: start + 5000, label: 'upload u1: expire' }]);
  await clock.advance(4999);
  expect(get('u1').state).toBe('initialized');
  await clock.advance(1);
  expect(path(get('u1')).at(-1)).toBe('expired by clock at 5000');
});

test('a record whose time had passed before its start moves as of its start', async () => {
  const { clock, lifecycle, get } = bench();
  lifecycle.start(upload('u1', { expiresAt: iso(-5000) }));
  await clock.advance(10);
  expect(path(get('u1'))).toEqual(['initialized by call at 0', 'expired by clock at 0']);
});

test('a move removes the timers of the previous state', async () => {
  const { clock, lifecycle, get } = bench();
  lifecycle.start(upload('u1', { expiresAt: iso(5000) }));
  lifecycle.fire('u1', 'fileReceived', { by: 'call', change: (record) => ({ ...record, lines: 3 }) });
  expect(clock.upcoming().map((due) => due.key)).toEqual(['upload:u1:checked']);
  lifecycle.fire('u1', 'checked', { by: 'hand' });
  expect(clock.upcoming().map((due) => due.key)).toEqual(['upload:u1:save']);
  await clock.advance(5000);
  expect(get('u1').state).toBe('validated');
});

test('an illegal move changes nothing, and the timers stay', async () => {
  const { clock, lifecycle, get } = bench();
  lifecycle.start(upload('u1', { expiresAt: iso(5000) }));
  expect(() => lifecycle.fire('u1', 'save', { by: 'hand' })).toThrow(IllegalMove);
  expect(() => lifecycle.fire('none', 'save', { by: 'hand' })).toThrow('There is no upload "none" to send "save" to.');
  await clock.advance(5000);
  expect(get('u1').state).toBe('expired');
});

test('a change adds fields in the same write and cannot touch state or history', () => {
  const { lifecycle, get } = bench();
  lifecycle.start(upload('u1'));
  const moved = lifecycle.fire('u1', 'fileReceived', {
    by: 'call',
    change: (record) => ({ ...record, id: 'other', lines: 9, state: 'completed', enteredAt: 'never', history: [] }),
  });
  expect(moved).toEqual(get('u1'));
  expect(moved).toMatchObject({ id: 'u1', lines: 9, state: 'validating', enteredAt: iso(0) });
  expect(moved.history).toHaveLength(2);
});

test('a record that is not in the first state is not started', () => {
  const { lifecycle, store } = bench();
  expect(() => lifecycle.start(upload('u1', { state: 'validated' }))).toThrow('starts in state "initialized"');
  expect([...store.collection.all()]).toEqual([]);
});

test('after a restart timers continue, and overdue moves carry the time at which they fell due', async () => {
  const store = createMemoryStore();
  const before = bench({ store });
  before.lifecycle.start(upload('late', { expiresAt: iso(50_000) }));
  before.lifecycle.start(upload('file', { lines: 1 }));
  before.lifecycle.fire('file', 'fileReceived', { by: 'call' });
  before.clock.close();

  const clock = createClock({ wall: () => start + 20_000 });
  const { lifecycle, get } = bench({ store, clock });
  lifecycle.resume();
  await clock.advance(0);
  expect(path(get('file')).slice(2)).toEqual(['validated by clock at 2000', 'completed by clock at 12000']);
  expect(get('late').state).toBe('initialized');
  await clock.advance(30_000);
  expect(path(get('late')).at(-1)).toBe('expired by clock at 50000');
});

test('moves that fell due while the emulator was stopped happen in due order', async () => {
  const store = createMemoryStore();
  const order: string[] = [];
  const clock = createClock({ wall: () => start + 90_000 });
  const { lifecycle } = bench({ store, clock, afterMoved: (after) => void order.push(after.id) });
  store.replace([3000, 1000, 2000].map((after) => upload(`due${after}`, { expiresAt: iso(after) })));
  lifecycle.resume();
  await clock.advance(0);
  expect(order).toEqual(['due1000', 'due2000', 'due3000']);
});

test('a replaced state leaves no timer of the previous records', async () => {
  const { clock, lifecycle, store } = bench();
  lifecycle.start(upload('old', { expiresAt: iso(5000) }));
  store.replace([upload('new', { expiresAt: iso(6000) })]);
  lifecycle.resume();
  await Promise.resolve();
  expect(clock.upcoming().map((due) => due.key)).toEqual(['upload:new:expire']);
});

test('at the instant pace a record moves on in the next turn, even on a frozen clock', async () => {
  const { clock, lifecycle, get, pace } = bench();
  clock.freeze(true);
  Object.assign(pace, { check: 0, save: 0 });
  lifecycle.start(upload('u1', { lines: 1 }));
  lifecycle.fire('u1', 'fileReceived', { by: 'call' });
  expect(get('u1').state).toBe('validating');
  await expect.poll(() => get('u1').state).toBe('completed');
  expect(clock.now()).toBe(start);
});

test('at the manual pace a record moves only by hand', async () => {
  const { clock, lifecycle, get, pace } = bench();
  delete pace.check;
  lifecycle.start(upload('u1', { lines: 1 }));
  lifecycle.fire('u1', 'fileReceived', { by: 'call' });
  await clock.advance(1e9);
  expect(get('u1').state).toBe('validating');
  lifecycle.fire('u1', 'checked', { by: 'hand', why: 'Pressed.' });
  expect(get('u1').history.at(-1)).toMatchObject({ to: 'validated', by: 'hand', why: 'Pressed.' });
});

test('a new pace counts from the entry into the state, and never moves a record into the past', async () => {
  const { clock, lifecycle, get, pace } = bench();
  lifecycle.start(upload('u1', { lines: 1 }));
  lifecycle.fire('u1', 'fileReceived', { by: 'call' });
  await clock.advance(2000);
  await clock.advance(3000);
  pace.save = 8000;
  lifecycle.rearm();
  expect(clock.upcoming().map((due) => due.at - start)).toEqual([10_000]);
  pace.save = 1000;
  lifecycle.rearm();
  await clock.advance(0);
  expect(path(get('u1')).slice(2)).toEqual(['validated by clock at 2000', 'completed by clock at 5000']);
});

test('moves shows when the clock acts, at the current pace', () => {
  const { lifecycle, get, pace, store } = bench();
  lifecycle.start(upload('u1', { expiresAt: iso(9000) }));
  const dueAt = (event: string): string | null =>
    lifecycle.moves(get('u1')).find((move) => move.event === event)?.dueAt ?? null;
  expect([dueAt('expire'), dueAt('checked')]).toEqual([iso(9000), null]);
  lifecycle.fire('u1', 'fileReceived', { by: 'call' });
  // Not while its guard is closed.
  expect([dueAt('expire'), dueAt('checked')]).toEqual([null, null]);
  store.transact(() => store.collection.put({ ...get('u1'), lines: 3 }));
  expect(dueAt('checked')).toBe(iso(2000));
  pace.check = 1;
  expect(dueAt('checked')).toBe(iso(1));
  delete pace.check;
  expect(dueAt('checked')).toBe(null);
});

test('a timer that fires after the record left its state does nothing', async () => {
  const { clock, lifecycle, get, store } = bench();
  lifecycle.start(upload('u1', { expiresAt: iso(5000) }));
  await clock.advance(0);
  const anew = upload('u1', { lines: 1, expiresAt: iso(5000) }, start + 1);
  store.replace([anew]);
  await clock.advance(5000);
  expect(get('u1')).toEqual(anew);
  store.replace([]);
  await clock.advance(5000);
  expect([...store.collection.all()]).toEqual([]);
});

test('a record behind a closed guard waits past its time, and a poke moves it once the guard opens', async () => {
  const { clock, lifecycle, get, store } = bench();
  lifecycle.start(upload('u1'));
  lifecycle.fire('u1', 'fileReceived', { by: 'call' });
  await clock.advance(9000);
  lifecycle.poke('u1');
  expect(get('u1').state).toBe('validating');
  store.transact(() => {
    store.collection.put({ ...get('u1'), lines: 3 });
    lifecycle.poke('u1');
  });
  expect(path(get('u1')).at(-1)).toBe('validated by clock at 9000');
});

test('a poke before the time only sets the timer again', async () => {
  const { clock, lifecycle, get, store } = bench();
  lifecycle.start(upload('u1', { expiresAt: iso(5000) }));
  store.transact(() => store.collection.put({ ...get('u1'), expiresAt: iso(7000) }));
  lifecycle.poke('u1');
  expect(clock.upcoming().map((due) => due.at - start)).toEqual([7000]);
  store.replace([]);
  lifecycle.poke('u1');
  expect(clock.upcoming()).toEqual([]);
});

test('onMoved runs inside the transaction and afterMoved after it', async () => {
  const seen: string[] = [];
  const { lifecycle, store } = bench({
    onMoved: (before, after) => void seen.push(`on ${before.state} ${after.state}`),
    afterMoved: (after) => void seen.push(`after ${after.state}`),
  });
  lifecycle.start(upload('u1'));
  store.transact(() => {
    lifecycle.fire('u1', 'fileReceived', { by: 'call' });
    seen.push('outer goes on');
  });
  await Promise.resolve();
  expect(seen).toEqual(['on initialized validating', 'outer goes on', 'after validating']);
});

test('an undone move has no consequences, and the timers of its previous state are set again', async () => {
  const seen: string[] = [];
  const { clock, lifecycle, store, get } = bench({ afterMoved: (after) => void seen.push(after.state) });
  lifecycle.start(upload('u1', { expiresAt: iso(5000) }));
  const failing = (): void => {
    store.transact(() => {
      lifecycle.fire('u1', 'fileReceived', { by: 'call' });
      throw new Error('the outer work failed');
    });
  };
  expect(failing).toThrow('the outer work failed');
  await Promise.resolve();
  expect(clock.upcoming().map((due) => due.key)).toEqual(['upload:u1:expire']);
  await clock.advance(5000);
  expect(get('u1').state).toBe('expired');
  expect(seen).toEqual(['expired']);
});

test('onMoved that throws undoes the move', async () => {
  const { clock, lifecycle, get } = bench({
    onMoved: (_, after) => {
      if (after.state === 'validating') throw new Error('no disk');
    },
  });
  lifecycle.start(upload('u1', { expiresAt: iso(5000) }));
  expect(() => lifecycle.fire('u1', 'fileReceived', { by: 'call' })).toThrow('no disk');
  expect(get('u1').state).toBe('initialized');
  await clock.advance(5000);
  expect(get('u1').state).toBe('expired');
});

test('a record whose start is undone leaves no timer', async () => {
  const { clock, lifecycle, store } = bench();
  const failing = (): void => {
    store.transact(() => {
      lifecycle.start(upload('u1', { expiresAt: iso(5000) }));
      throw new Error('the outer work failed');
    });
  };
  expect(failing).toThrow('the outer work failed');
  await Promise.resolve();
  expect(clock.upcoming()).toEqual([]);
});

test('advancing time waits for the work that a move by the clock begins, and for what follows from it', async () => {
  const made = bench({
    afterMoved: async (after) => {
      if (after.state !== 'validated') return;
      await new Promise((resolve) => setImmediate(resolve));
      made.lifecycle.fire(after.id, 'failSave', { by: 'hand' });
    },
  });
  made.lifecycle.start(upload('u1', { lines: 1 }));
  made.lifecycle.fire('u1', 'fileReceived', { by: 'call' });
  await made.clock.advance(2000);
  expect(path(made.get('u1')).slice(2)).toEqual(['validated by clock at 2000', 'save_failed by hand at 2000']);
});

test('an afterMoved that fails is reported, and the move is kept', async () => {
  const reports: string[] = [];
  const { lifecycle, get, clock } = bench({
    afterMoved: () => Promise.reject(new Error('no worker')),
    onError: (error, label) => reports.push(`${label}: ${String(error)}`),
  });
  lifecycle.start(upload('u1'));
  lifecycle.fire('u1', 'fileReceived', { by: 'call' });
  await clock.advance(0);
  expect(reports).toEqual(['upload u1 after "fileReceived": Error: no worker']);
  expect(get('u1').state).toBe('validating');
});

test('fire returns the record as stored, even if a consequence moved it on', () => {
  const made = bench({
    onMoved: (_, after) => {
      if (after.state === 'validating') made.lifecycle.fire(after.id, 'checked', checked);
    },
  });
  made.lifecycle.start(upload('u1', { lines: 1 }));
  expect(made.lifecycle.fire('u1', 'fileReceived', { by: 'call' }).state).toBe('validated');
  expect(made.clock.upcoming().map((due) => due.key)).toEqual(['upload:u1:save']);
});

test('a restart at any time leads to the same histories as no restart', async () => {
  const act = fc.record({
    event: fc.constantFrom(...table.events),
    id: fc.constantFrom('a', 'b', 'c'),
    wait: fc.integer({ min: 0, max: 9000 }),
    restart: fc.boolean(),
  });
  const run = async (acts: readonly Act[], restarts: boolean): Promise<readonly Upload[]> => {
    const store = createMemoryStore();
    let now = start;
    let { clock, lifecycle } = bench({ store, clock: createClock({ wall: () => now }) });
    ['a', 'b', 'c'].forEach((id, index) =>
      lifecycle.start(upload(id, { lines: 1, validateOnly: id === 'c', expiresAt: iso(4000 * (index + 1)) })),
    );
    for (const { event, id, wait, restart } of acts) {
      try {
        lifecycle.fire(id, event, { by: event === 'fileReceived' ? 'call' : 'hand' });
      } catch (error) {
        if (!(error instanceof IllegalMove)) throw error;
      }
      if (restart && restarts) {
        const state = clock.state();
        clock.close();
        ({ clock, lifecycle } = bench({ store, clock: createClock({ state, wall: () => now }) }));
        now += wait;
        lifecycle.resume();
        await clock.advance(0);
      } else await clock.advance(wait);
    }
    clock.close();
    return [...store.collection.all()];
  };
  await fc.assert(
    fc.asyncProperty(fc.array(act, { maxLength: 12 }), async (acts) => {
      expect(await run(acts, true)).toEqual(await run(acts, false));
    }),
    { numRuns: 60 },
  );
});

/** A clock whose real timeouts are over when the test says so. */
function clockWithRetries(refusals: unknown[]) {
  const waiting: { readonly ms: number; readonly fn: () => void }[] = [];
  const clock: Clock = {
    ...createClock({ wall: () => start, onError: (error) => refusals.push(error) }),
    afterWall(ms, fn) {
      waiting.push({ ms, fn });
      return () => {};
    },
  };
  return {
    clock,
    retry(ms: number): void {
      const due = waiting.splice(0);
      expect(due.map((one) => one.ms)).toEqual([ms]);
      for (const { fn } of due) fn();
    },
  };
}

test('a move by the clock that the disk refuses ends no jump, and is tried again after a second', async () => {
  const store = createMemoryStore();
  let isFull = false;
  const refusals: unknown[] = [];
  const transact: typeof store.transact = (work) => {
    if (isFull) throw new Error('The disk is full.');
    return store.transact(work);
  };
  const { clock, retry } = clockWithRetries(refusals);
  const { lifecycle, get } = bench({ store: { ...store, transact }, clock });
  lifecycle.start(upload('u1', { expiresAt: iso(5_000) }));
  isFull = true;
  await clock.advance(60_000);
  expect([get('u1').state, clock.now() - start, refusals[0]]).toEqual([
    'initialized',
    60_000,
    new Error('The disk is full.'),
  ]);

  isFull = false;
  retry(1_000);
  await expect.poll(() => path(get('u1')).at(-1)).toBe('expired by clock at 5000');
});

test('a job whose result the disk refuses is done again after a second', async () => {
  const store = createMemoryStore();
  let isFull = true;
  const transact: typeof store.transact = (work) => {
    if (!isFull) return store.transact(work);
    isFull = false;
    throw new Error('The disk is full.');
  };
  const refusals: unknown[] = [];
  const { clock, retry } = clockWithRetries(refusals);
  let checks = 0;
  const lifecycle = createLifecycle<State, Event, Upload>({
    table: defineTable<State, Event, Upload>({
      kind: 'upload',
      initial: 'initialized',
      states: ['initialized', 'validated'],
      rows: [
        {
          from: 'initialized',
          event: 'checked',
          to: 'validated',
          by: ['clock'],
          after: { name: 'check', realistic: 0 },
          prepare: 'check',
          when: ({ lines }) => (lines === null ? 'the file is not checked yet' : null),
          why: 'The file was checked.',
          source,
        },
      ],
    }),
    collection: store.collection,
    store: { ...store, transact },
    clock,
    delays: () => 0,
    work: {
      queueOf: () => '',
      jobs: {
        check: () => {
          checks += 1;
          return Promise.resolve(checked);
        },
      },
    },
  });
  store.replace([upload('u1')]);
  lifecycle.resume();
  await expect.poll(() => refusals).toHaveLength(1);
  retry(1_000);
  await expect.poll(() => store.collection.get('u1')).toMatchObject({ state: 'validated', lines: 7 });
  expect([refusals, checks]).toEqual([[new Error('The disk is full.')], 2]);
});
