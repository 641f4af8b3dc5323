import { toPrintableJson } from './printable.ts';

/** The first `length` UTF-16 units of a text, without half of a character at the end, which alone is not valid text. */
function startOf(text: string, length: number): string {
  const kept = text.slice(0, length);
  return /[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept;
}

/** A text of at most `length` UTF-16 units, which ends in … if it was longer. */
export function cutText(text: string, length: number): string {
  return text.length <= length ? text : `${startOf(text, length - 1)}…`;
}

/**
 * A text between quotation marks, cut like `cutText`. The … follows the marks, because all between them is original.
 */
export function quote(text: string, length: number): string {
  return text.length <= length ? `“${text}”` : `“${startOf(text, length - 1)}”…`;
}

/**
 * A value as JSON of at most `length` UTF-16 units, in which characters that are not seen are escaped. If a text is cut,
 * … follows its quotation marks.
 */
export function cutJson(value: unknown, length: number): string {
  const whole = JSON.stringify(value) ?? (typeof value === 'function' ? 'a function' : 'nothing');
  // What is longer is cut in any case.
  const json = toPrintableJson(whole.slice(0, length + 1));
  if (typeof value !== 'string' || json.length <= length) return cutText(json, length);
  // Half of an escape is left out, too.
  return `${startOf(json, length - 2).replace(/(?<=(?:^|[^\\])(?:\\\\)*)\\(?:u[\da-f]{0,3})?$/, '')}"…`;
}
