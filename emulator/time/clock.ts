/**
 * The one virtual clock. Everything the platform does later (codes, links, retries, states) uses it, so that a
 * developer can stop time, accelerate it, or jump thirty days. The only file that reads the wall clock or sets timers.
 */
import {
  checkMoment,
  checkRate,
  realTime,
  showingAt,
  timeAt,
  toState,
  toTime,
  type ClockState,
  type Time,
} from './clock-state.ts';
import { createDueQueue } from './due-queue.ts';
import { createJourney, type Due, type Journey, type Jump, type JumpProgress, type WorkBetween } from './journey.ts';
import { createWallTimers } from './wall-timers.ts';
import { traceOf } from '../errors.ts';
import { clearImmediate, clearTimeout, monotonic, nextTurn, setImmediate, setTimeout, wallNow } from '../globals.ts';

export type { Due, Jump, JumpProgress, WorkBetween } from './journey.ts';
export { realTime, type ClockState } from './clock-state.ts';
export { formatDuration, parseDuration, sayDuration, toIso } from './duration.ts';

/** `virtual`: the offset or the rate differs from real time. */
export type ClockMode = 'real' | 'virtual' | 'frozen';

export interface Clock {
  /** Virtual epoch ms. */
  now(): number;
  /** Real epoch ms. */
  wall(): number;
  /** Both times, from one reading. */
  reading(): { readonly now: number; readonly wall: number };
  /** Real ms from some start, fractional and never backwards: for measuring. */
  monotonic(): number;
  /**
   * Sets a timer; it replaces an earlier one with the same key. A timer set in the past fires in the next turn of the
   * event loop, even while time is frozen; never inside this call. In real time, timers start in due order and do not
   * wait for one another.
   */
  at(key: string, dueMs: number, label: string, fire: () => void | Promise<void>): void;
  cancel(key: string): void;
  /** The waiting timers in due order; those due at the same time in the order in which they were set. */
  upcoming(): readonly Due[];
  /**
   * Moves time by exactly `ms`, and returns the timers that fired. The timers due in that period, including those set
   * meanwhile, fire in due order, each at its own time and awaited. Time that is not frozen continues meanwhile. Calls
   * run one after the other, so a timer must not await one. Throws a RangeError for a negative length or a time outside
   * the range of Date.
   */
  advance(ms: number): Promise<Jump>;
  /** Forward: like `advance`, to exactly that time. Backward: nothing fires, timers keep their due times. */
  set(ms: number): Promise<Jump>;
  /** Ends a running jump at the time that it has reached. False if there is none. */
  stop(): boolean;
  /** The running jump; null if there is none. */
  jump(): JumpProgress | null;
  /** Sets the work for which a jump waits before it moves on. */
  waitFor(work: WorkBetween): void;
  freeze(frozen: boolean): void;
  /** Virtual ms per real ms, above 0 up to 1e6. */
  rate(n: number): void;
  /** Like `set` to real time; from then on time is neither frozen nor accelerated. */
  real(): Promise<Jump>;
  state(): ClockState;
  /**
   * Sets the clock to a state, and stops a running `advance`. Overdue timers fire in the next turn of the event loop.
   */
  restore(state: ClockState): void;
  /**
   * Sets the function that stores the clock's state. It is called with each new state before a jump, freeze or rate
   * takes effect. Before a jump fires anything, it is called with the current state and `isJumping`. If it throws,
   * nothing moves, and the caller gets the error. At the end of a jump a failed call is retried instead, because the
   * effects of the jump stay.
   */
  keepWith(keep: (state: ClockState, isJumping: boolean) => void): void;
  /** A real timeout that does not keep the process alive, unless asked to. Returns the function that cancels it. */
  afterWall(ms: number, fn: () => void, options?: { readonly keepsAlive: boolean }): () => void;
  /** A real pause; `close` ends it early. */
  sleepWall(ms: number): Promise<void>;
  mode(): ClockMode;
  /**
   * Removes all timers; timers set later are ignored. Resolves when a jump that was under way has ended. If the clock's
   * time could not be stored before, storing it is tried once more.
   */
  close(): Promise<void>;
}

export interface ClockOptions {
  readonly state?: ClockState | undefined;
  readonly wall?: (() => number) | undefined;
  /** Called when a timer fails; by default the process emits a warning. */
  readonly onError?: ((error: unknown, label: string) => void) | undefined;
  /** Called ten times per second during a longer jump, and with null at its end. */
  readonly onJump?: ((progress: JumpProgress | null) => void) | undefined;
}

interface Timer extends Due {
  readonly order: number;
  readonly fire: () => void | Promise<void>;
}

