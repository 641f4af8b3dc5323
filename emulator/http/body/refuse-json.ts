import { isUtf8 } from 'node:buffer';
import { nameOfUnseen } from '../../contract/json-mistake.ts';
import { findPath } from '../../contract/find-path.ts';
import { toName, toPointer, valueAt } from '../../contract/pointer.ts';
import { withoutRepeated, type RepeatedName } from '../../contract/repeated-names.ts';
import { isProto } from '../../contract/unsafe-names.ts';
import { freeName, inBody, refuse, show } from '../../rules.ts';
import { createSlices, inSlices, type Steps } from '../../time/slices.ts';
import { correctJson } from './correct-json.ts';
import { guessEncoding, longestRepaired } from './guess-encoding.ts';
import { bodyRules } from './rules.ts';
import { strictRules } from '../strict-rules.ts';

/** The refusals of a body that is not JSON as the contract wants it, each with its place in the text. */

/** Refuses keys that can change a prototype. In steps, because a list may have millions of items. */
export function* refuseUnsafeKeys(value: unknown): Steps<void> {
  const path = isObject(value) ? yield* findPath(value, (key) => typeof key === 'string' && isProto(key)) : null;
  if (path === null) return;
  const [key, above] = [String(path.at(-1)), path.slice(0, -1)];
  const place = inBody(toPointer(path));
  const sent = valueAt(value, place.at);
  const siblings = new Set(Object.keys(valueAt(value, toPointer(above)) as object));
  const renamed = freeName(key.replaceAll('_', ''), siblings);
  const meant = { name: renamed, place: inBody(toPointer([...above, renamed])) };
  refuse(bodyRules.unsafeKey, place, sent, { key, meant, value: sent });
}

/** @param text the first number that is too large, as it was sent */
export function* refuseInfinity(value: unknown, text: string): Steps<void> {
  const isInfinite = (inner: unknown): boolean => typeof inner === 'number' && !Number.isFinite(inner);
  const path = isObject(value) ? yield* findPath(value, (_key, inner) => isInfinite(inner)) : [];
  if (path !== null) refuse(bodyRules.number, inBody(toPointer(path)), text, { text });
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Refuses the first of the repeated names of a text, if there is one. */
export function refuseRepeatedNames(value: unknown, text: string, repeated: readonly RepeatedName[]): void {
  const [first] = repeated;
  if (!first) return;
  const { pointer } = first;
  const repaired = text.length > longestRepaired ? null : withoutRepeated(text, repeated);
  refuse(strictRules.repeatedName, inBody(pointer), valueAt(value, pointer), { name: toName(pointer), repaired });
}

/** @param isDecompressed whether the bytes are the content of a compressed body */
export async function refuseNotUtf8(bytes: Buffer, isDecompressed: boolean): Promise<never> {
  const offset = await findNotUtf8(bytes);
  const guess = guessEncoding(bytes);
  const isCompressedTwice = isDecompressed && guess !== null && 'contentEncoding' in guess;
  return refuse(bodyRules.notUtf8, inBody(''), undefined, { offset, isCompressedTwice, guess });
}

/** Bytes that are scanned before the event loop gets a turn. */
const sliceBytes = 512 * 1024;

/**
 * The position of the first bytes that are not a character in UTF-8. It is searched for in slices: it may be at the end
 * of many megabytes.
 */
async function findNotUtf8(bytes: Buffer): Promise<number> {
  const slice = createSlices(sliceBytes);
  for (let start = 0; ;) {
    const part = bytes.subarray(start, start + sliceBytes);
    const valid = start + part.length < bytes.length ? validBytes(part) : null;
    if (valid === null) return start + firstInvalid(part);
    start += valid;
    const turn = slice(valid);
    if (turn) await turn;
  }
}

/**
 * A binary search finds the shortest prefix that is not valid; a character cut by the prefix itself is not an error.
 */
function firstInvalid(bytes: Buffer): number {
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    if (validBytes(bytes.subarray(0, middle)) !== null) good = middle;
    else bad = middle;
  }
  // The error is at the start of the character, not at the byte that made it invalid.
  while (!isUtf8(bytes.subarray(0, good))) good -= 1;
  return good;
}

/** The number of bytes in whole characters, if all are valid except a last character that is cut; else null. */
function validBytes(bytes: Buffer): number | null {
  for (let length = bytes.length; length >= Math.max(0, bytes.length - 3); length--)
    if (isUtf8(bytes.subarray(0, length))) return length;
  return null;
}

/**
 * Refuses a text that JSON.parse rejected. The mistake is searched for in slices: it may be at the end of many
 * megabytes.
 */
export async function refuseNotJson(text: string): Promise<never> {
  const advice = await inSlices(correctJson(text, longestRepaired));
  if (!advice) throw new Error('JSON.parse rejected a text that is JSON.');
  const { mistake, say, corrected } = advice;
  const { index: offset, line, column, expected } = mistake;
  const character = String.fromCodePoint(text.codePointAt(offset) ?? 0);
  // `show` writes out the characters that JSON escapes.
  const unseen = character > '\x7f' ? nameOfUnseen(character) : null;
  const found = offset === text.length ? 'it ends' : `${unseen ?? show(text.slice(offset, offset + 12))} is`;
  return refuse(bodyRules.notJson, inBody(''), undefined, {
    problem: `${found} where ${expected} is expected`,
    line,
    column,
    offset,
    say,
    corrected,
  });
}
