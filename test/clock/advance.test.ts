import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { createClock, type Clock, type ClockState } from '../../emulator/time/clock.ts';

const start = Date.parse('2025-01-01T00:00:00.000Z');
const standing = (): number => start;

interface Plan {
  readonly after: number;
  /** The delay of a timer that this one sets when it fires; null for none. */
  readonly again: number | null;
  readonly slow: boolean;
}

const plans = fc.array(
  fc.record({
    after: fc.integer({ min: 0, max: 50 }),
    again: fc.option(fc.integer({ min: -5, max: 30 })),
    slow: fc.boolean(),
  }),
  { maxLength: 25 },
);
const steps = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 5 });

async function run(plan: readonly Plan[], lengths: readonly number[]): Promise<readonly string[]> {
  const clock = createClock({ wall: standing });
  const seen: string[] = [];
  plan.forEach(({ after, again, slow }, index) => {
    clock.at(`${index}`, start + after, 'first', async () => {
      seen.push(`${index} at ${clock.now() - start}`);
      if (slow) await new Promise((resolve) => setImmediate(resolve));
      if (again === null) return;
      clock.at(`${index}+`, clock.now() + again, 'second', () => void seen.push(`${index}+ at ${clock.now() - start}`));
    });
  });
  for (const length of lengths) await clock.advance(length);
  clock.close();
  return seen;
}

/** The same by brute force: repeatedly fires the first due timer. */
function expected(plan: readonly Plan[], length: number): readonly string[] {
  const seen: string[] = [];
  let waiting = plan.map(({ after, again }, index) => ({ name: `${index}`, at: after, order: index, again }));
  let order = plan.length;
  let now = 0;
  for (;;) {
    const due = waiting.filter((timer) => timer.at <= length);
    const next = due.sort((a, b) => a.at - b.at || a.order - b.order)[0];
    if (!next) return seen;
    waiting = waiting.filter((timer) => timer !== next);
    now = Math.max(now, next.at);
    seen.push(`${next.name} at ${now}`);
    if (next.again !== null) waiting.push({ name: `${next.name}+`, at: now + next.again, order: order++, again: null });
  }
}

test('many short advances fire what one long advance fires, in the same order and at the same times', async () => {
  await fc.assert(
    fc.asyncProperty(plans, steps, async (plan, lengths) => {
      const whole = lengths.reduce((sum, length) => sum + length, 0);
      const once = await run(plan, [whole]);
      expect(once).toEqual(expected(plan, whole));
      expect(await run(plan, lengths)).toEqual(once);
    }),
    { numRuns: 150 },
  );
});

test('a restored state shows the same time, at once and after any wall time', () => {
  const act = fc.oneof(
    fc.record({ rate: fc.double({ min: 0.001, max: 1e6, noNaN: true }) }),
    fc.record({ freeze: fc.boolean() }),
    fc.record({ pass: fc.integer({ min: 0, max: 1e9 }) }),
  );
  fc.assert(
    fc.property(fc.array(act, { maxLength: 10 }), fc.integer({ min: 0, max: 1e9 }), (acts, later) => {
      let now = start;
      const clock = createClock({ wall: () => now });
      for (const one of acts) {
        const before = clock.now();
        if ('rate' in one) clock.rate(one.rate);
        else if ('freeze' in one) clock.freeze(one.freeze);
        else now += one.pass;
        expect(clock.now()).toBeGreaterThanOrEqual(before);
      }
      const state = JSON.parse(JSON.stringify(clock.state())) as ClockState;
      const other = createClock({ wall: () => now, state });
      expect(other.now()).toBe(clock.now());
      expect(other.mode()).toBe(clock.mode());
      now += later;
      expect(other.now()).toBe(clock.now());
    }),
  );
});

function clockWithLog(onError?: (error: unknown, label: string) => void): {
  clock: Clock;
  log: string[];
  note: (key: string, after: number) => void;
} {
  const clock = createClock({ wall: standing, onError });
  const log: string[] = [];
  const note = (key: string, after: number): void =>
    clock.at(key, start + after, `label of ${key}`, () => void log.push(`${key}@${clock.now() - start}`));
  return { clock, log, note };
}

test('advance ends at its target and returns what fired', async () => {
  const { clock, note } = clockWithLog();
  note('late', 2000);
  note('soon', 500);
  expect((await clock.advance(1000)).fired).toEqual([{ key: 'soon', at: start + 500, label: 'label of soon' }]);
  expect(clock.now()).toBe(start + 1000);
  expect(clock.upcoming()).toEqual([{ key: 'late', at: start + 2000, label: 'label of late' }]);
});

