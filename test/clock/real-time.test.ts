import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createClock, type Clock, type ClockOptions } from '../../emulator/time/clock.ts';

// The clock keeps the real timers, whatever a test replaces.
vi.hoisted(() => vi.resetModules());
vi.mock('../../emulator/globals.ts', async (load) => ({
  ...(await load<object>()),
  setTimeout: (fn: () => void, ms: number) => setTimeout(fn, ms),
  clearTimeout: (timeout: NodeJS.Timeout) => clearTimeout(timeout),
  setImmediate: (fn: () => void) => setImmediate(fn),
  clearImmediate: (immediate: NodeJS.Immediate) => clearImmediate(immediate),
  nextTurn: () => new Promise<void>((resolve) => setImmediate(resolve)),
  wallNow: () => Date.now(),
}));

const start = Date.parse('2025-01-01T00:00:00.000Z');
const day = 86_400_000;
let clock: Clock;
let log: string[];

function open(options: ClockOptions = {}): void {
  clock = createClock(options);
  log = [];
}

function note(key: string, after: number): void {
  clock.at(key, start + after, key, () => void log.push(`${key}@${Date.now() - start}`));
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'clearImmediate', 'Date'], now: start });
  open();
});

afterEach(() => {
  clock.close();
  const left = vi.getTimerCount();
  vi.useRealTimers();
  if (left > 0) throw new Error(`The closed clock left ${left} timers behind.`);
});

test('in real time one real timer is used for all, nearest first', async () => {
  note('b', 200);
  note('a', 100);
  note('c', 300);
  expect(vi.getTimerCount()).toBe(1);
  await vi.advanceTimersByTimeAsync(250);
  expect(log).toEqual(['a@100', 'b@200']);
});

test('a timer set in the past fires in the next turn, not inside the call', async () => {
  note('past', -5000);
  expect(log).toEqual([]);
  await vi.advanceTimersByTimeAsync(0);
  expect(log).toEqual(['past@0']);
});

test('a frozen clock fires only what is already due', async () => {
  clock.freeze(true);
  note('later', 10);
  note('now', 0);
  await vi.advanceTimersByTimeAsync(day);
  expect(log).toEqual([`now@0`]);
  clock.freeze(false);
  await vi.advanceTimersByTimeAsync(10);
  expect(log).toEqual(['now@0', `later@${day + 10}`]);
});

test('a rate shortens the wait', async () => {
  clock.rate(1000);
  note('a', 60_000);
  await vi.advanceTimersByTimeAsync(59);
  expect(log).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(log).toEqual(['a@60']);
  expect(clock.now()).toBe(start + 60_000);
});

test('a rate changed while a timer waits counts from now on', async () => {
  note('a', 10_000);
  await vi.advanceTimersByTimeAsync(5000);
  clock.rate(5);
  await vi.advanceTimersByTimeAsync(999);
  expect(log).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(log).toEqual(['a@6000']);
});

test('a wait longer than the longest real timer works', async () => {
  note('a', 30 * day);
  await vi.advanceTimersByTimeAsync(30 * day - 1);
  expect(log).toEqual([]);
  await vi.advanceTimersByTimeAsync(1);
  expect(log).toEqual([`a@${30 * day}`]);
});

test('a wall clock that steps forward is noticed within a minute', async () => {
  note('a', 10 * day);
  vi.setSystemTime(start + 11 * day);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(log).toHaveLength(1);
});

test('a slow timer does not delay others in real time', async () => {
  clock.at('slow', start + 10, 'slow', () => new Promise(() => {}));
  note('b', 20);
  await vi.advanceTimersByTimeAsync(20);
  expect(log).toEqual(['b@20']);
});

test('an advance first waits for timers that already started in real time', async () => {
  clock.at('slow', start + 10, 'slow', async () => {
    await new Promise((resolve) => setTimeout(resolve, 50));
    note('retry', 100);
  });
  await vi.advanceTimersByTimeAsync(10);
  const advanced = clock.advance(40);
  await vi.advanceTimersByTimeAsync(50);
  expect((await advanced).fired.map((due) => due.key)).toEqual(['retry']);
});

test('a timer can cancel another that is due at the same time', async () => {
  clock.at('a', start + 10, 'a', () => clock.cancel('b'));
  note('b', 10);
  note('c', 10);
  await vi.advanceTimersByTimeAsync(10);
  expect(log).toEqual(['c@10']);
});

test('a timer that sets itself again at once does not block the event loop', async () => {
  let count = 0;
  const again = (): void => {
    count += 1;
    if (count < 50) clock.at('again', start, 'again', again);
  };
  again();
  setImmediate(() => log.push(`after ${count}`));
  await vi.runAllTimersAsync();
  expect(count).toBe(50);
  expect(log).toEqual(['after 2']);
});

test('a failing timer in real time is reported', async () => {
  clock.close();
  const reports: string[] = [];
  open({ onError: (error, label) => reports.push(`${label}: ${String(error)}`) });
  clock.at('a', start, 'label', () => {
    throw new Error('no');
  });
  clock.afterWall(5, () => {
    throw new Error('neither');
  });
  await vi.advanceTimersByTimeAsync(10);
  expect(reports).toEqual(['label: Error: no', 'a timeout of 5 ms: Error: neither']);
});

test('without onError a failure is a warning of the process', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  clock.at('a', start, 'upload 1: expire', () => Promise.reject(new Error('no')));
  await vi.advanceTimersByTimeAsync(0);
  expect(warned.mock.calls.map(([text]) => String(text).split('\n')[0])).toEqual([
    'upload 1: expire failed: Error: no',
  ]);
  warned.mockRestore();
});

test('wall timeouts run in real time whatever the virtual clock does, and can be cancelled', async () => {
  clock.freeze(true);
  clock.afterWall(20, () => log.push('kept'));
  const cancel = clock.afterWall(20, () => log.push('cancelled'));
  cancel();
  cancel();
  const slept = clock.sleepWall(30).then(() => log.push('slept'));
  await vi.advanceTimersByTimeAsync(29);
  expect(log).toEqual(['kept']);
  await vi.advanceTimersByTimeAsync(1);
  await slept;
  expect(log).toEqual(['kept', 'slept']);
});

test('a wall timeout beyond the longest of Node waits too, and does not end at once', async () => {
  const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  clock.afterWall(100_000 * day, () => log.push('ended'));
  await vi.advanceTimersByTimeAsync(day);
  expect([log, warned.mock.calls]).toEqual([[], []]);
  warned.mockRestore();
});

test('close ends sleeps, removes timers and ignores new ones', async () => {
  note('a', 10);
  clock.afterWall(10, () => log.push('never'));
  const slept = clock.sleepWall(day);
  clock.close();
  note('b', 0);
  clock.afterWall(10, () => log.push('never'));
  await Promise.all([slept, clock.sleepWall(day)]);
  expect(vi.getTimerCount()).toBe(0);
  expect(clock.upcoming()).toEqual([]);
  await expect(clock.advance(1)).rejects.toThrow('closed');
  await vi.advanceTimersByTimeAsync(day);
  expect(log).toEqual([]);
});

test('after a restart the time that passed meanwhile counts', () => {
  clock.rate(10);
  const state = clock.state();
  vi.setSystemTime(start + 1000);
  expect(createClock({ state }).now()).toBe(start + 10_000);
});
