/** A name, another text, or the start or end of an object. */
const tokens = /("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}]/g;

/** The names that an object of a JSON text has more than once, each once. `JSON.parse` reads the last value only. */
export function findRepeatedNames(text: string): readonly string[] {
  const repeated = new Set<string>();
  const open: Set<string>[] = [];
  for (const [token, quoted] of text.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '}') open.pop();
    else if (quoted !== undefined) {
      const name = JSON.parse(quoted) as string;
      const names = open.at(-1);
      if (names?.has(name)) repeated.add(name);
      names?.add(name);
    }
  }
  return [...repeated];
}
