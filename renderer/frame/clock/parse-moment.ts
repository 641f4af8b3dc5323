const unitMs: { readonly [unit: string]: number } = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
};
const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const time = String.raw`(?:[ T,]+(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?)?`;
const isoForm = new RegExp(String.raw`^(\d{4})-(\d{1,2})-(\d{1,2})${time}\s*(Z|[+-]\d{2}:\d{2})?$`, 'i');
const wordForm = new RegExp(String.raw`^(\d{1,2})\.? ([a-z]{3})[a-z]*\.?,? (\d{4})${time}$`, 'i');

/**
 * A moment as people type it, in epoch milliseconds: `2026-12-24`, `2026-12-24 09:00`, `24 Dec 2026 9:00`, an ISO time
 * with its zone, a time of day (the next one), or a length from now such as `90m` or `+3d 4h`. Null for anything else.
 */
export function parseMoment(text: string, nowMs: number, zone: 'UTC' | 'local'): number | null {
  const typed = text.trim();
  const iso = isoForm.exec(typed);
  if (iso) {
    const [, year, month, day, hour, minute, second, offset] = iso;
    const at = toMs([year, month, day, hour, minute, second], offset === undefined ? zone : 'UTC');
    return at === null || offset === undefined || /^z$/i.test(offset) ? at : at - toOffset(offset);
  }
  const worded = wordForm.exec(typed);
  if (worded) {
    const [, day, name = '', year, hour, minute, second] = worded;
    const month = months.indexOf(name.toLowerCase()) + 1;
    return month === 0 ? null : toMs([year, String(month), day, hour, minute, second], zone);
  }
  const daytime = /^(\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?$/.exec(typed);
  if (daytime) return nextDaytime(daytime, nowMs, zone);
  const length = typed.replace(/^\+\s*/, '');
  // `M` could mean minutes or months, so it is not accepted.
  if (!/^(?:\d+(?:\.\d+)?\s*[smhdwSHDW]\s*)+$/.test(length)) return null;
  const parts = length.matchAll(/(\d+(?:\.\d+)?)\s*([smhdw])/gi);
  const at = [...parts].reduce(
    (sum, [, count, unit = '']) => sum + Number(count) * (unitMs[unit.toLowerCase()] ?? 0),
    nowMs,
  );
  // The sum may be beyond the range of `Date`.
  return Number.isNaN(new Date(at).getTime()) ? null : at;
}

/**
 * Returns a typed time of day that does not exist on its day, because the clocks go forward then: `02:30`. Null if it
 * exists.
 * @param at the result of `parseMoment` for the text
 */
export function toSkipped(text: string, at: number, zone: 'UTC' | 'local'): string | null {
  const typed = /(\d{1,2}):(\d{2})/.exec(text);
  if (!typed || zone === 'UTC' || /(?:z|[+-]\d{2}:\d{2})$/i.test(text.trim())) return null;
  const on = new Date(at);
  return on.getHours() === Number(typed[1]) && on.getMinutes() === Number(typed[2]) ? null : typed[0];
}

type Parts = readonly (string | undefined)[];

function toMs(parts: Parts, zone: 'UTC' | 'local'): number | null {
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts.map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second >= 60) return null;
  const ms = Math.round((second % 1) * 1_000);
  const isUtc = zone === 'UTC';
  const at = new Date(0);
  // `Date.UTC` would read the year 99 as 1999.
  if (isUtc) at.setUTCFullYear(year, month - 1, day);
  else at.setFullYear(year, month - 1, day);
  // Dates roll over: 30 February would be 2 March.
  const isReal = isUtc
    ? at.getUTCMonth() + 1 === month && at.getUTCDate() === day
    : at.getMonth() + 1 === month && at.getDate() === day;
  return isReal ? (isUtc ? at.setUTCHours(hour, minute, second, ms) : at.setHours(hour, minute, second, ms)) : null;
}

function nextDaytime([, hour, minute, second]: Parts, nowMs: number, zone: 'UTC' | 'local'): number | null {
  const on = (date: Parts): number | null => toMs([...date, hour, minute, second], zone);
  const today = on(toDate(nowMs, 0, zone));
  return today === null || today > nowMs ? today : on(toDate(nowMs, 1, zone));
}

/** Year, month and day, this many days after the day of the moment. */
function toDate(ms: number, daysLater: number, zone: 'UTC' | 'local'): Parts {
  const day = new Date(ms);
  if (zone === 'UTC') day.setUTCDate(day.getUTCDate() + daysLater);
  else day.setDate(day.getDate() + daysLater);
  const parts =
    zone === 'UTC'
      ? [day.getUTCFullYear(), day.getUTCMonth() + 1, day.getUTCDate()]
      : [day.getFullYear(), day.getMonth() + 1, day.getDate()];
  return parts.map(String);
}

function toOffset(text: string): number {
  const [hours = 0, minutes = 0] = text.slice(1).split(':').map(Number);
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
