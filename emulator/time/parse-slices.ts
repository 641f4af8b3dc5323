import { createSlices } from './slices.ts';

/**
 * Parses JSON text of many megabytes without blocking the event loop. The members of long lists and objects are parsed
 * in groups, and long strings in parts; requests are answered in between. `JSON.parse` cannot be interrupted, and
 * parsers that can be are many times slower, so this code only divides the text for it. Pure.
 */

/** Bytes that are parsed or scanned at once: a few milliseconds. */
const pieceBytes = 512 * 1024;

const [quote, backslash, comma, letterU] = [0x22, 0x5c, 0x2c, 0x75];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/** The last byte of a value that can be divided, by its first byte. */
const closers = new Map([
  [quote, quote],
  [openBrace, closeBrace],
  [openBracket, closeBracket],
]);

/**
 * Parses valid UTF-8. The caller limits the nesting, because each level is one more pass over the bytes.
 * @throws SyntaxError as `JSON.parse` does, and TooManyNames
 */
export function parseInSlices(bytes: Buffer): Promise<unknown> {
  return parseRange(bytes, { from: 0, to: bytes.length }, createSlices(pieceBytes));
}

/** A text in UTF-8 without the byte order mark that some editors write before it. */
export function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * The most names in one object. The engine takes seconds, in one step, to enlarge an object with millions of names, and
 * again to list them; this many take a few milliseconds. An object that fits into a piece has fewer.
 */
export const mostNames = 100_000;

/** Thrown if an object of a JSON text has more names than `mostNames`. */
export class TooManyNames extends Error {
  constructor() {
    super(`An object has more than ${mostNames} names.`);
  }
}

const notJson = (): SyntaxError => new SyntaxError('This is not JSON.');

type Slice = ReturnType<typeof createSlices>;

async function parseRange(bytes: Buffer, range: Range, slice: Slice): Promise<unknown> {
  const { from, to } = await trim(bytes, range, slice);
  const opener = bytes[from];
  const closer = opener === undefined ? undefined : closers.get(opener);
  if (to - from <= pieceBytes || closer === undefined) {
    const turn = slice(to - from);
    if (turn) await turn;
    return JSON.parse(bytes.toString('utf8', from, to));
  }
  if (bytes[to - 1] !== closer) throw notJson();
  if (opener === quote) return parseText(bytes, { from, to }, slice);
  const members = await divide(bytes, { from: from + 1, to: to - 1 }, slice);
  return opener === openBracket ? parseList(bytes, members, slice) : parseObject(bytes, members, slice);
}

async function parseList(bytes: Buffer, groups: readonly Range[], slice: Slice): Promise<readonly unknown[]> {
  const list: unknown[] = [];
  for (const group of groups) {
    if (isLarge(group)) list.push(await parseRange(bytes, group, slice));
    else {
      for (const value of JSON.parse(`[${bytes.toString('utf8', group.from, group.to)}]`) as unknown[])
        list.push(value);
      const turn = slice(group.to - group.from);
      if (turn) await turn;
    }
  }
  return list;
}

async function parseObject(bytes: Buffer, groups: readonly Range[], slice: Slice): Promise<object> {
  const object = {};
  // Defined, not assigned: a member may be called __proto__, and the check of the names must see it.
  const define = (key: string, value: unknown): void =>
    void Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  let names = 0;
  for (const group of groups) {
    if (isLarge(group)) {
      const { name, value } = await member(bytes, group, slice);
      define(name, await parseRange(bytes, value, slice));
    } else {
      const part = JSON.parse(`{${bytes.toString('utf8', group.from, group.to)}}`) as object;
      const entries = Object.entries(part);
      names += entries.length;
      if (names > mostNames) throw new TooManyNames();
      for (const [key, value] of entries) define(key, value);
      const turn = slice(group.to - group.from);
      if (turn) await turn;
    }
  }
  return object;
}

