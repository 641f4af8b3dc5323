const units: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const day = 86_400_000;

/** A span of time: `from` belongs to it, `to` does not. Epoch milliseconds. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/**
 * The span of a time in a filter: `10m` (that long ago), `today`, `yesterday`, `13:54`, `2026-11-30`,
 * `2026-11-30T13:54`. A date is the whole day, and a time the whole minute.
 * @param now on the virtual clock
 * @returns null for any other text
 */
export function toSpan(text: string, now: number, zone: 'UTC' | 'local'): Span | null {
  // `M` could mean minutes or months, so it is not accepted.
  const [, amount, unit] = /^(\d{1,6})([smhdSHD])$/.exec(text) ?? [];
  if (amount !== undefined) {
    const ago = now - Number(amount) * (units[unit?.toLowerCase() ?? ''] ?? 0);
    return { from: ago, to: ago };
  }
  const word = text.toLowerCase();
  if (word === 'today') return toDay(dateOf(now, zone), zone);
  if (word === 'yesterday') return toDay(daysAfter(dateOf(now, zone), -1), zone);
  const [, date = dateOf(now, zone), time] =
    /^(?:(\d{4}-\d\d-\d\d)(?:T|$))?(\d\d:\d\d(?::\d\d)?)?$/i.exec(text === '' ? 'none' : text) ?? [];
  if (time === undefined && date !== text) return null;
  const from = at(date, time ?? '00:00', zone);
  if (Number.isNaN(from)) return null;
  if (time === undefined) return toDay(date, zone);
  return { from, to: from + (time.length > 5 ? 1_000 : 60_000) };
}

/** From midnight to midnight, which is not 24 hours if the clocks change that day. */
const toDay = (date: string, zone: 'UTC' | 'local'): Span => ({
  from: at(date, '00:00', zone),
  to: at(daysAfter(date, 1), '00:00', zone),
});

const daysAfter = (date: string, days: number): string => dateOf(at(date, '00:00', 'UTC') + days * day, 'UTC');

const at = (date: string, time: string, zone: 'UTC' | 'local'): number =>
  Date.parse(`${date}T${time}${zone === 'UTC' ? 'Z' : ''}`);

function dateOf(ms: number, zone: 'UTC' | 'local'): string {
  const offset = zone === 'UTC' ? 0 : new Date(ms).getTimezoneOffset() * 60_000;
  return new Date(ms - offset).toISOString().slice(0, 10);
}
