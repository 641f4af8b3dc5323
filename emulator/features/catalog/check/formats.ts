import { currencies } from './currencies.ts';

const TIMESTAMP = /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?(?:Z|\+00:?00)$/;
const DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

/**
 * A moment in ISO 8601, in UTC: section 2.1. Z, +00:00 and +0000 are UTC; every other offset is refused (assumed), even
 * though it names the same moment, because the specification says UTC.
 */
export function isUtcTimestamp(text: string): boolean {
  const match = TIMESTAMP.exec(text);
  if (match === null) return false;
  const year = Number(match[1]);
  const month = Number(match[2]);
  const day = Number(match[3]);
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return day >= 1 && day <= (month === 2 && !isLeap ? 28 : (DAYS[month - 1] ?? 0));
}

/** An absolute http or https URL: section 2.1. White space is refused, which URL parsers would escape in silence. */
export function isHttpUrl(text: string): boolean {
  return /^https?:\/\/[^\s/?#]\S*$/i.test(text) && URL.canParse(text);
}

/** A decimal number without sign, exponent or separators (assumed, section 2.1 says only string). */
export function isDecimal(text: string): boolean {
  return /^\d+(\.\d+)?$/.test(text);
}

/** A code of ISO 4217 in force, in capitals as the standard writes it. */
export function isCurrency(text: string): boolean {
  return currencies.has(text);
}

export const formats = {
  'http-url': isHttpUrl,
  'utc-timestamp': isUtcTimestamp,
  'iso-4217': isCurrency,
  decimal: isDecimal,
} as const;

export type FormatName = keyof typeof formats;