test('a timer with the same key replaces the earlier one, a cancelled one does not fire', async () => {
  const { clock, log, note } = clockWithLog();
  note('a', 100);
  note('b', 200);
  note('a', 300);
  clock.cancel('b');
  clock.cancel('unknown');
  await clock.advance(1000);
  expect(log).toEqual(['a@300']);
});

test('concurrent advances run one after the other', async () => {
  const { clock, log, note } = clockWithLog();
  clock.at('slow', start + 10, 'slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    log.push(`slow@${clock.now() - start}`);
  });
  note('next', 30);
  const both = await Promise.all([clock.advance(20), clock.advance(20)]);
  expect(log).toEqual(['slow@10', 'next@30']);
  expect(both.map(({ fired }) => fired.map((due) => due.key))).toEqual([['slow'], ['next']]);
  expect(clock.now()).toBe(start + 40);
});

test('set forward fires what is due in between, set backward fires nothing and keeps the due times', async () => {
  const { clock, log, note } = clockWithLog();
  note('a', 100);
  note('b', 200);
  await clock.set(start + 150);
  expect((await clock.set(start - 1000)).fired).toEqual([]);
  expect(clock.now()).toBe(start - 1000);
  await clock.advance(1199);
  expect(log).toEqual(['a@100']);
  await clock.advance(1);
  expect(log).toEqual(['a@100', 'b@200']);
});

test('overdue timers do not fire during a step back, but in the next turn', async () => {
  const { clock, log, note } = clockWithLog();
  note('overdue', -5000);
  expect((await clock.set(start - 1000)).fired).toEqual([]);
  expect(log).toEqual([]);
  await clock.advance(0);
  expect(log).toEqual(['overdue@-1000']);
});

test('nothing overdue starts while an advance is waiting for a slow timer', async () => {
  const { clock, log, note } = clockWithLog();
  clock.at('slow', start, 'slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 5));
    log.push('slow');
  });
  note('b', 0);
  await clock.advance(0);
  expect(log).toEqual(['slow', 'b@0']);
});

test('a timer that fails is reported and stops no other', async () => {
  const reports: string[] = [];
  const clock = createClock({ wall: standing, onError: (error, label) => reports.push(`${label}: ${String(error)}`) });
  const log: string[] = [];
  clock.at('a', start + 1, 'throws', () => {
    throw new Error('one');
  });
  clock.at('b', start + 2, 'rejects', () => Promise.reject(new Error('two')));
  clock.at('c', start + 3, 'works', () => void log.push('c'));
  await clock.advance(10);
  expect(reports).toEqual(['throws: Error: one', 'rejects: Error: two']);
  expect(log).toEqual(['c']);
});

test('a frozen clock advances by hand and stays frozen', async () => {
  let now = start;
  const clock = createClock({ wall: () => now });
  clock.freeze(true);
  now += 5000;
  expect(clock.now()).toBe(start);
  await clock.advance(700);
  now += 5000;
  expect([clock.now(), clock.mode(), clock.state().frozenAt]).toEqual([
    start + 700,
    'frozen',
    '2025-01-01T00:00:00.700Z',
  ]);
  clock.freeze(false);
  now += 1;
  expect([clock.now(), clock.mode()]).toEqual([start + 701, 'virtual']);
});

test('the mode tells real, virtual and frozen time apart', async () => {
  const clock = createClock({ wall: standing });
  expect(clock.mode()).toBe('real');
  clock.rate(60);
  expect(clock.mode()).toBe('virtual');
  clock.rate(1);
  expect(clock.mode()).toBe('real');
  await clock.advance(1);
  expect(clock.mode()).toBe('virtual');
  clock.freeze(true);
  expect(clock.mode()).toBe('frozen');
});

test('a restore during an advance ends it at the restored time', async () => {
  const { clock, log, note } = clockWithLog();
  const before = clock.state();
  clock.at('restores', start + 10, 'restores', () => clock.restore(before));
  note('later', 20);
  expect((await clock.advance(100)).fired.map((due) => due.key)).toEqual(['restores']);
  expect(clock.now()).toBe(start);
  expect(log).toEqual([]);
  await clock.advance(20);
  expect(log).toEqual(['later@20']);
});

test('the state taken while an advance fires is the time it shows', async () => {
  const { clock } = clockWithLog();
  const shown: number[] = [];
  clock.at('a', start + 10, 'a', () => void shown.push(createClock({ wall: standing, state: clock.state() }).now()));
  await clock.advance(100);
  expect(shown).toEqual([start + 10]);
});

