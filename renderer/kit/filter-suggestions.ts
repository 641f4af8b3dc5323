import { toQuoted, type Grammar } from './filter-terms.ts';

/** A completion for the term being typed in a filter. */
export interface Suggestion {
  readonly fills: string;
  readonly shown: string;
  readonly hint: string;
  /** Whether it completes a whole chip. */
  readonly whole: boolean;
}

/**
 * The values of the typed key, at most forty, or the keys that begin with the typed text.
 * @param draft the term being typed, with its minus if it has one
 */
export function toSuggestions<Key extends string>(
  draft: string,
  grammar: Grammar<Key>,
  valuesOf: (key: Key) => readonly string[],
): readonly Suggestion[] {
  const minus = draft.startsWith('-') ? '-' : '';
  const word = draft.slice(minus.length);
  const [, name, rest = ''] = /^([a-z]+):"?(.*)$/i.exec(word) ?? [];
  const key = grammar.keys.find((one) => one === name?.toLowerCase());
  if (key) {
    return valuesOf(key)
      .filter((value) => value.toLowerCase().includes(rest.toLowerCase()))
      .slice(0, 40)
      .map((value) => {
        const fills = `${minus}${key}:${toQuoted(value)}`;
        return { fills, shown: fills, hint: '', whole: true };
      });
  }
  return grammar.keys
    .filter((one) => one.startsWith(word.toLowerCase()))
    .map((one) => ({ fills: `${minus}${one}:`, shown: `${minus}${one}:`, hint: grammar.hints[one], whole: false }));
}
