import { diffArrays } from 'diff';
import { lineOf, toJsonLines, toLineText, toPlainLines, type Line } from './json-lines.ts';
import type { Draft } from './apply-fix.ts';
import { toHeaderText } from './header-text.ts';

/** A shown line of a comparison. */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly line: Line;
  /** How many equal lines before it are left out. */
  readonly skipped: number;
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
  const linesOf = ({ headers }: Draft): readonly string[] =>
    headers.map(([name, value]) => `${name.toLowerCase()}: ${toHeaderText(value)}`);
  const same = new Set(linesOf(other));
  return linesOf(one)
    .filter((text) => !same.has(text))
    .map(plain);
}

/** The bodies in our layout where both are JSON, otherwise line by line. */
export function diffBodies(
  before: string,
  after: string,
  pointers: readonly string[] = [],
  around = 1,
): readonly DiffLine[] {
  if (before === after) return [];
  const old = toJsonLines(before, pointers);
  const next = toJsonLines(after, pointers);
  // A body that is broken JSON is compared as it was written.
  if (!old || !next || old.map(toLineText).join('\n') === next.map(toLineText).join('\n')) {
    return diffLines(before === '' ? [] : toPlainLines(before), after === '' ? [] : toPlainLines(after), around);
  }
  return diffLines(old, next, around);
}

/** One step from one list of lines to another: both positions, and which of the two moves on. */
interface Step {
  readonly sign: ' ' | '-' | '+';
  readonly old: number;
  readonly next: number;
}

/** More differences than this are shown as one block out and one block in: finding the fewest would take too long. */
const mostDifferences = 1_000;

function toSteps(before: readonly string[], after: readonly string[]): readonly Step[] {
  const changes = diffArrays([...before], [...after], { maxEditLength: mostDifferences }) ?? [
    { removed: true, added: false, value: before },
    { removed: false, added: true, value: after },
  ];
  let [old, next] = [0, 0];
  return changes.flatMap(({ added, removed, value }) =>
    value.map((): Step => {
      const step: Step = { sign: added ? '+' : removed ? '-' : ' ', old, next };
      if (!added) old += 1;
      if (!removed) next += 1;
      return step;
    }),
  );
}

/** What differs, with this many lines around each difference; nothing where nothing does. */
export function diffLines(before: readonly Line[], after: readonly Line[], around: number): readonly DiffLine[] {
  const steps = toSteps(before.map(toLineText), after.map(toLineText));
  const near = new Set<number>();
  steps.forEach(({ sign }, index) => {
    if (sign !== ' ') for (let at = index - around; at <= index + around; at += 1) near.add(at);
  });
  const shown: DiffLine[] = [];
  let skipped = 0;
  steps.forEach(({ sign, old, next }, index) => {
    const line = sign === '-' ? before[old] : after[next];
    if (!near.has(index) || !line) {
      skipped += 1;
      return;
    }
    shown.push({ sign, line, skipped });
    skipped = 0;
  });
  return shown;
}

/** The line of a place with its neighbours. */
export function excerpt(lines: readonly Line[], pointer: string, around = 1): readonly Line[] {
  const at = lineOf(lines, pointer);
  return at ? lines.slice(Math.max(0, at.number - 1 - around), at.number + around) : [];
}

/** A line of text that has no number. */
export const plain = (text: string): Line => ({
  number: 0,
  depth: 0,
  tokens: [{ kind: 'plain', text }],
  pointer: '',
  closes: null,
});
