/** The state of the virtual clock, as it is stored and as numbers. Pure: wall time is an argument. */
import { inBody, refuse } from '../rules.ts';
import { lastMoment, toIso } from './duration.ts';
import { fastest, timeRules } from './rules.ts';

/**
 * The stored state of the clock. It survives a restart, and time that passes meanwhile counts. Virtual time = anchor +
 * offsetMs + (wall - anchor) * rate, or `frozenAt` while time is frozen.
 */
export interface ClockState {
  readonly offsetMs: number;
  readonly frozenAt: string | null;
  readonly rate: number;
  /** The wall time, ISO, at which the offset was `offsetMs`. */
  readonly anchor: string;
}

/** The state of a clock that shows real time. */
export const realTime: ClockState = { offsetMs: 0, frozenAt: null, rate: 1, anchor: toIso(0) };

/** ClockState as numbers: epoch ms and ms. */
export interface Time {
  readonly anchor: number;
  readonly offset: number;
  readonly rate: number;
  readonly frozenAt: number | null;
}

/** Virtual epoch ms at `wall`, never outside the range of Date. */
export function timeAt(time: Time, wall: number): number {
  if (time.frozenAt !== null) return time.frozenAt;
  const shown = Math.floor(time.anchor + time.offset + (wall - time.anchor) * time.rate);
  return Math.max(-lastMoment, Math.min(lastMoment, shown));
}

/** A time that shows `ms` at the wall time `at`. Its rate counts from then. */
export function showingAt(ms: number, { rate, frozenAt }: Time, at: number): Time {
  const anchor = Math.floor(at);
  return { anchor, offset: ms - anchor, rate, frozenAt: frozenAt === null ? null : ms };
}

/** A time in its stored form. */
export function toState({ anchor, offset, rate, frozenAt }: Time): ClockState {
  return { offsetMs: offset, frozenAt: frozenAt === null ? null : toIso(frozenAt), rate, anchor: toIso(anchor) };
}

/** Reads a clock's state. Throws a RangeError that names the invalid part. */
export function toTime(state: ClockState): Time {
  if (!Number.isFinite(state.offsetMs))
    throw new RangeError(`The clock's offsetMs is ${state.offsetMs}, not a number.`);
  return {
    anchor: toMs(state.anchor, 'anchor'),
    offset: state.offsetMs,
    rate: checkRate(state.rate),
    frozenAt: state.frozenAt === null ? null : toMs(state.frozenAt, 'frozenAt'),
  };
}

function toMs(iso: string, name: string): number {
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) throw new RangeError(`The clock's ${name} is "${iso}", which is not an ISO 8601 time.`);
  return ms;
}

/** Returns `rate` if it is allowed, else refuses it by `time.rate`. */
export function checkRate(rate: number): number {
  if (rate > 0 && rate <= fastest) return rate;
  return refuse(timeRules.rate, inBody('/rate'), rate, { rate });
}

/**
 * Whole epoch ms if it is in the range of Date, else refuses it by `time.range`.
 * @param field the field that led to the moment, in the body of a request that moves the clock
 */
export function checkMoment(ms: number, field: 'advance' | 'set'): number {
  if (Math.abs(ms) <= lastMoment) return Math.floor(ms);
  return refuse(timeRules.range, inBody(`/${field}`), ms, { ms, last: toIso(lastMoment) });
}
