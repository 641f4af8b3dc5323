/** The formats of formats.ts for bytes. True only for texts that those formats accept too; false proves nothing. */
import { isUtcTimestamp } from '../../../../contract/formats.ts';
import { createFormats, type FormatName } from '../formats.ts';

/** Whether the ASCII text from `from` to before `to` has the format. */
export type ByteFormat = (b: Buffer, from: number, to: number) => boolean;

const ZERO = 0x30;

function isDigit(c: number | undefined): boolean {
  return c !== undefined && c >= ZERO && c <= 0x39;
}

/** The number in two digits; NaN if they are not a number. */
function two(b: Buffer, at: number): number {
  const [tens, ones] = [b[at] as number, b[at + 1] as number];
  return isDigit(tens) && isDigit(ones) ? (tens - ZERO) * 10 + ones - ZERO : Number.NaN;
}

/** `2026-01-31T09:30:00Z`, with or without a fraction; other ways to write a time are left to the full check. */
function isTimestamp(b: Buffer, from: number, to: number): boolean {
  const length = to - from;
  if (length < 20 || length > 30 || b[to - 1] !== 0x5a) return false;
  if (b[from + 4] !== 0x2d || b[from + 7] !== 0x2d || b[from + 10] !== 0x54) return false;
  if (b[from + 13] !== 0x3a || b[from + 16] !== 0x3a) return false;
  const [century, year, month, day] = [two(b, from), two(b, from + 2), two(b, from + 5), two(b, from + 8)];
  const isDate = century + year >= 0 && month >= 1 && month <= 12 && day >= 1 && day <= 31;
  if (!isDate || !(two(b, from + 11) <= 23 && two(b, from + 14) <= 59 && two(b, from + 17) <= 59)) return false;
  if (length > 20) {
    if (length === 21 || b[from + 19] !== 0x2e) return false;
    for (let at = from + 20; at < to - 1; at += 1) if (!isDigit(b[at])) return false;
  }
  return day <= 28 || isUtcTimestamp(b.toString('latin1', from, to));
}

function isDecimal(b: Buffer, from: number, to: number): boolean {
  let at = from;
  while (at < to && isDigit(b[at])) at += 1;
  if (at === from || at === to) return at === to && at > from;
  if (b[at] !== 0x2e || at + 1 === to) return false;
  for (at += 1; at < to; at += 1) if (!isDigit(b[at])) return false;
  return true;
}

/** Looks up each currency only once. */
function createCurrency(isCurrency: (text: string) => boolean): ByteFormat {
  const known = new Uint8Array(1 << 15);
  return (b, from, to) => {
    if (to - from !== 3) return false;
    const letters = [
      (b[from] as number) - 0x41,
      (b[from + 1] as number) - 0x41,
      (b[from + 2] as number) - 0x41,
    ] as const;
    if (letters.some((letter) => letter < 0 || letter > 25)) return false;
    const at = (letters[0] << 10) | (letters[1] << 5) | letters[2];
    if (known[at] === 1) return true;
    if (!isCurrency(b.toString('latin1', from, to))) return false;
    known[at] = 1;
    return true;
  };
}

/**
 * Links of one shop share scheme and host, after which everything but white space is allowed. So a link that begins
 * like the last valid one is not parsed again. Each field has its own function, because images are often on another
 * host.
 */
function createUrl(isUrl: (text: string) => boolean): ByteFormat {
  let host = new Uint8Array(0);
  return (b, from, to) => {
    const length = host.length;
    if (length > 0 && to - from >= length) {
      let at = 0;
      while (at < length && b[from + at] === host[at]) at += 1;
      if (at === length) return true;
    }
    const text = b.toString('latin1', from, to);
    if (!isUrl(text)) return false;
    const end = text.indexOf('/', 8);
    if (end > 0) host = Uint8Array.from(b.subarray(from, from + end + 1));
    return true;
  };
}

/** Creates the format for one field of the schema. The text must not have spaces. */
export function createByteFormat(name: FormatName): ByteFormat {
  const full = createFormats();
  if (name === 'http-url') return createUrl(full['http-url']);
  if (name === 'iso-4217') return createCurrency(full['iso-4217']);
  return name === 'decimal' ? isDecimal : isTimestamp;
}
