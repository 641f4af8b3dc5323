import { isAscii, isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import type { ParseErrorCode } from 'jsonc-parser';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate } from 'node:zlib';
import { inBody, inHeader, refuse, toRefusal } from '../rules.ts';
import type { Clock } from '../time/clock.ts';
import { escapePointer } from '../contract/validate.ts';
import { createSlices } from '../time/slices.ts';
import { inputRules } from './input-rules.ts';
import { parseInSlices } from '../time/parse-slices.ts';

/**
 * Bodies are read here rather than by koa-body (which parses our forms, see oauth/) because the recorder needs the raw
 * bytes, invalid UTF-8 must be refused rather than repaired, and a JSON error must name its position
 * (docs/decisions/0004-json-bodies.md).
 */

const depthLimit = 64;

/**
 * Reads a request's bytes as they arrive.
 * @param limit bytes; more are refused with 413, and the connection closes after the answer
 * @param keep gets the bytes for the record, including those of a refused body
 */
export type ReadBody = (request: IncomingMessage, limit: number, keep: (bytes: Buffer) => void) => Promise<Buffer>;

/** A body that is being read. */
interface Reading {
  /** Rounds of the sweep without a byte. */
  silent: number;
  refuse(): void;
}

/** How often a sweep looks at each body before it counts as stalled. */
const roundsOfSilence = 10;

/**
 * Creates the reader of bodies. The server has no time limit of its own, because uploads may take hours: one timer
 * sweeps over the bodies that are being read, and those that stall are refused.
 * @param silenceMs real milliseconds without a byte after which reading stops
 */
export function createBodyReader(clock: Pick<Clock, 'afterWall'>, silenceMs = 30_000): ReadBody {
  const readings = new Set<Reading>();
  let isSweeping = false;

  const sweepLater = (): void => {
    isSweeping = true;
    clock.afterWall(silenceMs / roundsOfSilence, () => {
      isSweeping = false;
      for (const reading of readings) if (++reading.silent > roundsOfSilence) reading.refuse();
      if (readings.size > 0) sweepLater();
    });
  };

  return (request, limit, keep) =>
    new Promise((resolve, reject) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const take = (chunk: Buffer): void => {
        reading.silent = 0;
        size += chunk.length;
        chunks.push(chunk);
        if (size > limit) tooLarge();
      };
      const stop = (): Buffer => {
        readings.delete(reading);
        request.off('data', take).off('end', end);
        const only = chunks[0];
        const bytes = chunks.length === 1 && only ? only : Buffer.concat(chunks);
        keep(bytes);
        return bytes;
      };
      const end = (): void => resolve(stop());
      const tooLarge = (): void => {
        stop();
        request.resume();
        reject(toRefusal(inputRules.tooLarge, inBody(''), undefined, { limit }, { connection: 'close' }));
      };
      const reading: Reading = {
        silent: 0,
        refuse() {
          stop();
          const facts = { seconds: silenceMs / 1000 };
          reject(toRefusal(inputRules.tooSlow, inBody(''), undefined, facts, { connection: 'close' }));
        },
      };
      if (Number(request.headers['content-length'] ?? 0) > limit) return tooLarge();
      readings.add(reading);
      if (!isSweeping) sweepLater();
      request.on('data', take).on('end', end);
      // Also where the client closes the connection before its body is complete.
      request.once('error', (error) => {
        stop();
        reject(error);
      });
    });
}

const decompressors: {
  readonly [encoding: string]: (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;
} = {
  gzip: promisify(gunzip),
  'x-gzip': promisify(gunzip),
  deflate: promisify(inflate),
  br: promisify(brotliDecompress),
};

/** Decodes the content-encoding up to a limit: a gzip bomb is refused with 413. */
export async function decompress(bytes: Buffer, encoding: string | undefined, limit: number): Promise<Buffer> {
  if (encoding === undefined || encoding === '' || encoding.toLowerCase() === 'identity') return bytes;
  const place = inHeader('content-encoding');
  const decompressor = decompressors[encoding.trim().toLowerCase()];
  if (!decompressor) return refuse(inputRules.contentEncoding, place, encoding, { sent: encoding, failed: false });
  try {
    return await decompressor(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as { code?: string }).code === 'ERR_BUFFER_TOO_LARGE')
      return refuse(inputRules.tooLarge, inBody(''), undefined, { limit });
    return refuse(inputRules.contentEncoding, place, encoding, { sent: encoding, failed: true });
  }
}

/**
 * Parses JSON text strictly: UTF-8, at most 64 levels, no key that could change a prototype, errors with position. A
 * small text is parsed at once, a large one in slices.
 * @param limit the bytes that the operation reads; it also limits the number of lists and objects, because millions of
 *   empty ones take seconds and gigabytes to parse
 */
export function parseJson(bytes: Buffer, limit: number): unknown {
  // Characters of ASCII are one byte each, which is faster to read than UTF-8.
  const isPlain = isAscii(bytes);
  if (!isPlain && !isUtf8(bytes)) refuseNotUtf8(bytes);
  if (bytes.length > smallBytes || mayNestDeeply(bytes)) return parseLarge(bytes, limit);
  const text = bytes.toString(isPlain ? 'latin1' : 'utf8');
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuseNotJson(text);
  }
  if (unsafeNames.test(text)) refuseUnsafeKeys(value, '');
  const huge = hugeNumber.exec(text);
  if (huge) refuseInfinity(value, '', huge[0]);
  return value;
}

