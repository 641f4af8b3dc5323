import type { DueView } from '../../../emulator/control/calls.ts';
import { toRepeatedOffset } from '../../format.ts';

/** The right end of the line. */
const horizonMs = 30 * 86_400_000;
/** Up to here the scale is nearly linear, beyond it logarithmic: 5 s are visibly apart from now, 30 d are in sight. */
const kneeMs = 20_000;

/** The place on the line of an event due in `aheadMs`: 0 is now, 100 is the horizon and everything beyond. */
export function toPlace(aheadMs: number): number {
  const within = Math.min(Math.max(aheadMs, 0), horizonMs);
  return (100 * Math.log1p(within / kneeMs)) / Math.log1p(horizonMs / kneeMs);
}

/** A mark for the due events at about one place of the line. */
export interface Mark {
  readonly place: number;
  /** Epoch ms of the last due event. */
  readonly at: number;
  readonly dues: readonly DueView[];
}

/** Marks from left to right; due events closer together than `apart` (percent) share one. */
export function toMarks(dues: readonly DueView[], nowMs: number, apart: number): readonly Mark[] {
  const marks: Mark[] = [];
  for (const due of dues) {
    const at = Date.parse(due.at);
    const place = toPlace(at - nowMs);
    const last = marks.at(-1);
    if (last && place - last.place < apart) marks[marks.length - 1] = { ...last, at, dues: [...last.dues, due] };
    else marks.push({ place, at, dues: [due] });
  }
  return marks;
}

const units = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
] as const;

/** A length of time in its two largest units: `9 d 10 h`, `4 m 58 s`; `0 s` for less than a second. */
export function toLength(ms: number): string {
  let rest = Math.abs(ms);
  const parts = units.flatMap(([unit, size]) => {
    const count = Math.floor(rest / size);
    rest -= count * size;
    return count > 0 ? [`${count} ${unit}`] : [];
  });
  return parts.slice(0, 2).join(' ') || '0 s';
}

/** `Mon 30 Nov 2026, 14:02:23`. */
export function toClockFace(ms: number, zone: 'UTC' | 'local'): string {
  const parts = new Intl.DateTimeFormat('en-US', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    ...(zone === 'UTC' ? { timeZone: 'UTC' } : {}),
  }).formatToParts(ms);
  const of = (type: Intl.DateTimeFormatPartTypes): string => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('weekday')} ${of('day')} ${of('month')} ${of('year')}, ${of('hour')}:${of('minute')}:${of('second')}${toRepeatedOffset(ms, zone)}`;
}
