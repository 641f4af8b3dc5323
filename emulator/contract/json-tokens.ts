/** Steps through the parts of a JSON text that a pattern names: signs, numbers, and whole texts with their quotes. */
export interface Tokens {
  /** Goes to the next part; false if there is none. */
  next(): boolean;
  /** Where the part starts and ends. */
  readonly start: number;
  readonly end: number;
}

const quote = 0x22;
const backslash = 0x5c;

/**
 * Reads a valid JSON text, without a copy of its parts.
 * @param pattern global; one of its alternatives is the quote with which a text starts. A pattern that matches texts as a
 *   whole would need more stack than there is for one of many megabytes
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

/** Where the text that starts at a quote ends, after its closing quote. */
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
