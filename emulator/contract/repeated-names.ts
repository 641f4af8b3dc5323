import { readTokens } from './json-tokens.ts';
import { escapePointer } from './pointer.ts';

/** A name that an object of a JSON text has more than once. `JSON.parse` reads only the last value. */
export interface RepeatedName {
  readonly name: string;
  /** JSON pointer to the value. */
  readonly pointer: string;
  /** Positions in the text: from the earlier member, which is not read, to the start of the next one. */
  readonly from: number;
  readonly to: number;
}

/** The opening quote of a string, or a sign that starts, ends or divides objects and lists. */
const signs = /["{}[\],]/g;

/** An object or a list that is being read. */
interface Open {
  /** The names of an object, with the index of each among its members; null for a list. */
  readonly names: Map<string, number> | null;
  /** The positions in the text at which its members start. */
  readonly starts: number[];
  /** The name or index of the member that is being read. */
  at: string | number;
}

/**
 * The repeated names of a valid JSON text, in the order of the text.
 * @param most after this many the search ends
 */
export function* findRepeatedNames(text: string, most = Infinity): Generator<void, readonly RepeatedName[], void> {
  const repeated: RepeatedName[] = [];
  const open: Open[] = [];
  const tokens = readTokens(text, signs);
  while (tokens.next()) {
    const { start, end } = tokens;
    const token = text[start];
    const inner = open.at(-1);
    if (token === '{' || token === '[') open.push({ names: token === '{' ? new Map() : null, starts: [], at: 0 });
    else if (token === '}' || token === ']') open.pop();
    else if (token === ',') {
      if (inner && typeof inner.at === 'number') inner.at += 1;
    } else if (inner?.names && isName(text, end)) {
      const { names, starts } = inner;
      const name = JSON.parse(text.slice(start, end)) as string;
      inner.at = name;
      starts.push(start);
      const before = names.get(name);
      if (before !== undefined) {
        const [from = 0, to = 0] = [starts[before], starts[before + 1]];
        const pointer = open.map(({ at }) => `/${escapePointer(String(at))}`).join('');
        repeated.push({ name, pointer, from, to });
        if (repeated.length >= most) break;
      }
      names.set(name, starts.length - 1);
    }
    yield;
  }
  return repeated;
}

/** Whether a colon follows a string, which makes it a name. */
function isName(json: string, end: number): boolean {
  let at = end;
  while (' \t\r\n'.includes(json[at] ?? ':')) at += 1;
  return json[at] === ':';
}

/** The text without the members that are not read. All else stays the same, to the character. */
export function withoutRepeated(text: string, repeated: readonly RepeatedName[]): string {
  let kept = '';
  let end = 0;
  for (const { from, to } of repeated.toSorted((one, other) => one.from - other.from)) {
    // A repeated member inside another one is removed with it.
    if (from >= end) kept += text.slice(end, from);
    end = Math.max(end, to);
  }
  return kept + text.slice(end);
}
