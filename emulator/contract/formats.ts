/**
 * The text formats of the contract, as plain functions so that rules, schemas and the catalog check agree. Every
 * regular expression runs in linear time: none has nested or overlapping repetitions.
 */
import { currencies } from './currencies.ts';
import { isWebUrl } from './url.ts';

/** Section 4, Subscribe, 5: a plus sign followed by country code and digits, no separators; E.164 allows 15 digits. */
export function isE164(text: string): boolean {
  return /^\+[1-9]\d{6,14}$/.test(text);
}

/**
 * An address with one @, without spaces or invisible characters, whose domain has at least two labels of letters,
 * digits and hyphens, the last one with a letter; at most 254 characters (RFC 5321). Letters of other scripts are
 * letters (RFC 6531).
 */
export function isEmail(text: string): boolean {
  return (
    text.length <= 254 &&
    /^[^\s@\p{C}"(),:;<>[\]\\]+@(?:[\p{L}\p{M}\p{N}-]+\.)+[\p{L}\p{M}\p{N}-]*[\p{L}\p{M}][\p{L}\p{M}\p{N}-]*$/u.test(
      text,
    )
  );
}

/**
 * The extended form, `2026-01-31T12:00:00Z`, and the basic one, `20260131T120000Z`. Years outside of 0 to 9999 have a
 * sign and six digits, as the emulator writes them.
 */
const timestampText =
  /^(\d{4}|[+-]\d{6})(-?)(\d\d)\2(\d\d)T(\d\d)(:?)(\d\d)(?:\6(\d\d)(?:[.,](\d{1,30}))?)?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/**
 * Reads an ISO 8601 timestamp as clients send them: with Z, `+00:00`, `+0000` or `+00`, with or without fractions.
 * Without an offset it is UTC. Returns epoch milliseconds, or null if the text is not a valid point in time.
 */
export function toEpoch(text: string): number | null {
  const usual = isUsual(text) ? usualToEpoch(text) : null;
  if (usual !== null) return usual;
  const parts = timestampText.exec(text);
  if (!parts) return null;
  const [, year, , month, day, hour, , minute, second = '00', fraction = '', zone = 'Z'] = parts;
  const date = `${year}-${month}-${day}`;
  if (Number(second) > 59 || Number(hour) > 23 || Number(minute) > 59 || !isDay(date)) return null;
  const offset = zone.length === 1 ? 'Z' : `${zone.slice(0, 3)}:${zone.slice(3).replace(':', '') || '00'}`;
  const epoch = Date.parse(`${date}T${hour}:${minute}:${second}.${fraction.slice(0, 3).padEnd(3, '0')}${offset}`);
  return Number.isNaN(epoch) ? null : epoch;
}

/**
 * Whether the calendar has the day. Date.parse rolls 31 February over to March, so the date must come back unchanged.
 */
function isDay(date: string): boolean {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().slice(0, date.length) === date;
}

/**
 * The part of a day or a timestamp that does not exist, as a message: `there is no day 2027-02-29`. Null if every part
 * exists, or if the text has another form.
 */
export function sayNoSuchTime(text: string): string | null {
  const [, year, , month, day, hour = '00', , minute = '00', second = '00', , zone = 'Z'] =
    timestampText.exec(/^[\d+-]+$/.test(text) ? `${text}T00:00` : text) ?? [];
  if (year === undefined) return null;
  const date = `${year}-${month}-${day}`;
  if (!isDay(date)) return `there is no day ${date}`;
  // ISO 8601 had 24:00 as the end of a day. It is not accepted, but its meaning is clear.
  if (/^24(?:00){1,2}$/.test(`${hour}${minute}${second}`)) return null;
  if (Number(hour) > 23) return `there is no hour ${hour}`;
  if (Number(minute) > 59) return `there is no minute ${minute}`;
  if (Number(second) > 59) return `there is no second ${second}`;
  return toEpoch(text) === null && zone.length > 1 ? `there is no offset ${zone}` : null;
}

