import { lineOf, toJsonLines, toLineText, toPlainLines, type Line } from './json-lines.ts';
import type { Draft } from './apply-fix.ts';

/** A shown line of a comparison. */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly line: Line;
}

/** What a fix changes, as lines: the request line, headers, then the body. Unchanged parts are left out. */
export function diffDrafts(before: Draft, after: Draft, pointers: readonly string[]): readonly DiffLine[] {
  return [
    ...diffLines([plain(requestLine(before))], [plain(requestLine(after))], 0),
    ...diffLines(headerLines(before, after), headerLines(after, before), 0),
    ...diffBodies(before.body?.data ?? '', after.body?.data ?? '', pointers),
  ];
}

const requestLine = ({ method, url }: Draft): string => `${method} ${url}`;

/** Only the headers that the other one does not have alike. */
function headerLines(one: Draft, other: Draft): readonly Line[] {
  const same = new Set(other.headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`));
  return one.headers
    .map(([name, value]) => `${name.toLowerCase()}: ${value}`)
    .filter((text) => !same.has(text))
    .map(plain);
}

function diffBodies(before: string, after: string, pointers: readonly string[]): readonly DiffLine[] {
  if (before === after) return [];
  const old = toJsonLines(before, pointers);
  const next = toJsonLines(after, pointers);
  // A body that is broken JSON is compared as it was written.
  if (!old || !next || old.map(toLineText).join('\n') === next.map(toLineText).join('\n')) {
    return diffLines(before === '' ? [] : toPlainLines(before), after === '' ? [] : toPlainLines(after), 1);
  }
  return diffLines(old, next, 1);
}

/** What differs between the common beginning and the common end, with so many lines around it. */
export function diffLines(before: readonly Line[], after: readonly Line[], around: number): readonly DiffLine[] {
  const old = before.map(toLineText);
  const next = after.map(toLineText);
  let head = 0;
  while (head < old.length && head < next.length && old[head] === next[head]) head += 1;
  let tail = 0;
  while (tail < old.length - head && tail < next.length - head && old.at(-1 - tail) === next.at(-1 - tail)) tail += 1;
  if (head === old.length && head === next.length) return [];
  const sign = (lines: readonly Line[], mark: DiffLine['sign']): readonly DiffLine[] =>
    lines.map((line) => ({ sign: mark, line }));
  return [
    ...sign(after.slice(Math.max(0, head - around), head), ' '),
    ...sign(before.slice(head, before.length - tail), '-'),
    ...sign(after.slice(head, after.length - tail), '+'),
    ...sign(after.slice(after.length - tail, after.length - tail + around), ' '),
  ];
}

/** The line of a place with its neighbours. */
export function excerpt(lines: readonly Line[], pointer: string, around = 1): readonly Line[] {
  const at = lineOf(lines, pointer);
  return at ? lines.slice(Math.max(0, at.number - 1 - around), at.number + around) : [];
}

const plain = (text: string): Line => ({
  number: 0,
  depth: 0,
  tokens: [{ kind: 'plain', text }],
  pointer: '',
  closes: null,
});
