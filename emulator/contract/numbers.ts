/** Numbers of a JSON text that JavaScript, like most programs, reads as others. */
import { readTokens, type Tokens } from './json-tokens.ts';

/**
 * Whether a text may have a number that is read as another one, and one that is too large: cheap, because nearly no text
 * has. Also digits inside of texts match. No pattern starts again within a run of digits: that would take minutes for a
 * long one.
 */
export const mayChange = /(?<!\d)\d{16,}|\d[eE]\+?\d{3,}/;
/** Only an exponent of three digits, or hundreds of digits, can exceed the largest number. */
export const mayBeInfinite = /(?<!\d)\d{309,}|\d[eE]\+?\d{3,}/;

/** A number, or the start of a text. */
const signs = /"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** More than a person reads. */
const mostTold = 20;

const cut = (digits: string): string => (digits.length > 40 ? `${digits.slice(0, 40)}…` : digits);

/**
 * Tells of each whole number in a valid JSON text that loses digits, because it is beyond 2^53 and the nearest number
 * that can be stored is another one: of each once, and of at most 20.
 */
export function* tellChangedNumbers(text: string, note: (remark: string) => void): Generator<void, void, void> {
  const told = new Set<string>();
  const tokens = readTokens(text, signs);
  while (tokens.next()) {
    yield;
    if (isText(text, tokens.start)) continue;
    const sent = text.slice(tokens.start, tokens.end);
    if (!/^-?\d{16,}$/.test(sent) || told.has(sent) || !Number.isFinite(Number(sent))) continue;
    const read = BigInt(Number(sent));
    if (read === BigInt(sent)) continue;
    if (told.size >= mostTold) return note('More numbers lose digits; the first 20 are named.');
    told.add(sent);
    note(
      `The number ${cut(sent)} was read as ${cut(read.toString())}: a number keeps about 16 digits. Send a text to keep all of them.`,
    );
  }
}

/** The first number that is too large to be stored as one, as it was sent; null if there is none. */
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

/** The text with each number that is too large to be stored as one as a text: `1e400` → `"1e400"`. */
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