test('each state is stored before it takes effect: jumps, freezes and rates, but not restores', async () => {
  const clock = createClock({ wall: standing });
  const kept: (readonly [kept: ClockState, present: ClockState])[] = [];
  clock.keepWith((state) => void kept.push([state, clock.state()]));
  await clock.advance(10);
  clock.freeze(true);
  clock.rate(2);
  clock.restore(clock.state());
  expect(
    kept.map(([state, present]) =>
      [state, present].map(({ offsetMs, frozenAt, rate }) => [offsetMs, frozenAt !== null, rate]),
    ),
  ).toEqual([
    [
      [0, false, 1],
      [0, false, 1],
    ],
    [
      [10, false, 1],
      [0, false, 1],
    ],
    [
      [10, true, 1],
      [10, false, 1],
    ],
    [
      [10, true, 2],
      [10, true, 1],
    ],
  ]);
});

test('a jump that is stopped before it moves time is not stored as one that is under way', async () => {
  const clock = createClock({ wall: standing });
  const kept: (readonly [shown: number, isJumping: boolean])[] = [];
  clock.keepWith((state, isJumping) => void kept.push([createClock({ wall: standing, state }).now(), isJumping]));
  // The jump waits for what started before it.
  await new Promise<void>((begun) => {
    clock.at('slow', start, 'slow', () => {
      begun();
      return new Promise(() => {});
    });
  });
  const jump = clock.advance(10);
  await new Promise((resolve) => setImmediate(resolve));
  expect(clock.stop()).toBe(true);
  expect(await jump).toEqual({ fired: [], failures: [], unkept: null, stopped: true });
  expect([clock.now(), clock.mode()]).toEqual([start, 'real']);
  expect(kept.at(-1)).toEqual([start, false]);
});

test('a jump whose end cannot be stored says so, time stays where it came to, and is stored later', async () => {
  const reports: string[] = [];
  const { clock, log, note } = clockWithLog((error, label) => reports.push(`${label}: ${String(error)}`));
  note('a', 5);
  let times = 0;
  const refused = new Error('no room');
  clock.keepWith(() => {
    times += 1;
    if (times > 1) throw refused;
  });
  expect(await clock.advance(10)).toMatchObject({ fired: [{ key: 'a' }], failures: [], unkept: refused });
  expect(clock.now()).toBe(start + 10);
  expect(reports).toEqual(['the clock: Error: no room']);
  const kept = new Promise((stored) => clock.keepWith((state, isJumping) => stored([state, isJumping])));
  expect(await kept).toEqual([clock.state(), false]);
  note('b', 17);
  expect(await clock.advance(10)).toMatchObject({ unkept: null });
  expect(clock.now()).toBe(start + 20);
  expect(log).toHaveLength(2);
});

test('invalid durations, times, rates and states are refused by name', async () => {
  const clock = createClock({ wall: standing });
  await expect(clock.advance(-1)).rejects.toThrow('Time cannot advance by -1 ms');
  await expect(clock.advance(NaN)).rejects.toThrow('NaN');
  await expect(clock.advance(1e17)).rejects.toThrow('Time cannot go so far');
  await expect(clock.set(NaN)).rejects.toThrow('Time cannot go so far');
  for (const rate of [0, -1, NaN, 1_000_001]) expect(() => clock.rate(rate)).toThrow(`rate ${rate}`);
  expect(() => clock.at('key', NaN, 'label', () => {})).toThrow('"key" cannot be due at NaN');
  expect(() => clock.restore({ ...clock.state(), anchor: 'noon' })).toThrow('anchor is "noon"');
  expect(clock.now()).toBe(start);
  await clock.advance(5);
  expect(clock.now()).toBe(start + 5);
});

test('ten thousand timers arm, list and fire in order', async () => {
  const clock = createClock({ wall: standing });
  const fired: number[] = [];
  // 7919 is prime to 10,007: every due time once, in no order.
  for (let n = 1; n <= 10_000; n++) {
    const after = (n * 7919) % 10_007;
    clock.at(`${n}`, start + after, 'one', () => void fired.push(after));
  }
  const upcoming = clock.upcoming().map((due) => due.at - start);
  expect(upcoming.slice(0, 3)).toEqual([1, 2, 3]);
  expect(upcoming).toHaveLength(10_000);
  await clock.advance(10_007);
  expect(fired).toEqual([...fired].sort((a, b) => a - b));
  expect(fired).toHaveLength(10_000);
});

test('an advance of running time is exact although a millisecond passes at each look at the real clock', async () => {
  let reads = 0;
  const clock = createClock({ wall: () => start + reads++ });
  await clock.advance(60_000);
  const { now, wall } = clock.reading();
  expect(now - wall).toBe(60_000);
});
