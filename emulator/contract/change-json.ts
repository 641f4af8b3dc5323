import { readTokens } from './json-tokens.ts';
import { escapePointer } from './pointer.ts';

/** A value of a JSON text to write in another way. */
export interface JsonChange {
  readonly pointer: string;
  /** Returns the text to write, from the text that is there; null to leave the member out. */
  readonly toText: (written: string) => string | null;
}

/** The place of a value in the text; `member` is where its name starts. */
interface Place {
  readonly member: number;
  readonly start: number;
  readonly end: number;
}

/** An object or a list that is being read. */
interface Open {
  /** Null if it contains no wanted value: at great depth, pointers would be longer than the text. */
  readonly pointer: string | null;
  readonly isList: boolean;
  /** The name or index of the value that is being read, and where it starts. */
  at: string | number;
  member: number;
  start: number;
}

/** The opening quote of a string, or a sign that starts, ends or divides objects and lists. */
const signs = /["{}[\],]/g;

/**
 * Changes some values of a valid JSON text. All else stays the same, to the character: if it were written again, a
 * large number would lose digits, and names would be in another order. Of a repeated name, only the last value is read,
 * so only that one is changed; a member that is left out is left out every time.
 *
 * Does not use jsonc-parser, as the window does for one edit: jsonc-parser recurses, and a line may be nested deeper
 * than the stack allows. It also finds the first value of a repeated name.
 * @param changes of values that do not contain one another; items of lists cannot be left out
 */
export function changeJson(text: string, changes: readonly JsonChange[]): string {
  const places = findPlaces(text, new Set(changes.map(({ pointer }) => pointer)));
  const edits = changes.flatMap(({ pointer, toText }) => {
    const all = places.get(pointer) ?? [];
    const last = all.slice(-1);
    const written = last[0] ? toText(text.slice(last[0].start, last[0].end)) : null;
    return (written === null ? all : last).map((place) => ({ place, written }));
  });
  const parts: Part[] = [];
  // From the end, because the comma to remove with a member depends on what is left out after it.
  for (const { place, written } of edits.toSorted((one, other) => other.place.start - one.place.start)) {
    const [from, to] = written === null ? toMember(text, place, parts) : [place.start, place.end];
    parts.push({ from, to, written });
  }
  const pieces: string[] = [];
  let done = 0;
  for (const { from, to, written } of parts.toReversed()) {
    // This part was removed together with the member before it.
    if (from < done) continue;
    pieces.push(text.slice(done, from), written ?? '');
    done = to;
  }
  return [...pieces, text.slice(done)].join('');
}

/** A replaced part of the text; `written` is null if nothing replaces it. */
interface Part {
  readonly from: number;
  readonly to: number;
  readonly written: string | null;
}

/** The texts of the values at these pointers in a valid JSON text; of a repeated name, the last one. */
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

/**
 * A member with the comma that divides it from the one before it, or else from the next one that is not left out.
 * @param later the changed parts after it, the nearest one last
 */
function toMember(text: string, { member, end }: Place, later: readonly Part[]): readonly [number, number] {
  let before = member - 1;
  while (isSpace(text[before])) before -= 1;
  if (text[before] === ',') return [before, end];
  let after = skipSpace(text, end);
  for (let at = later.length - 1; later[at]?.from === after; at -= 1) after = skipSpace(text, later[at]?.to ?? after);
  return [member, text[after] === ',' ? skipSpace(text, after + 1) : end];
}

/** The places of the values with these pointers, in the order of the text. */
function findPlaces(text: string, wanted: ReadonlySet<string>): ReadonlyMap<string, readonly Place[]> {
  const places = new Map<string, Place[]>();
  const containers = new Set([...wanted].flatMap(toContainers));
  const open: Open[] = [];
  const toOwn = ({ pointer, at }: Open): string | null =>
    pointer === null ? null : `${pointer}/${escapePointer(String(at))}`;
  const close = (container: Open, before: number): void => {
    const { member, start } = container;
    const own = toOwn(container);
    if (own === null || !wanted.has(own)) return;
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
      const own = inner ? toOwn(inner) : '';
      const pointer = own !== null && containers.has(own) ? own : null;
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

/** The pointers of the objects and lists that contain a value. */
function toContainers(pointer: string): readonly string[] {
  const steps = pointer.split('/');
  return steps.slice(1).map((_step, at) => steps.slice(0, at + 1).join('/'));
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (isSpace(text[at])) at += 1;
  return at;
}

const isSpace = (sign = '.'): boolean => ' \t\r\n'.includes(sign);
