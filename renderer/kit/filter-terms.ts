/** The language of a filter box: words, and `key:value` terms, of which a leading minus excludes. */

/** One part of a filter. `problem` is a sentence where it cannot filter: it never does so in silence. */
export interface Term<Key extends string> {
  readonly text: string;
  readonly negated: boolean;
  /** Null for a bare word. */
  readonly key: Key | null;
  readonly value: string;
  readonly problem: string | null;
}

/** What a box may filter by. */
export interface Grammar<Key extends string> {
  readonly keys: readonly Key[];
  /** What a value of each key looks like. */
  readonly hints: { readonly [K in Key]: string };
  /** Shown while nothing is written. */
  readonly placeholder: string;
  /** Why a value cannot filter; null if it can. It is not empty. */
  problemOf(key: Key, value: string): string | null;
  /** Why a term cannot exclude; null if it can. */
  problemOfNot?(key: Key | null): string | null;
}

/** Splits at spaces that are not inside quotes. */
export function parseTerms<Key extends string>(text: string, grammar: Grammar<Key>): readonly Term<Key>[] {
  return (text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []).map((part) => toTerm(part, grammar));
}

/** A value as it is written after the colon of a term. */
export function toQuoted(value: string): string {
  return /[\s"]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value;
}

/** Without the quotes around its parts; two in a row inside of a quoted part are one. */
function unquote(text: string): string {
  return text.replaceAll(/"((?:[^"]|"")*)"?/g, (_, inside: string) => inside.replaceAll('""', '"'));
}

/** The text of which `parseTerms` makes the same terms. */
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
