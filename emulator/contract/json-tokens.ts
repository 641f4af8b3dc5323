/**
 * Steps through the tokens of a JSON text that a pattern matches: signs, numbers, and whole strings with their quotes.
 */
export interface Tokens {
  /** Goes to the next token; false if there is none. */
  next(): boolean;
  /** Where the token starts and ends. */
  readonly start: number;
  readonly end: number;
}

const quote = 0x22;
const backslash = 0x5c;

/**
 * Reads a valid JSON text, without a copy of its parts.
 * @param pattern global; one of its alternatives is the opening quote of a string. A pattern that matches whole strings
 *   would overflow the stack on a string of many megabytes
 */
export function readTokens(json: string, pattern: RegExp): Tokens {
  const signs = new RegExp(pattern);
  const tokens = {
    start: 0,
    end: 0,
    next(): boolean {
      const match = signs.exec(json);
      if (!match) return false;
      tokens.start = match.index;
      if (json.charCodeAt(match.index) === quote) signs.lastIndex = endOfText(json, match.index);
      tokens.end = signs.lastIndex;
      return true;
    },
  };
  return tokens;
}

/** The index after the closing quote of the string that starts at `start`. */
function endOfText(json: string, start: number): number {
  let end = json.indexOf('"', start + 1);
  while (end !== -1 && isEscaped(json, end)) end = json.indexOf('"', end + 1);
  return end === -1 ? json.length : end + 1;
}

function isEscaped(json: string, at: number): boolean {
  let before = at;
  while (json.charCodeAt(before - 1) === backslash) before -= 1;
  return (at - before) % 2 === 1;
}