/** Parses a string with its quotes, in parts. No part ends inside an escape or a character. */
async function parseText(bytes: Buffer, { from, to }: Range, slice: Slice): Promise<string> {
  const parts: string[] = [];
  const end = to - 1;
  for (let start = from + 1; start < end;) {
    let at = start;
    const pause = Math.min(end, start + pieceBytes);
    while (at < pause) at += bytes[at] === backslash ? (bytes[at + 1] === letterU ? 6 : 2) : 1;
    while (at < end && isInCharacter(bytes[at])) at += 1;
    if (at > end) throw notJson();
    parts.push(JSON.parse(`"${bytes.toString('utf8', start, at)}"`) as string);
    const turn = slice(at - start);
    if (turn) await turn;
    start = at;
  }
  return parts.join('');
}

/** Whether a group is larger than a piece. Such a group has only one member, see `divide`. */
const isLarge = ({ from, to }: Range): boolean => to - from > pieceBytes;

/** Splits `"name": value` into the name and the range of the value. */
async function member(
  bytes: Buffer,
  group: Range,
  slice: Slice,
): Promise<{ readonly name: string; readonly value: Range }> {
  const { from, to } = await trim(bytes, group, slice);
  let end = from + 1;
  while (end < to && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1;
  const name: unknown = JSON.parse(bytes.toString('utf8', from, end + 1));
  const { from: colon } = await trim(bytes, { from: end + 1, to }, slice);
  if (typeof name !== 'string' || bytes[colon] !== 0x3a) throw notJson();
  return { name, value: { from: colon + 1, to } };
}

/**
 * Divides the members between the brackets of a list or an object into groups of about one piece. A larger member is a
 * group by itself. Without members there are no groups.
 */
async function divide(bytes: Buffer, { from, to }: Range, slice: Slice): Promise<readonly Range[]> {
  const groups: Range[] = [];
  let [start, lastComma, depth, inText] = [from, -1, 0, false];
  const cut = async (end: number): Promise<void> => {
    const group = await trim(bytes, { from: start, to: end }, slice);
    if (group.from === group.to) throw notJson();
    groups.push(group);
    start = end + 1;
  };
  let at = from;
  while (at < to) {
    const pause = Math.min(to, at + pieceBytes);
    for (; at < pause; at++) {
      const byte = bytes[at];
      if (inText) {
        if (byte === backslash) at++;
        else if (byte === quote) inText = false;
      } else if (byte === quote) inText = true;
      else if (byte === openBrace || byte === openBracket) depth++;
      else if (byte === closeBrace || byte === closeBracket) {
        if (--depth < 0) throw notJson();
      } else if (byte === comma && depth === 0) {
        if (at - start > pieceBytes && lastComma > start) await cut(lastComma);
        if (at - start > pieceBytes) await cut(at);
        lastComma = at;
      }
    }
    const turn = slice(pieceBytes);
    if (turn) await turn;
  }
  if (depth !== 0 || inText || at > to) throw notJson();
  if (to - start > pieceBytes && lastComma > start) await cut(lastComma);
  const last = await trim(bytes, { from: start, to }, slice);
  const isEmpty = lastComma === -1 && last.from === last.to;
  if (!isEmpty) await cut(to);
  return groups;
}

/** Returns a range without the whitespace at both ends, which may be megabytes long. */
async function trim(bytes: Buffer, { from, to }: Range, slice: Slice): Promise<Range> {
  let [start, end] = [from, to];
  while (start < end && isSpace(bytes[start])) {
    start += 1;
    const turn = (start - from) % pieceBytes === 0 && slice(pieceBytes);
    if (turn) await turn;
  }
  while (end > start && isSpace(bytes[end - 1])) {
    end -= 1;
    const turn = (to - end) % pieceBytes === 0 && slice(pieceBytes);
    if (turn) await turn;
  }
  return { from: start, to: end };
}

/** Whether a byte of UTF-8 is not the first one of its character. */
function isInCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