/** Bytes that are parsed in well under a millisecond. */
const smallBytes = 16 * 1024;
const unsafeNames = /__proto__|constructor|\\u/;
/** Only an exponent of three digits, or hundreds of digits, can exceed the largest number. */
const hugeNumber = /-?\d[\d.]*[eE]\+?\d{3,}|-?\d{309,}/;

/** The same in slices, between which other requests are answered. */
async function parseLarge(bytes: Buffer, limit: number): Promise<unknown> {
  await refuseBadShape(bytes, Math.ceil(limit / bytesPerContainer));
  let value: unknown;
  try {
    value = await parseInSlices(bytes);
  } catch {
    return refuseNotJson(bytes.toString('utf8'));
  }
  if (await find(bytes, unsafeNames)) refuseUnsafeKeys(value, '');
  const huge = await find(bytes, hugeNumber);
  if (huge) refuseInfinity(value, '', huge[0]);
  return value;
}

/** Bytes that are looked through before the event loop gets a turn: a few milliseconds. */
const sliceBytes = 512 * 1024;
/** More than the patterns need to be recognised, so that none is missed where two slices meet. */
const overlap = 1024;

/** The first match of a pattern of ASCII characters, sought in slices. */
async function find(bytes: Buffer, pattern: RegExp): Promise<RegExpExecArray | null> {
  const slice = createSlices(sliceBytes);
  for (let at = 0; at < bytes.length; at += sliceBytes) {
    const match = pattern.exec(bytes.toString('latin1', at, Math.min(bytes.length, at + sliceBytes + overlap)));
    if (match) return match;
    const turn = at + sliceBytes < bytes.length && slice(sliceBytes);
    if (turn) await turn;
  }
  return null;
}

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const openBracket = 0x5b;

/** A useful list or object takes at least this many bytes. */
const bytesPerContainer = 16;

/** How often a byte occurs, at most one more than `most`. */
function count(bytes: Buffer, byte: number, most: number): number {
  let found = 0;
  for (let at = bytes.indexOf(byte); at !== -1 && found <= most; at = bytes.indexOf(byte, at + 1)) found += 1;
  return found;
}

/** Few brackets cannot nest deeply, and native code counts them: 200,000 codes are one list. */
function mayNestDeeply(bytes: Buffer): boolean {
  return count(bytes, openBrace, depthLimit) + count(bytes, openBracket, depthLimit) > depthLimit;
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
      refuse(inputRules.tooDeep, inBody(''), undefined, { limit: depthLimit, offset: scan.at });
    if (scan.containers > most) refuse(inputRules.tooMany, inBody(''), undefined, { limit: most });
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

/** Goes on to `end`, or to the first byte at which nesting passes the limit. */
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

function refuseUnsafeKeys(value: unknown, pointer: string): void {
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    const at = `${pointer}/${escapePointer(key)}`;
    if (key === '__proto__' || key === 'constructor') refuse(inputRules.unsafeKey, inBody(at), inner, { key });
    refuseUnsafeKeys(inner, at);
  }
}

function refuseInfinity(value: unknown, pointer: string, text: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) refuse(inputRules.number, inBody(pointer), text, { text });
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) refuseInfinity(inner, `${pointer}/${escapePointer(key)}`, text);
}

function refuseNotUtf8(bytes: Buffer): never {
  // A binary search finds the shortest prefix that is not valid; a character cut by the prefix itself is no error.
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (isValidPrefix(bytes.subarray(0, middle))) good = middle;
    else bad = middle;
  }
  // The error is at the start of the character, not at the byte that made it invalid.
  while (!isUtf8(bytes.subarray(0, good))) good -= 1;
  const repaired = bytes.toString('latin1');
  return refuse(inputRules.notUtf8, inBody(''), undefined, { offset: good, repaired });
}

function isValidPrefix(bytes: Buffer): boolean {
  for (let cut = 0; cut <= 3 && cut <= bytes.length; cut++)
    if (isUtf8(bytes.subarray(0, bytes.length - cut))) return true;
  return false;
}

async function refuseNotJson(text: string): Promise<never> {
  const { parse, printParseErrorCode, visit } = await import('jsonc-parser');
  const options = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false };
  // Listing megabytes of errors would take seconds, so parsing stops at the first one.
  const first = firstError((onError) => visit(text, { onError }, options));
  const offset = first?.offset ?? text.length;
  const before = text.slice(0, offset).split('\n');
  const found = offset >= text.length ? 'the text ends' : `${JSON.stringify(text.slice(offset, offset + 12))} is there`;
  const code = first ? words(printParseErrorCode(first.code)) : 'an unknown token';
  return refuse(inputRules.notJson, inBody(''), undefined, {
    problem: `${code}, where ${found}`,
    line: before.length,
    column: (before.at(-1)?.length ?? 0) + 1,
    offset,
    repaired: text.length > longestRepaired ? null : JSON.stringify(parse(text, [], options) ?? {}),
  });
}

/** Characters of a broken body that are repaired for the fix. */
const longestRepaired = 256 * 1024;

function firstError(
  read: (onError: (code: ParseErrorCode, offset: number) => void) => void,
): { readonly code: ParseErrorCode; readonly offset: number } | null {
  let first: { readonly code: ParseErrorCode; readonly offset: number } | null = null;
  const enough = new Error('The first error is enough.');
  try {
    read((code, offset) => {
      first = { code, offset };
      throw enough;
    });
  } catch (error) {
    if (error !== enough) throw error;
  }
  return first;
}

function words(code: string): string {
  return code.replaceAll(/([a-z])([A-Z])/g, '$1 $2').toLowerCase();
}