// The longest real timer: wall time may jump (suspend, time sync), and Node's timers are limited to 2^31 ms.
const longestSleepMs = 60_000;
/** Real ms of firing timers before the event loop gets a turn. */
const sliceMs = 10;
const progressMs = 100;
/** Real ms between attempts to store the clock's time. */
const retryMs = 1_000;

/** Creates a clock in `state`, by default on real time. */
export function createClock(options: ClockOptions = {}): Clock {
  const wall = options.wall ?? wallNow;
  const report = options.onError ?? warn;
  const timers = createDueQueue<Timer>();
  const wallTimers = createWallTimers(report);
  const inFlight = new Set<Promise<void>>();
  let time = toTime(options.state ?? realTime);
  /** The time that `now` shows while a jump fires timers; null at other times. */
  let held: number | null = null;
  let journey: Journey | null = null;
  let work: WorkBetween = { begin: () => {}, wait: () => null };
  let order = 0;
  let restores = 0;
  let closed = false;
  /** Whether the time at which a jump ended could not be stored yet. */
  let isUnkept = false;
  let keep: (state: ClockState, isJumping: boolean) => void = () => {};
  let turn: Promise<unknown> = Promise.resolve();
  let cancelWake: (() => void) | null = null;

  function now(): number {
    return held ?? timeAt(time, wall());
  }

  /** A state that shows `ms` at `at`, by default now, so that a new rate counts from then. */
  function showing(ms: number, from: Time = time, at = wall()): Time {
    return showingAt(ms, from, at);
  }

  function move(next: Time): void {
    keep(toState(next), held !== null);
    time = next;
    wake();
  }

  function wake(): void {
    cancelWake?.();
    cancelWake = null;
    const next = timers.first();
    if (!next || closed || held !== null) return;
    const wait = next.at - now();
    if (wait <= 0) {
      const immediate = setImmediate(fireOverdue).unref();
      cancelWake = () => clearImmediate(immediate);
    } else if (time.frozenAt === null) {
      const timeout = setTimeout(fireOverdue, Math.min(longestSleepMs, Math.ceil(wait / time.rate))).unref();
      cancelWake = () => clearTimeout(timeout);
    }
  }

  function fireOverdue(): void {
    const horizon = now();
    const newcomer = order;
    const began = monotonic();
    for (let next = timers.first(); next && next.at <= horizon && next.order < newcomer; next = timers.first()) {
      timers.remove(next.key);
      void fire(next);
      if (monotonic() - began > sliceMs) break;
    }
    wake();
  }

  function fire(timer: Timer, onFailed?: (error: unknown) => void): Promise<void> {
    const done: Promise<void> = run(timer, onFailed).finally(() => inFlight.delete(done));
    inFlight.add(done);
    return done;
  }

  async function run(timer: Timer, onFailed: ((error: unknown) => void) | undefined): Promise<void> {
    try {
      await timer.fire();
    } catch (error) {
      onFailed?.(error);
      report(error, timer.label);
    }
  }

  /** @param land returns the time at the end, from the target of the jump and the real times of its start and end */
  function travel(
    toTarget: (from: number) => number,
    land: (target: number, started: number, ended: number) => Time = (target) => showing(target),
  ): Promise<Jump> {
    const result = turn.then(async () => {
      if (closed) throw new Error('The clock is closed and cannot be moved.');
      const restoredBefore = restores;
      const present = createJourney(now());
      journey = present;
      const stopTelling = tellOf(present);
      try {
        // Timers that fired just before count as earlier: their consequences (a retry) may be due in this period.
        await Promise.race([Promise.all(inFlight), present.ended]);
        const started = wall();
        present.from = timeAt(time, started);
        const target = (present.to = toTarget(present.from));
        // If the state cannot be stored now, it could not be stored at the end either; so nothing fires.
        keep(toState(showing(now())), true);
        await fireUntil(present);
        if (restores === restoredBefore) {
          const landed = present.isEnded ? showing(now()) : land(target, started, wall());
          // Store it while the last timer's time is shown: the changes of that timer must not seem to be later than
          // this.
          present.unkept = keepOrLater(landed);
          time = landed;
          held = null;
          wake();
        }
      } catch (error) {
        held = null;
        wake();
        throw error;
      } finally {
        journey = null;
        stopTelling();
      }
      const { fired, failures, unkept } = present;
      return { fired, failures, unkept, stopped: present.isEnded };
    });
    turn = Promise.allSettled([result]);
    return result;
  }

  /**
   * Stores the time at which a jump ended. If that fails, the clock shows this time anyway, because the effects of the
   * jump exist. Storing is then retried each second. After a kill, the state with `isJumping` makes the next start
   * continue from the last change.
   * @returns the error; null if it is stored
   */
  function keepOrLater(landed: Time): unknown {
    try {
      keep(toState(landed), false);
      isUnkept = false;
      return null;
    } catch (error) {
      report(error, 'the clock');
      isUnkept = true;
      wallTimers.start(retryMs, () => void (held === null && keepOrLater(time)), null);
      return error;
    }
  }

  function tellOf(present: Journey): () => void {
    const { onJump } = options;
    if (!onJump) return () => {};
    let told = false;
    let cancel = (): void => {};
    const tell = (): void => {
      cancel = wallTimers.start(progressMs, tell, null).cancel;
      told = true;
      onJump(toProgress(present));
    };
    cancel = wallTimers.start(progressMs, tell, null).cancel;
    return () => {
      cancel();
      if (told) onJump(null);
    };
  }

  function toProgress({ from, to, fired }: Journey): JumpProgress {
    return { from, to, now: now(), fired: fired.length, left: timers.countUntil(to) };
  }

  async function fireUntil(present: Journey): Promise<void> {
    const { to, fired, failures, ended } = present;
    work.begin();
    if (to < now() || present.isEnded) return;
    let began = monotonic();
    held = now();
    wake();
    while (!present.isEnded) {
      const next = timers.first();
      if (!next || next.at > held) {
        const waiting = work.wait();
        if (waiting) {
          await Promise.race([waiting, ended]);
          began = monotonic();
          continue;
        }
      }
      if (!next || next.at > to) break;
      timers.remove(next.key);
      held = Math.max(held, next.at);
      fired.push(toDue(next));
      await Promise.race([fire(next, (error) => failures.push(error)), ended]);
      if (monotonic() - began > sliceMs) {
        await nextTurn();
        began = monotonic();
      }
    }
  }

  return {
    now,
    wall,
    reading() {
      const at = wall();
      return { now: held ?? timeAt(time, at), wall: at };
    },
    monotonic,
    at(key, dueMs, label, fire) {
      if (!Number.isFinite(dueMs)) throw new RangeError(`The timer "${key}" cannot be due at ${dueMs}; give epoch ms.`);
      if (closed) return;
      timers.add({ key, at: Math.ceil(dueMs), label, order: order++, fire });
      // Not needed if a timer that was first is now later: its wake-up is then only early, and checks again.
      if (timers.first()?.key === key) wake();
    },
    cancel: (key) => timers.remove(key),
    upcoming: () => timers.list().map(toDue),
    async advance(ms) {
      if (!(ms >= 0)) throw new RangeError(`Time cannot advance by ${ms} ms; give 0 or more, or use set to go back.`);
      // Time that is not frozen continued during the jump. This is added, so the clock is ahead by exactly `ms` more.
      return travel(
        (from) => checkMoment(from + ms, 'advance'),
        // One reading of the real clock for both: with two, a millisecond could pass between them.
        (target, started, ended) =>
          showing(time.frozenAt === null ? target + (ended - started) * time.rate : target, time, ended),
      );
    },
    async set(ms) {
      return travel(() => checkMoment(ms, 'set'));
    },
    stop() {
      journey?.end();
      return journey !== null;
    },
    jump: () => journey && toProgress(journey),
    waitFor(named) {
      work = named;
    },
    freeze(frozen) {
      const present = now();
      move(showing(present, { ...time, frozenAt: frozen ? present : null }));
    },
    rate(n) {
      move(showing(now(), { ...time, rate: checkRate(n) }));
    },
    async real() {
      return travel(wall, () => toTime(realTime));
    },
    state: () => toState(held === null ? time : showing(held)),
    restore(state) {
      time = toTime(state);
      held = null;
      restores += 1;
      // Work that is still running belongs to the earlier time.
      inFlight.clear();
      journey?.end();
      wake();
    },
    keepWith(given) {
      keep = given;
    },
    afterWall(ms, fn, options) {
      const { cancel, keepAlive } = wallTimers.start(ms, fn, null);
      if (options?.keepsAlive) keepAlive();
      return cancel;
    },
    sleepWall: (ms) =>
      new Promise((resolve) => {
        wallTimers.start(ms, resolve, resolve).keepAlive();
      }),
    mode() {
      if (time.frozenAt !== null) return 'frozen';
      return time.offset === 0 && time.rate === 1 ? 'real' : 'virtual';
    },
    async close() {
      closed = true;
      journey?.end();
      timers.clear();
      wallTimers.close();
      wake();
      await turn;
      // Try once more now, because there is no later retry.
      if (isUnkept) keepOrLater(time);
    },
  };
}

function toDue({ key, at, label }: Timer): Due {
  return { key, at, label };
}

function warn(error: unknown, label: string): void {
  process.emitWarning(`${label} failed: ${traceOf(error)}`, 'ClockWarning');
}
