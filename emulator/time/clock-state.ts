/** Where the virtual clock stands, as it is kept and as it is reckoned with. Pure: wall time comes in as an argument. */
import { lastMoment, toIso } from './duration.ts';

/**
 * Where the clock stands; it survives a restart, and time that passes meanwhile counts.
 * Virtual time = anchor + offsetMs + (wall - anchor) * rate, or `frozenAt` while time stands still.
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

/** Virtual epoch ms at `wall`, never beyond what a Date can name. */
export function timeAt(time: Time, wall: number): number {
  if (time.frozenAt !== null) return time.frozenAt;
  return Math.min(lastMoment, Math.floor(time.anchor + time.offset + (wall - time.anchor) * time.rate));
}

/** The same as it is kept. */
export function toState({ anchor, offset, rate, frozenAt }: Time): ClockState {
  return { offsetMs: offset, frozenAt: frozenAt === null ? null : toIso(frozenAt), rate, anchor: toIso(anchor) };
}

/** A RangeError names what does not read as a clock's state. */
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

/** `rate` if it may be one, else a RangeError. */
export function checkRate(rate: number): number {
  if (!(rate > 0 && rate <= 1_000_000))
    throw new RangeError(`Time cannot run at rate ${rate}; give above 0, up to 1e6.`);
  return rate;
}

/** Whole epoch ms if a Date can name it, else a RangeError. */
export function checkMoment(ms: number): number {
  if (!(Math.abs(ms) <= lastMoment))
    throw new RangeError(`Time cannot go to ${ms}; give epoch ms up to ${lastMoment}.`);
  return Math.floor(ms);
}
