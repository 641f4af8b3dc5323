/** Raw headers, as Node has them: name, value, name, value … */

/** Converts raw headers to pairs of name and value. */
export function toHeaderPairs(raw: readonly string[]): [name: string, value: string][] {
  return raw.flatMap((name, at): [string, string][] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));
}

/** The first value of a header; null if it was not sent. @param wanted its name in lower case */
export function headerOf(raw: readonly string[], wanted: string): string | null {
  for (let at = 0; at < raw.length; at += 2) if (raw[at]?.toLowerCase() === wanted) return raw[at + 1] ?? null;
  return null;
}
