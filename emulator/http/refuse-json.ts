import { isUtf8 } from 'node:buffer';
import { findJsonFault } from '../contract/json-fault.ts';
import { escapePointer, toName, valueAt } from '../contract/pointer.ts';
import { withoutRepeated, type RepeatedName } from '../contract/repeated-names.ts';
import { isUnsafeName } from '../contract/unsafe-names.ts';
import { freeName, inBody, refuse, show } from '../rules.ts';
import { inSlices } from '../time/slices.ts';
import { guessEncoding } from './guess-encoding.ts';
import { bodyRules } from './body-rules.ts';
import { strictRules } from './strict-rules.ts';

/** The refusals of a body that is no JSON as the contract wants it, each with its place in the text. */

export function refuseUnsafeKeys(value: unknown, pointer: string): void {
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) {
    const at = `${pointer}/${escapePointer(key)}`;
    if (isUnsafeName(key)) {
      const renamed = freeName(key.replaceAll('_', ''), new Set(Object.keys(value)));
      const meant = { name: renamed, place: inBody(`${pointer}/${escapePointer(renamed)}`) };
      refuse(bodyRules.unsafeKey, inBody(at), inner, { key, meant, value: inner });
    }
    refuseUnsafeKeys(inner, at);
  }
}

export function refuseInfinity(value: unknown, pointer: string, text: string): void {
  if (typeof value === 'number' && !Number.isFinite(value)) refuse(bodyRules.number, inBody(pointer), text, { text });
  if (value === null || typeof value !== 'object') return;
  for (const [key, inner] of Object.entries(value)) refuseInfinity(inner, `${pointer}/${escapePointer(key)}`, text);
}

/** Refuses the first of the repeated names of a text, if there is one. */
export function refuseRepeatedNames(value: unknown, text: string, repeated: readonly RepeatedName[]): void {
  const [first] = repeated;
  if (!first) return;
  const { pointer } = first;
  const repaired = text.length > longestRepaired ? null : withoutRepeated(text, repeated);
  refuse(strictRules.repeatedName, inBody(pointer), valueAt(value, pointer), { name: toName(pointer), repaired });
}

/** @param isDecompressed whether they are what a compressed body contained */
export function refuseNotUtf8(bytes: Buffer, isDecompressed: boolean): never {
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
  const guess = guessEncoding(bytes);
  const isCompressedTwice = isDecompressed && guess !== null && 'contentEncoding' in guess;
  return refuse(bodyRules.notUtf8, inBody(''), undefined, { offset: good, isCompressedTwice, guess });
}

function isValidPrefix(bytes: Buffer): boolean {
  for (let cut = 0; cut <= 3 && cut <= bytes.length; cut++)
    if (isUtf8(bytes.subarray(0, bytes.length - cut))) return true;
  return false;
}

/** Refuses a text that JSON.parse rejected. What is wrong is sought in slices: it may be at the end of many megabytes. */
export async function refuseNotJson(text: string): Promise<never> {
  const fault = await inSlices(findJsonFault(text));
  if (!fault) throw new Error('JSON.parse rejected a text that is JSON.');
  const { index: offset, line, column, expected } = fault;
  const found = offset === text.length ? 'it ends' : `${show(text.slice(offset, offset + 12))} is`;
  return refuse(bodyRules.notJson, inBody(''), undefined, {
    problem: `${found} where ${expected} is expected`,
    line,
    column,
    offset,
    repaired: text.length > longestRepaired ? null : await repair(text),
  });
}

/** Characters of a broken body that are repaired for the fix. */
export const longestRepaired = 256 * 1024;

/** The JSON that a broken text was meant as; null if something that was sent would be missing in it. */
async function repair(text: string): Promise<string | null> {
  const { parse } = await import('jsonc-parser');
  const written = text.replaceAll(parts, toJson);
  const repaired = JSON.stringify(parse(written, [], { disallowComments: true, allowTrailingComma: true }) ?? {});
  return valuesOf(repaired) === valuesOf(written) ? repaired : null;
}

/** Matches comments, texts in double or single quotes, and words; a word with a colon is a name. */
const parts =
  /\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s{}[\]:,"'/]+(?:\s*:)?/gs;
const words: { readonly [word: string]: string } = { True: 'true', False: 'false', None: 'null', undefined: 'null' };

/** One such part as JSON: changes quotes, names and words that Python and JavaScript write in another way. */
function toJson(part: string): string {
  if (part.startsWith('/')) return '';
  if (part.startsWith("'")) return JSON.stringify(part.replace(/^'|'$/g, '').replaceAll(/\\(['"])/g, '$1'));
  const [, name] = /^([\p{L}_$][\p{L}\d_$-]*)\s*:$/u.exec(part) ?? [];
  return name === undefined ? (words[part] ?? part) : `${JSON.stringify(name)}:`;
}

/** The texts, numbers and words of a JSON text, sorted, so that two texts can be compared by what they contain. */
function valuesOf(json: string): string {
  const values = json.match(/"(?:[^"\\]|\\.)*"?|[^\s{}[\]:,"]+/gs) ?? [];
  return values.map(toPlain).toSorted().join('\n');
}

function toPlain(value: string): string {
  if (!value.startsWith('"')) return String(Number.isNaN(Number(value)) ? value : Number(value));
  const whole = /^"(?:[^"\\]|\\.)*"$/s.test(value) ? value : `${value}"`;
  try {
    return JSON.stringify(JSON.parse(whole));
  } catch {
    return whole;
  }
}
