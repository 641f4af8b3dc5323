import { readTokens } from './json-tokens.ts';
import { escapePointer } from './pointer.ts';

/** A value of a JSON text that is to be written in another way. */
export interface JsonChange {
  readonly pointer: string;
  /** What to write instead of what is written there; null to leave the member out. */
  readonly toText: (written: string) => string | null;
}

/** Where a value is written; `member` is where its name starts. */
interface Place {
  readonly member: number;
  readonly start: number;
  readonly end: number;
}

/** An object or a list that is being read. */
interface Open {
  readonly pointer: string;
  readonly isList: boolean;
  /** The name or index of the value that is being read, and where it starts. */
  at: string | number;
  member: number;
  start: number;
}

/** The start of a text, or a sign that starts, ends or divides objects and lists. */
const signs = /["{}[\],]/g;

/**
 * A valid JSON text with some values changed. All else stays as it was, to the character: written again, a large number
 * would lose digits, and names would be in another order. Of a name that is there twice, only the last value is read,
 * so only that one is changed; a member that is left out is left out each time.
 * Not by jsonc-parser, as the window does for one edit: it recurses, and a line may be nested deeper than the stack; and of a
 * repeated name it finds the first value.
 * @param changes of values that are not in one another; members of lists are not left out
 */
export function changeJson(text: string, changes: readonly JsonChange[]): string {
  const places = findPlaces(text, new Set(changes.map(({ pointer }) => pointer)));
  const edits = changes.flatMap(({ pointer, toText }) => {
    const all = places.get(pointer) ?? [];
    const last = all.slice(-1);
    const written = last[0] ? toText(text.slice(last[0].start, last[0].end)) : null;
    return (written === null ? all : last).map((place) => ({ place, written }));
  });
  let changed = text;
  // From the end, so that what was found before it is still where it was.
  for (const { place, written } of edits.toSorted((one, other) => other.place.start - one.place.start)) {
    const [from, to] = written === null ? toMember(changed, place) : [place.start, place.end];
    changed = changed.slice(0, from) + (written ?? '') + changed.slice(to);
  }
  return changed;
}

/** How the values with these pointers are written in a valid JSON text; of a name that is there twice, the last one. */
export function writtenAt(text: string, pointers: readonly string[]): ReadonlyMap<string, string> {
  const places = findPlaces(text, new Set(pointers));
  return new Map(
    [...places].map(([pointer, all]) => [
      pointer,
      all
        .slice(-1)
        .map(({ start, end }) => text.slice(start, end))
        .join(''),
    ]),
  );
}

/** A member with the comma that divides it from the one before it, or else from the one after it. */
function toMember(text: string, { member, end }: Place): readonly [number, number] {
  const before = text.slice(0, member).trimEnd();
  if (before.endsWith(',')) return [before.length - 1, end];
  const after = skipSpace(text, end);
  return [member, text[after] === ',' ? skipSpace(text, after + 1) : end];
}

/** Where the values with these pointers are, in the order of the text. */
function findPlaces(text: string, wanted: ReadonlySet<string>): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  const open: Open[] = [];
  const close = ({ pointer, at, member, start }: Open, before: number): void => {
    const own = `${pointer}/${escapePointer(String(at))}`;
    if (!wanted.has(own)) return;
    const end = start + text.slice(start, before).trimEnd().length;
    places.set(own, [...(places.get(own) ?? []), { member, start, end }]);
  };
  const tokens = readTokens(text, signs);
  while (tokens.next()) {
    const { start, end } = tokens;
    const token = text[start];
    const inner = open.at(-1);
    if (token === '{' || token === '[') {
      const first = skipSpace(text, end);
      const pointer = inner ? `${inner.pointer}/${escapePointer(String(inner.at))}` : '';
      open.push({ pointer, isList: token === '[', at: 0, member: first, start: first });
    } else if (token === '}' || token === ']') {
      if (inner) close(inner, start);
      open.pop();
    } else if (token === ',') {
      if (!inner) continue;
      close(inner, start);
      inner.start = skipSpace(text, end);
      if (typeof inner.at === 'number') inner.at += 1;
    } else if (inner && !inner.isList) {
      const colon = skipSpace(text, end);
      if (text[colon] !== ':') continue;
      inner.at = JSON.parse(text.slice(start, end)) as string;
      inner.member = start;
      inner.start = skipSpace(text, colon + 1);
    }
  }
  return places;
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (' \t\r\n'.includes(text[at] ?? '.')) at += 1;
  return at;
}
