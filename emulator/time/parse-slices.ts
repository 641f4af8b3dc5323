import { createSlices } from './slices.ts';

/**
 * Parses JSON text of many megabytes without holding the event loop: the members of long lists and objects are parsed in
 * groups, a long text in parts, and between them requests are answered. `JSON.parse` itself cannot be interrupted, and parsers that
 * can are many times slower, so only the division into groups is ours. Pure.
 */

/** Bytes that are parsed or looked through at once: a few milliseconds. */
const pieceBytes = 512 * 1024;
/** Lists in lists deeper than this are parsed at once: each level is one more pass over the bytes. */
const deepest = 6;

const [quote, backslash, comma, letterU] = [0x22, 0x5c, 0x2c, 0x75];
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d];

/**
 * The value of valid UTF-8.
 * @throws SyntaxError as `JSON.parse` does
 */
export async function parseInSlices(bytes: Buffer): Promise<unknown> {
  const whole = { from: 0, to: bytes.length };
  try {
    return await parseRange(bytes, whole, 0, createSlices(pieceBytes));
  } catch (error) {
    // What cannot be divided is refused, or taken, by the parser alone.
    if (error === undividable) return JSON.parse(bytes.toString('utf8'));
    throw error;
  }
}

interface Range {
  readonly from: number;
  readonly to: number;
}

const undividable = new Error('This is no list or object that can be divided.');

type Slice = ReturnType<typeof createSlices>;

async function parseRange(bytes: Buffer, range: Range, level: number, slice: Slice): Promise<unknown> {
  const { from, to } = trimmed(bytes, range);
  const opener = bytes[from];
  const closer = opener === openBrace ? closeBrace : closeBracket;
  if (to - from > pieceBytes && opener === quote && bytes[to - 1] === quote)
    return parseText(bytes, { from, to }, slice);
  const isContainer = (opener === openBrace || opener === openBracket) && bytes[to - 1] === closer;
  if (to - from <= pieceBytes || level === deepest || !isContainer) {
    const turn = slice(to - from);
    if (turn) await turn;
    return JSON.parse(bytes.toString('utf8', from, to));
  }
  const members = await divide(bytes, { from: from + 1, to: to - 1 }, slice);
  return opener === openBracket ? parseList(bytes, members, level, slice) : parseObject(bytes, members, level, slice);
}

async function parseList(
  bytes: Buffer,
  groups: readonly Range[],
  level: number,
  slice: Slice,
): Promise<readonly unknown[]> {
  const list: unknown[] = [];
  for (const group of groups) {
    if (isLarge(group)) list.push(await parseRange(bytes, group, level + 1, slice));
    else {
      for (const value of JSON.parse(`[${bytes.toString('utf8', group.from, group.to)}]`) as unknown[])
        list.push(value);
      const turn = slice(group.to - group.from);
      if (turn) await turn;
    }
  }
  return list;
}

async function parseObject(bytes: Buffer, groups: readonly Range[], level: number, slice: Slice): Promise<object> {
  const object = {};
  // Defined, not assigned: a member may be called __proto__, and the check of the names must see it.
  const define = (key: string, value: unknown): void =>
    void Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  for (const group of groups) {
    if (isLarge(group)) {
      const { name, value } = member(bytes, group);
      define(name, await parseRange(bytes, value, level + 1, slice));
    } else {
      const part = JSON.parse(`{${bytes.toString('utf8', group.from, group.to)}}`) as object;
      for (const [key, value] of Object.entries(part)) define(key, value);
      const turn = slice(group.to - group.from);
      if (turn) await turn;
    }
  }
  return object;
}

/** A text with its quotes. No part ends inside an escape or a character. */
async function parseText(bytes: Buffer, { from, to }: Range, slice: Slice): Promise<string> {
  const parts: string[] = [];
  const end = to - 1;
  for (let start = from + 1; start < end;) {
    let at = start;
    const pause = Math.min(end, start + pieceBytes);
    while (at < pause) at += bytes[at] === backslash ? (bytes[at + 1] === letterU ? 6 : 2) : 1;
    while (at < end && isInCharacter(bytes[at])) at += 1;
    if (at > end) throw undividable;
    parts.push(JSON.parse(`"${bytes.toString('utf8', start, at)}"`) as string);
    const turn = slice(at - start);
    if (turn) await turn;
    start = at;
  }
  return parts.join('');
}

/** A group that is large has one member: see `divide`. */
const isLarge = ({ from, to }: Range): boolean => to - from > pieceBytes;

/** `"name": value`, as a name and where the value is. */
function member(bytes: Buffer, group: Range): { readonly name: string; readonly value: Range } {
  const { from, to } = trimmed(bytes, group);
  let end = from + 1;
  while (end < to && bytes[end] !== quote) end += bytes[end] === backslash ? 2 : 1;
  const name: unknown = JSON.parse(bytes.toString('utf8', from, end + 1));
  let colon = end + 1;
  while (isSpace(bytes[colon])) colon += 1;
  if (typeof name !== 'string' || bytes[colon] !== 0x3a) throw undividable;
  return { name, value: { from: colon + 1, to } };
}

/** The members between the brackets of a list or an object in groups of about a piece; a larger member by itself. */
async function divide(bytes: Buffer, { from, to }: Range, slice: Slice): Promise<readonly Range[]> {
  const groups: Range[] = [];
  let [start, lastComma, depth, inText] = [from, -1, 0, false];
  const cut = (end: number): void => {
    const group = trimmed(bytes, { from: start, to: end });
    if (group.from === group.to) throw undividable;
    groups.push({ from: start, to: end });
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
        if (--depth < 0) throw undividable;
      } else if (byte === comma && depth === 0) {
        if (at - start > pieceBytes && lastComma > start) cut(lastComma);
        if (at - start > pieceBytes) cut(at);
        lastComma = at;
      }
    }
    const turn = slice(pieceBytes);
    if (turn) await turn;
  }
  if (depth !== 0 || inText || at > to) throw undividable;
  if (to - start > pieceBytes && lastComma > start) cut(lastComma);
  cut(to);
  return groups;
}

function trimmed(bytes: Buffer, { from, to }: Range): Range {
  let [start, end] = [from, to];
  while (start < end && isSpace(bytes[start])) start += 1;
  while (end > start && isSpace(bytes[end - 1])) end -= 1;
  return { from: start, to: end };
}

/** Whether a byte of UTF-8 is not the first one of its character. */
function isInCharacter(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
