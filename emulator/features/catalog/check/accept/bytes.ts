/**
 * Reads JSON in bytes without making values. Each function starts at a byte and returns the position after what it
 * read, or -1 if it is not certain that this is correct JSON. The caller has checked that the bytes are UTF-8.
 */

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** For each byte in a string: 0 if it is an ordinary one, 1 if it ends the loop. */
const STOPS = new Uint8Array(256).fill(1, 0, 0x20);
STOPS[QUOTE] = 1;
STOPS[BACKSLASH] = 1;

/** The same for a string of visible ASCII characters and spaces only. */
const STOPS_ASCII = Uint8Array.from(STOPS, (stop, byte) => (byte < 0x7f ? stop : 1));

/** The same without spaces. */
const STOPS_VISIBLE = Uint8Array.from(STOPS_ASCII, (stop, byte) => (byte === 0x20 ? 1 : stop));

/** Skips the white space between tokens. */
export function space(b: Uint8Array, p: number): number {
  let at = p;
  for (let c = b[at]; c === 0x20 || c === 0x0a || c === 0x0d || c === 0x09; c = b[at]) at += 1;
  return at;
}

function isHex(c: number | undefined): boolean {
  return c !== undefined && ((c >= 0x30 && c <= 0x39) || ((c | 0x20) >= 0x61 && (c | 0x20) <= 0x66));
}

/** Reads an escape, from its backslash on. */
function escape(b: Uint8Array, p: number): number {
  switch (b[p + 1]) {
    case QUOTE:
    case BACKSLASH:
    case 0x2f: // /
    case 0x62: // b
    case 0x66: // f
    case 0x6e: // n
    case 0x72: // r
    case 0x74: // t
      return p + 2;
    case 0x75: // u
      return isHex(b[p + 2]) && isHex(b[p + 3]) && isHex(b[p + 4]) && isHex(b[p + 5]) ? p + 6 : -1;
    default:
      return -1;
  }
}

/**
 * Reads a string of at most `max` characters, starting after its first quote.
 * @returns the position of its last quote
 */
export function text(b: Uint8Array, p: number, max: number): number {
  let at = p;
  let hasEscapes = false;
  for (;;) {
    while (STOPS[b[at] as number] === 0) at += 1;
    if (b[at] === QUOTE) break;
    if (b[at] !== BACKSLASH) return -1;
    hasEscapes = true;
    at = escape(b, at);
    if (at < 0) return -1;
  }
  // A character takes one byte or more, so only a text with too many bytes is counted.
  if (at - p <= max) return at;
  return hasEscapes || characters(b, p, at) > max ? -1 : at;
}

function characters(b: Uint8Array, from: number, to: number): number {
  let count = 0;
  for (let at = from; at < to; at += 1) if (((b[at] as number) & 0xc0) !== 0x80) count += 1;
  return count;
}

/** Like `text`, for ASCII without escapes: its bytes are its characters. */
export function ascii(b: Uint8Array, p: number, max: number): number {
  let at = p;
  while (STOPS_ASCII[b[at] as number] === 0) at += 1;
  return b[at] === QUOTE && at - p <= max ? at : -1;
}

/** Like `ascii`, without spaces. */
export function visible(b: Uint8Array, p: number, max: number): number {
  let at = p;
  while (STOPS_VISIBLE[b[at] as number] === 0) at += 1;
  return b[at] === QUOTE && at - p <= max ? at : -1;
}

function digits(b: Uint8Array, p: number): number {
  let at = p;
  for (let c = b[at] as number; c >= 0x30 && c <= 0x39; c = b[at] as number) at += 1;
  return at;
}

/** Reads an integer of at most 15 digits, without a sign, a fraction or an exponent. */
export function natural(b: Uint8Array, p: number): number {
  const end = digits(b, p);
  const length = end - p;
  if (length === 0 || length > 15 || (length > 1 && b[p] === 0x30)) return -1;
  const next = b[end] as number;
  return next === 0x2e || (next | 0x20) === 0x65 ? -1 : end;
}

/** Like `natural`, with a sign. */
export function integer(b: Uint8Array, p: number): number {
  return natural(b, b[p] === 0x2d ? p + 1 : p);
}

function number(b: Uint8Array, p: number): number {
  const from = b[p] === 0x2d ? p + 1 : p;
  let end = digits(b, from);
  if (end === from || (end - from > 1 && b[from] === 0x30)) return -1;
  if (b[end] === 0x2e) {
    const behind = digits(b, end + 1);
    if (behind === end + 1) return -1;
    end = behind;
  }
  if (((b[end] as number) | 0x20) !== 0x65) return end;
  const exponent = b[end + 1] === 0x2b || b[end + 1] === 0x2d ? end + 2 : end + 1;
  const behind = digits(b, exponent);
  return behind === exponent ? -1 : behind;
}

/** Reads an expected word in ASCII. */
function word(b: Uint8Array, p: number, expected: string): number {
  for (let i = 0; i < expected.length; i += 1) if (b[p + i] !== expected.charCodeAt(i)) return -1;
  return p + expected.length;
}

export function boolean(b: Uint8Array, p: number): number {
  return word(b, p, b[p] === 0x74 ? 'true' : 'false');
}

/** Deeper values are left to the full check. */
const MAX_DEPTH = 32;

/** Reads any value, for a field that the schema does not name. */
export function anyValue(b: Uint8Array, p: number, depth: number): number {
  const c = b[p];
  if (c === QUOTE) return behind(text(b, p + 1, Number.POSITIVE_INFINITY));
  if (c === 0x7b || c === 0x5b) return depth === MAX_DEPTH ? -1 : anyMembers(b, p, depth + 1, c === 0x7b);
  if (c === 0x74) return word(b, p, 'true');
  if (c === 0x66) return word(b, p, 'false');
  if (c === 0x6e) return word(b, p, 'null');
  return number(b, p);
}

function anyMembers(b: Uint8Array, p: number, depth: number, isObject: boolean): number {
  const close = isObject ? 0x7d : 0x5d;
  let at = space(b, p + 1);
  if (b[at] === close) return at + 1;
  for (;;) {
    if (isObject) {
      if (b[at] !== QUOTE) return -1;
      at = anyMember(b, at + 1, depth);
    } else at = anyValue(b, at, depth);
    if (at < 0) return -1;
    at = space(b, at);
    if (b[at] === close) return at + 1;
    if (b[at] !== 0x2c) return -1;
    at = space(b, at + 1);
  }
}

/**
 * Reads a member of an object, starting after the first quote of its name. A name with an escape is left to the full
 * check, because it may be the name of a field of the schema.
 */
export function anyMember(b: Uint8Array, p: number, depth: number): number {
  let at = p;
  while (STOPS[b[at] as number] === 0) at += 1;
  if (b[at] !== QUOTE) return -1;
  at = space(b, at + 1);
  return b[at] === 0x3a ? anyValue(b, space(b, at + 1), depth) : -1;
}

function behind(quote: number): number {
  return quote < 0 ? -1 : quote + 1;
}