/** Whether a timestamp has an offset from UTC, such as Z. */
export function hasOffset(timestamp: string): boolean {
  return /(?:Z|T.*[+-]\d\d(?::?\d\d)?)$/i.test(timestamp);
}

/**
 * Whether a text is a timestamp that says that it is in UTC: with Z, `+00:00`, `+0000`, `+00`, or the same with the
 * minus sign of RFC 3339. Without an offset it may be a local time.
 */
export function isUtcTimestamp(text: string): boolean {
  return /(?:Z|[+-]00(?::?00)?)$/i.test(text) && toEpoch(text) !== null;
}

/** Whether a text has the punctuation of `2026-01-31T12:00:00.000Z`, which this program and most clients write. */
export function isUsual(text: string): boolean {
  return (
    text.length === 24 &&
    text.charCodeAt(4) === 0x2d &&
    text.charCodeAt(7) === 0x2d &&
    text.charCodeAt(10) === 0x54 &&
    text.charCodeAt(13) === 0x3a &&
    text.charCodeAt(16) === 0x3a &&
    text.charCodeAt(19) === 0x2e &&
    text.charCodeAt(23) === 0x5a
  );
}

/** Reads a timestamp of that form; null if it is not valid. `Date.parse` would take ten times as long. */
function usualToEpoch(text: string): number | null {
  const year = digitsAt(text, 0, 4);
  const month = digitsAt(text, 5, 2);
  const day = digitsAt(text, 8, 2);
  const hour = digitsAt(text, 11, 2);
  const minute = digitsAt(text, 14, 2);
  const second = digitsAt(text, 17, 2);
  const ms = digitsAt(text, 20, 3);
  // `Date.UTC` reads the years 0 to 99 as 1900 to 1999. NaN fails each comparison.
  const isInRange = year >= 100 && month >= 1 && month <= 12 && day >= 1 && hour <= 23 && minute <= 59 && second <= 59;
  if (!isInRange || !(ms >= 0) || day > daysIn(year, month)) return null;
  return Date.UTC(year, month - 1, day, hour, minute, second, ms);
}

/** The number in some digits of a text; NaN if there is anything else. */
function digitsAt(text: string, start: number, length: number): number {
  let number = 0;
  for (let at = start; at < start + length; at++) {
    const digit = text.charCodeAt(at) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/** An absolute http or https URL to send something to, without a user name or password. */
export function isHttpUrl(text: string): boolean {
  if (!isWebUrl(text)) return false;
  const url = new URL(text);
  return url.username === '' && url.password === '';
}

/** A whole number of at most 64 bits, written in digits. */
export function isInt64(text: string): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt.asIntN(64, BigInt(text)) === BigInt(text);
}

/**
 * The same for a number. The largest, 2^63 - 1, is read as 2^63, because a number keeps about 16 digits, so 2^63 itself
 * is accepted too.
 */
export function isInt64Number(number: number): boolean {
  return Number.isInteger(number) && Math.abs(number) <= 2 ** 63;
}

/** A decimal number of at least 0 in digits. */
export function isAmount(text: string): boolean {
  return /^\d+(?:\.\d+)?$/.test(text);
}

/** A time in the form that this program writes, including years beyond 9999. */
function isIsoTime(text: string): boolean {
  return /^(?:\d{4}|[+-]\d{6})-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text));
}

/** A code of ISO 4217 in force, in capitals as the standard writes it. */
export function isCurrency(text: string): boolean {
  return currencies.has(text);
}

/** Format name → check; schemas use these names in `format`. */
export const formats = {
  e164: isE164,
  email: isEmail,
  timestamp: (text: string) => toEpoch(text) !== null,
  'http-url': isHttpUrl,
  int64: isInt64,
  'date-time': isIsoTime,
  'iso-4217': isCurrency,
} as const satisfies { readonly [name: string]: (text: string) => boolean };
