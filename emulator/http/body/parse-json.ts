import { isAscii, isUtf8 } from 'node:buffer';
import { findRepeatedNames } from '../../contract/repeated-names.ts';
import { findInfinite, mayBeInfinite, mayChange, tellChangedNumbers } from '../../contract/numbers.ts';
import { inBody, refuse } from '../../rules.ts';
import { mostNames, parseInSlices, TooManyNames } from '../../time/parse-slices.ts';
import { atOnce, createSlices, inSlices } from '../../time/slices.ts';
import { bodyRules, bytesPerContainer } from './rules.ts';
import { count } from './count-bytes.ts';
import { longestRepaired } from './guess-encoding.ts';
import { refuseInfinity, refuseNotJson, refuseNotUtf8, refuseRepeatedNames, refuseUnsafeKeys } from './refuse-json.ts';

const depthLimit = 64;

export interface ParseOptions {
  /**
   * The bytes that the operation reads. It also limits the number of lists and objects, because millions of empty ones
   * take seconds and gigabytes to parse.
   */
  readonly limit: number;
  /** Whether an object may have a name only once. If not, only the last value is read, as everywhere. */
  readonly refuseRepeated: boolean;
  /** Whether the bytes are the content of a compressed body. */
  readonly isDecompressed?: boolean;
  /** Called with a sentence for each number that loses digits. */
  note(remark: string): void;
}

/**
 * Parses JSON text strictly: UTF-8, at most 64 levels, no key that could change a prototype, errors with position. For
 * most texts of more than 16 KB each step is done in slices, between which other requests are answered.
 */
export function parseJson(bytes: Buffer, options: ParseOptions): unknown {
  // ASCII characters are one byte each, and faster to read than UTF-8.
  const isPlain = isAscii(bytes);
  if (!isPlain && !isUtf8(bytes)) return refuseNotUtf8(bytes, options.isDecompressed === true);
  if (mayNestDeeply(bytes) || (bytes.length > smallBytes && !isPlainList(bytes))) return parseLarge(bytes, options);
  const text = bytes.toString(isPlain ? 'latin1' : 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuseNotJson(text);
  }
  const isUnsafe = unsafeNames.test(text);
  const mayDiffer = mayChange(text);
  // These checks take longer than parsing.
  if (bytes.length > smallBytes && (isUnsafe || mayDiffer || options.refuseRepeated)) return parseLarge(bytes, options);
  if (isUnsafe) atOnce(refuseUnsafeKeys(value));
  if (mayDiffer) {
    const infinite = mayBeInfinite(text) ? atOnce(findInfinite(text)) : null;
    if (infinite !== null) atOnce(refuseInfinity(value, infinite));
    atOnce(tellChangedNumbers(text, options.note));
  }
  if (options.refuseRepeated) refuseRepeatedNames(value, text, atOnce(findRepeatedNames(text)));
  return value;
}

/** Bytes that are parsed in well under a millisecond. */
const smallBytes = 16 * 1024;
const unsafeNames = /__proto__|\\u/;

/** The same in slices, between which other requests are answered. */
async function parseLarge(bytes: Buffer, { limit, refuseRepeated, note }: ParseOptions): Promise<unknown> {
  await refuseBadShape(bytes, Math.ceil(limit / bytesPerContainer));
  let value: unknown;
  try {
    value = await parseInSlices(bytes);
  } catch (error) {
    if (error instanceof TooManyNames) refuse(bodyRules.tooManyNames, inBody(''), undefined, { limit: mostNames });
    return refuseNotJson(bytes.toString('utf8'));
  }
  if (await has(bytes, (text) => unsafeNames.test(text))) await inSlices(refuseUnsafeKeys(value));
  const mayDiffer = await has(bytes, mayChange);
  if (!mayDiffer && !refuseRepeated) return value;
  const text = bytes.toString('utf8');
  if (mayDiffer) {
    const infinite = (await has(bytes, mayBeInfinite)) ? await inSlices(findInfinite(text)) : null;
    if (infinite !== null) await inSlices(refuseInfinity(value, infinite));
    await inSlices(tellChangedNumbers(text, note));
  }
  if (refuseRepeated) {
    const isRepairable = text.length <= longestRepaired;
    refuseRepeatedNames(value, text, await inSlices(findRepeatedNames(text, isRepairable ? Infinity : 1)));
  }
  return value;
}

/** Bytes that are scanned before the event loop gets a turn: a few milliseconds. */
const sliceBytes = 512 * 1024;
/** The overlap of two slices: more bytes than any pattern needs, so that none is missed where the slices meet. */
const overlap = 1024;

/**
 * Whether `isWanted` accepts a part of a text, which is searched in slices. Characters outside of ASCII do not matter.
 */
async function has(bytes: Buffer, isWanted: (text: string) => boolean): Promise<boolean> {
  const slice = createSlices(sliceBytes);
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    if (isWanted(bytes.toString('latin1', at, Math.min(bytes.length, at + sliceBytes + overlap)))) return true;
    const turn = at + sliceBytes < bytes.length && slice(sliceBytes);
    if (turn) await turn;
  }
  return false;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const openBracket = 0x5b;

/** Whether a text has enough brackets to nest deeply. Native code counts them; 200,000 codes are one list. */
function mayNestDeeply(bytes: Buffer): boolean {
  return count(bytes, openBrace, depthLimit) + count(bytes, openBracket, depthLimit) > depthLimit;
}

/**
 * The largest list that is parsed at once, in at most some 50 ms: texts and numbers are parsed several times faster
 * than lists, objects and names.
 */
const plainListBytes = 4 * 1024 * 1024;
const mostColons = 1_000;
const colon = 0x3a;

/**
 * Whether a text is mainly one list of texts or numbers, such as discount codes, which need not be parsed in slices.
 */
function isPlainList(bytes: Buffer): boolean {
  return bytes.length <= plainListBytes && !mayNestDeeply(bytes) && count(bytes, colon, mostColons) <= mostColons;
}

/**
 * Refuses nesting beyond the limit, and more than `most` lists and objects. A single pass over the bytes, in slices, so
 * that such input never reaches the parser.
 */
async function refuseBadShape(bytes: Buffer, most: number): Promise<void> {
  if (!mayNestDeeply(bytes)) return;
  const scan: Scan = { at: 0, depth: 0, containers: 0, inText: false };
  const slice = createSlices(sliceBytes);
  while (scan.at < bytes.length) {
    scanTo(Math.min(bytes.length, scan.at + sliceBytes), bytes, scan);
    if (scan.depth > depthLimit)
      refuse(bodyRules.tooDeep, inBody(''), undefined, { limit: depthLimit, offset: scan.at });
    if (scan.containers > most) refuse(bodyRules.tooMany, inBody(''), undefined, { limit: most });
    const turn = scan.at < bytes.length && slice(sliceBytes);
    if (turn) await turn;
  }
}

interface Scan {
  at: number;
  depth: number;
  containers: number;
  inText: boolean;
}

/** Scans up to `end`, or to the first byte at which nesting passes the limit. */
function scanTo(end: number, bytes: Buffer, scan: Scan): void {
  let { at, depth, containers, inText } = scan;
  for (; at < end; at++) {
    const byte = bytes[at];
    if (inText) {
      if (byte === backslash) at++;
      else if (byte === quote) inText = false;
    } else if (byte === quote) inText = true;
    else if (byte === openBrace || byte === openBracket) {
      containers++;
      if (++depth > depthLimit) break;
    } else if (byte === 0x7d || byte === 0x5d) depth--;
  }
  Object.assign(scan, { at, depth, containers, inText });
}
