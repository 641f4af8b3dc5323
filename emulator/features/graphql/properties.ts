import { isJsonObject } from '../../contract/json-object.ts';
import { jsonOf } from '../../contract/json-of.ts';
import { findRepeatedNames, withoutRepeated } from '../../contract/repeated-names.ts';
import { quoteInfinite, tellChangedNumbers } from '../../contract/numbers.ts';
import { isProto } from '../../contract/unsafe-names.ts';
import { freeName, inBody, refuse, show } from '../../rules.ts';
import { atOnce } from '../../time/slices.ts';
import { graphqlRules, limits } from './rules.ts';

export type Properties = { readonly [name: string]: unknown };

/**
 * The object in the JSON scalar of `properties`: a text that contains one (section 2.5), or the object itself if the
 * query has it inline, which is noted.
 * @param refuseRepeated whether an object in the text may have a name only once
 */
export function readProperties(
  sent: unknown,
  { refuseRepeated, note }: { readonly refuseRepeated: boolean; note(remark: string): void },
): Properties {
  if (sent === undefined || sent === null) return {};
  const value = typeof sent === 'string' ? jsonOf(sent) : sent;
  if (value === undefined) return refuseProperties(sent, 'is not JSON');
  if (!isJsonObject(value)) return refuseProperties(sent, 'is not an object');
  const problem = problemOf(value, 1) ?? (refuseRepeated ? repeatOf(sent) : null);
  if (problem !== null) return refuseProperties(sent, problem);
  if (typeof sent === 'string') {
    atOnce(tellChangedNumbers(sent, note));
    const [twice] = atOnce(findRepeatedNames(sent, 1));
    if (twice) note(`properties has the name ${show(twice.name)} more than once: only its last value was read.`);
  }
  if (value === sent)
    note('properties was sent as an object; it was read as its JSON text, which is the documented form.');
  return value as Properties;
}

/** The text for replies: the sent text, or the sent object as JSON. */
export function toPropertiesText(sent: unknown): string {
  return typeof sent === 'string' ? sent : JSON.stringify(sent ?? {});
}

function problemOf(value: unknown, depth: number): string | null {
  if (typeof value === 'number' && !Number.isFinite(value))
    return 'has a number that is too large for a 64-bit floating-point number: send it as a text';
  if (value === null || typeof value !== 'object') return null;
  if (depth > limits.nesting) return `nests more than ${limits.nesting} deep`;
  for (const [key, inner] of Object.entries(value)) {
    if (isProto(key)) return `has the key ${key}, which can change programs that read it`;
    const problem = problemOf(inner, depth + 1);
    if (problem !== null) return problem;
  }
  return null;
}

/** The problem of a JSON text in which an object repeats a name; null if none does. */
function repeatOf(sent: unknown): string | null {
  const [first] = typeof sent === 'string' ? atOnce(findRepeatedNames(sent, 1)) : [];
  return first
    ? `has the name ${show(first.name)} more than once, and only its last value can be read; it is refused because --unknown-fields is refuse`
    : null;
}

function refuseProperties(sent: unknown, problem: string): never {
  return refuse(graphqlRules.properties, inBody('/properties'), sent, { sent, problem, mended: mend(sent) });
}

/**
 * The text with the most common mistakes corrected: single instead of double quotes, numbers that should be texts,
 * refused names, and repeated names. Null if there is another mistake: nothing that was sent is left out.
 */
function mend(sent: unknown): string | null {
  if (typeof sent !== 'string') return null;
  const mended = [sent.replaceAll("'", '"'), quoteInfinite(sent), withSafeNames(sent)].find(isGood);
  return mended === undefined ? null : withoutRepeated(mended, atOnce(findRepeatedNames(mended)));
}

function withSafeNames(text: string): string {
  const value = jsonOf(text);
  return value === undefined ? text : JSON.stringify(renamed(value, 1));
}

function renamed(value: unknown, depth: number): unknown {
  if (value === null || typeof value !== 'object' || depth > limits.nesting) return value;
  if (Array.isArray(value)) return value.map((inner) => renamed(inner, depth + 1));
  const taken = new Set(Object.keys(value));
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      isProto(key) ? freeName(key.replaceAll('_', ''), taken) : key,
      renamed(inner, depth + 1),
    ]),
  );
}

function isGood(text: string): boolean {
  const value = jsonOf(text);
  return isJsonObject(value) && problemOf(value, 1) === null;
}
