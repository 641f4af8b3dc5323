/** The language of a filter box: words and `key:value` terms, which a leading minus excludes. */

/** One part of a filter. If it cannot filter, `problem` is a sentence: no part is ignored silently. */
export interface Term<Key extends string> {
  readonly text: string;
  readonly negated: boolean;
  /** Null for a single word without a key. */
  readonly key: Key | null;
  readonly value: string;
  readonly problem: string | null;
}

/** The keys of a filter box, and the rules for their values. */
export interface Grammar<Key extends string> {
  readonly keys: readonly Key[];
  /** An example value for each key. */
  readonly hints: { readonly [K in Key]: string };
  /** Shown in the empty field. */
  readonly placeholder: string;
  /** Why a value, which is never empty, cannot filter; null if it can. */
  problemOf(key: Key, value: string): string | null;
  /** Why a term cannot exclude; null if it can. */
  problemOfNot?(key: Key | null): string | null;
}

/** Splits at spaces that are not inside quotes. */
export function parseTerms<Key extends string>(text: string, grammar: Grammar<Key>): readonly Term<Key>[] {
  return (text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []).map((part) => toTerm(part, grammar));
}

/** A value in the form that follows the colon of a term. */
export function toQuoted(value: string): string {
  return /[\s"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Removes the quotes around parts of a text; two quotes in a row inside a quoted part are one. */
function unquote(text: string): string {
  return text.replaceAll(/"((?:[^"]|"")*)"?/g, (_, inside: string) => inside.replaceAll('""', '"'));
}

/** Joins terms to a text that `parseTerms` reads as the same terms. */
export function toFilterText(terms: readonly { readonly text: string }[]): string {
  return terms.map(({ text }) => text).join(' ');
}

function toTerm<Key extends string>(text: string, grammar: Grammar<Key>): Term<Key> {
  const { keys, problemOf, problemOfNot } = grammar;
  const negated = text.startsWith('-') && text.length > 1;
  const [, name, rest] = /^([a-zA-Z]+):(.*)$/s.exec(negated ? text.slice(1) : text) ?? [];
  const bare = unquote(negated ? text.slice(1) : text);
  const not = (key: Key | null): string | null => (negated ? (problemOfNot?.(key) ?? null) : null);
  if (name === undefined || rest === undefined) return { text, negated, key: null, value: bare, problem: not(null) };
  const key = keys.find((one) => one === name.toLowerCase()) ?? null;
  const value = unquote(rest);
  if (!key)
    return { text, negated, key, value, problem: `There is no filter "${name}:". Available: ${keys.join(', ')}.` };
  const problem = value === '' ? `Add a value after "${key}:".` : problemOf(key, value);
  return { text, negated, key, value, problem: problem ?? not(key) };
}
