/** Durations as people write them, and times as records store them. Pure: nothing here reads a clock. */
import { inBody, refuse, type Place } from '../rules.ts';
import { hasMonths, timeRules } from './rules.ts';

const unitMs = { w: 604_800_000, d: 86_400_000, h: 3_600_000, m: 60_000, s: 1000, ms: 1 } as const;
type Unit = keyof typeof unitMs;

/** The last time in the range of Date, in epoch ms. */
export const lastMoment = 8_640_000_000_000_000;

/** Epoch ms → ISO 8601 in UTC. A time outside the range of Date becomes the first or the last one in it. */
export function toIso(ms: number): string {
  if (ms !== latest.ms) latest = { ms, text: new Date(clamp(ms)).toISOString() };
  return latest.text;
}

function clamp(ms: number): number {
  return Math.max(-lastMoment, Math.min(lastMoment, ms));
}

/**
 * The order of two ISO 8601 times, for a sort. As text, the years after 9999 (`+010000-…`) would come before all
 * others.
 */
export function byTime(one: string, other: string): number {
  return Date.parse(one) - Date.parse(other);
}

/** A cache of one text: a request asks for the text of the same time again and again. */
let latest = { ms: 0, text: new Date(0).toISOString() };

/** Whether `parseDuration` reads the text. */
export function isDuration(text: string): boolean {
  return isInRange(toMs(text));
}

/**
 * `30d`, `12h`, `5m`, `90s`, `1d12h`, `250ms`, `1.5h`, or ISO 8601 (`PT5M`, `P1DT12H`, `P2W`) → whole milliseconds.
 * @param place the place of the text, for a refusal
 * @throws Refusal `time.duration` for anything else, including ISO years and months, which have no fixed length
 */
export function parseDuration(text: string, place: Place = inBody('')): number {
  const ms = toMs(text);
  return isInRange(ms) ? Math.round(ms) : refuse(timeRules.duration, place, text, { text, isTooLong: ms !== null });
}

/** Null if the text is not a duration. */
function toMs(text: string): number | null {
  const compact = text.trim();
  return compact.startsWith('P') ? parseIso(compact) : parseShort(compact);
}

const isInRange = (ms: number | null): ms is number => ms !== null && ms <= lastMoment;

function parseShort(text: string): number | null {
  if (text === '0') return 0;
  if (hasMonths(text) || !/^(\d+(\.\d+)?\s*(ms|[wdhms])\s*)+$/i.test(text)) return null;
  let total = 0;
  for (const [, count, unit] of text.matchAll(/(\d+(?:\.\d+)?)\s*(ms|[wdhms])/gi)) {
    total += Number(count) * unitMs[unit?.toLowerCase() as Unit];
  }
  return total;
}

function parseIso(text: string): number | null {
  const found = /^P(?:([\d.]+)W)?(?:([\d.]+)D)?(?:T(?=\d)(?:([\d.]+)H)?(?:([\d.]+)M)?(?:([\d.]+)S)?)?$/.exec(text);
  if (!found || text === 'P') return null;
  const units: readonly Unit[] = ['w', 'd', 'h', 'm', 's'];
  const total = units.reduce((sum, unit, index) => sum + Number(found[index + 1] ?? 0) * unitMs[unit], 0);
  return Number.isNaN(total) ? null : total;
}

/** Whole milliseconds as people read them: `1 d 12 h`, `250 ms`. */
export function sayDuration(ms: number): string {
  return formatDuration(ms)
    .replaceAll(/([a-z])(\d)/g, '$1 $2')
    .replaceAll(/(\d)([a-z])/g, '$1 $2');
}

/**
 * Whole milliseconds → the shortest text that `parseDuration` reads back as the same length: `1d12h`, `250ms`, `0ms`.
 */
export function formatDuration(ms: number): string {
  if (!Number.isFinite(ms)) throw new RangeError(`${ms} is not a duration in milliseconds.`);
  let rest = Math.round(Math.abs(ms));
  if (rest === 0) return '0ms';
  let text = ms < 0 ? '-' : '';
  for (const unit of ['d', 'h', 'm', 's', 'ms'] as const) {
    const count = Math.floor(rest / unitMs[unit]);
    if (count > 0) text += `${count}${unit}`;
    rest -= count * unitMs[unit];
  }
  return text;
}
