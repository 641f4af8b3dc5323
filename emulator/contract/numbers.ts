/** Numbers of a JSON text that JavaScript, like most programs, reads as other numbers. */
import { readTokens, type Tokens } from './json-tokens.ts';

/** Exponents of three digits: the first one only in large numbers, the second one in small numbers too. */
const largeExponent = /\d[eE]\+?\d{3}/;
const longExponent = /\d[eE][+-]?\d{3}/;

/**
 * Whether a text may have a number that is read as another one. A cheap test, because hardly any text has one. Digits
 * inside strings count too.
 */
export function mayChange(text: string): boolean {
  return longExponent.test(text) || hasDigits(text, 16);
}

/**
 * Whether a text may have a number that is too large: only an exponent of three digits, or hundreds of digits, can
 * exceed the largest number.
 */
export function mayBeInfinite(text: string): boolean {
  return largeExponent.test(text) || hasDigits(text, 309);
}

/**
 * Whether a text has `count` digits in a row, or one less with a decimal point. Looks for them only around every
 * `count`th character, because every such row covers one.
 */
function hasDigits(text: string, count: number): boolean {
  for (let at = count - 1; at < text.length; at += count) {
    if (!isOfNumber(text, at)) continue;
    let [start, end] = [at, at + 1];
    while (isOfNumber(text, start - 1)) start -= 1;
    while (isOfNumber(text, end) && end - start < count) end += 1;
    if (end - start >= count) return true;
  }
  return false;
}

function isOfNumber(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return (code >= 0x30 && code <= 0x39) || code === 0x2e;
}

/** A number, or the opening quote of a string. */
const signs = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Notes about at most this many numbers: a person does not read more. */
const mostTold = 20;

const cut = (digits: string): string => (digits.length > 40 ? `${digits.slice(0, 40)}…` : digits);

/**
 * The number that is read instead of the one sent, if that is beyond 2^53, has too many digits or is too small; null
 * otherwise.
 */
export function readAs(sent: string): string | null {
  const number = Number(sent);
  if (!Number.isFinite(number)) return null;
  if (/^-?\d+$/.test(sent))
    return sent.length < 16 || BigInt(number) === BigInt(sent) ? null : BigInt(number).toString();
  const digits = digitsOf(sent);
  if (number === 0) return digits === '' ? null : '0';
  // Programs write at most 17 digits of a number of 64 bits, and those are kept.
  const kept =
    digits.length <= 17 ? digitsOf(number.toPrecision(Math.max(1, digits.length))) : digitsOf(String(number));
  return kept === digits ? null : String(number);
}

/** The digits of a number from the first to the last that is not zero. */
function digitsOf(number: string): string {
  const [digits = ''] = number.toLowerCase().split('e');
  const [plain = ''] = /[1-9].*/.exec(digits.replaceAll(/[-.]/g, '')) ?? [];
  let end = plain.length;
  while (plain[end - 1] === '0') end -= 1;
  return plain.slice(0, end);
}

/**
 * Creates a function that notes a number, as it was sent, if it is read as another one: each number once, and at most
 * 20. It returns whether it would note more.
 * @param advice what to do about it, as a sentence after a space
 */
export function createNumberTeller(note: (remark: string) => void, advice = ''): (sent: string) => boolean {
  const told = new Set<string>();
  return (sent) => {
    if (told.size > mostTold) return false;
    const read = told.has(sent) ? null : readAs(sent);
    if (read === null) return true;
    told.add(sent);
    const isLast = told.size > mostTold;
    note(
      isLast
        ? `More numbers lose digits; the first ${mostTold} are named.`
        : `The number ${cut(sent)} was read as ${cut(read)}: a number keeps about 16 digits.${advice}`,
    );
    return !isLast;
  };
}

/** Notes each number in a valid JSON text that is read as another one, as `createNumberTeller` does. */
export function* tellChangedNumbers(text: string, note: (remark: string) => void): Generator<void, void, void> {
  const tell = createNumberTeller(note, ' Where any value is taken, a text keeps all of them.');
  const tokens = readTokens(text, signs);
  while (tokens.next()) {
    yield;
    if (isText(text, tokens.start)) continue;
    if (!tell(text.slice(tokens.start, tokens.end))) return;
  }
}

/** The first number that is too large to be stored as a number, as it was sent; null if there is none. */
export function* findInfinite(text: string): Generator<void, string | null, void> {
  const tokens = readTokens(text, signs);
  while (tokens.next()) {
    if (isInfinite(text, tokens)) return text.slice(tokens.start, tokens.end);
    yield;
  }
  return null;
}

function isInfinite(text: string, { start, end }: Tokens): boolean {
  return !isText(text, start) && !Number.isFinite(Number(text.slice(start, end)));
}

const isText = (json: string, start: number): boolean => json[start] === '"';

/** The JSON text with each number that is too large in quotes: `1e400` → `"1e400"`. */
export function quoteInfinite(text: string): string {
  let quoted = '';
  let end = 0;
  const tokens = readTokens(text, signs);
  while (tokens.next()) {
    if (!isInfinite(text, tokens)) continue;
    quoted += `${text.slice(end, tokens.start)}"${text.slice(tokens.start, tokens.end)}"`;
    end = tokens.end;
  }
  return quoted + text.slice(end);
}
