import { diffArrays } from 'diff';
import { leaveOutRows, lineOf, toJsonLines, toLineText, toPlainLines, type Line, type Token } from './json-lines.ts';
import type { Draft } from './apply-fix.ts';
import { isForm, toFormLines } from './form-lines.ts';
import { toHeaderText } from './header-text.ts';

/** A line in the view of a comparison. */
export interface DiffLine {
  readonly sign: ' ' | '-' | '+';
  readonly line: Line;
  /** The number of equal lines left out before this one. */
  readonly skipped: number;
}

/**
 * Returns the changes of a fix as lines: the request line, the headers, then the body. Unchanged parts are left out.
 */
export function diffDrafts(before: Draft, after: Draft, pointers: readonly string[]): readonly DiffLine[] {
  return [
    ...diffLines([plain(requestLine(before))], [plain(requestLine(after))], 0),
    ...diffLines(headerLines(before, after), headerLines(after, before), 0),
    ...diffBodies(before.body?.data ?? '', after.body?.data ?? '', {
      pointers,
      areForms: isForm(before.headers) && isForm(after.headers),
    }),
  ];
}

const requestLine = ({ method, url }: Draft): string => `${method} ${url}`;

/** Returns the headers that the other request lacks or has with another value. */
function headerLines(one: Draft, other: Draft): readonly Line[] {
  const linesOf = ({ headers }: Draft): readonly string[] =>
    headers.map(([name, value]) => `${name.toLowerCase()}: ${toHeaderText(value)}`);
  const same = new Set(linesOf(other));
  return linesOf(one)
    .filter((text) => !same.has(text))
    .map(plain);
}

/**
 * Compares bodies in our layout if both are JSON or both are forms, otherwise line by line.
 * @param options.pointers JSON values that are each on a line of their own
 * @param options.around the number of equal lines shown around each difference
 */
export function diffBodies(
  before: string,
  after: string,
  {
    pointers = [],
    around = 1,
    areForms = false,
  }: { readonly pointers?: readonly string[]; readonly around?: number; readonly areForms?: boolean } = {},
): readonly DiffLine[] {
  if (before === after) return [];
  const lay = areForms && before !== '' && after !== '' ? toFormLines : (text: string) => toJsonLines(text, pointers);
  const [old, next] = [lay(before), lay(after)];
  // Compare as sent if a body is not JSON, or if only the formatting differs.
  if (!old || !next || old.map(toLineText).join('\n') === next.map(toLineText).join('\n')) {
    return diffLines(before === '' ? [] : toPlainLines(before), after === '' ? [] : toPlainLines(after), around);
  }
  return diffLines(old, next, around);
}

/** A step through two lists of lines: both positions, and which of the two advances. */
interface Step {
  readonly sign: ' ' | '-' | '+';
  readonly old: number;
  readonly next: number;
}

/** With more differences, all old lines are removed and all new ones added: finding the fewest would take too long. */
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

/** Returns the differences with `around` equal lines around each; nothing if the lines are equal. */
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
  return markWords(shown);
}

/** Marks the changed parts of lines that replace one another, if at least half of a value is equal. */
function markWords(shown: readonly DiffLine[]): readonly DiffLine[] {
  const marked: DiffLine[] = [];
  while (marked.length < shown.length) {
    const old = runAt(shown, marked.length, '-');
    const next = runAt(shown, marked.length + old.length, '+');
    // Pair lines only if as many were added as removed: otherwise it is unclear which line replaces which.
    const pairs = old.length === next.length ? old.map((one, index) => markPair(one, next[index] ?? one)) : null;
    if (old.length + next.length === 0) marked.push(...shown.slice(marked.length, marked.length + 1));
    else if (pairs) marked.push(...pairs.map(([one]) => one), ...pairs.map(([, other]) => other));
    else marked.push(...old, ...next);
  }
  return marked;
}

/** The run of lines with a sign from a position on. */
function runAt(shown: readonly DiffLine[], start: number, sign: DiffLine['sign']): readonly DiffLine[] {
  let end = start;
  while (shown[end]?.sign === sign) end += 1;
  return shown.slice(start, end);
}

function markPair(old: DiffLine, next: DiffLine): readonly [DiffLine, DiffLine] {
  if (old.line.tokens.length !== next.line.tokens.length) return [old, next];
  const pairs = old.line.tokens.map((token, index) => markToken(token, next.line.tokens[index] ?? token));
  const [before, after] = [pairs.flatMap(([one]) => one), pairs.flatMap(([, other]) => other)];
  return [withTokens(old, before), withTokens(next, after)];
}

const withTokens = (one: DiffLine, tokens: readonly Token[]): DiffLine => ({
  ...one,
  line: leaveOutRows({ ...one.line, tokens }, ({ changed }) => changed === true),
});

/** Splits a value as it was written into words, escapes and single characters. */
const toPieces = (written: string): readonly string[] => written.match(/\\u[\da-f]{4}|\\[^]|\w+|[^]/gi) ?? [];
/** With more differing pieces than this, a value counts as replaced. */
const mostPieces = 100;

function markToken(old: Token, next: Token): readonly [readonly Token[], readonly Token[]] {
  const alone = [[old], [next]] as const;
  if (old.text === next.text || old.kind !== next.kind) return alone;
  const changes = diffArrays([...toPieces(old.text)], [...toPieces(next.text)], { maxEditLength: mostPieces });
  if (!changes) return alone;
  const parts = changes.map(({ added, removed, value }) => ({ added, removed, text: value.join('') }));
  const alike = parts.reduce((sum, { added, removed, text }) => sum + (added || removed ? 0 : text.length), 0);
  if (alike * 2 < Math.max(old.text.length, next.text.length)) return alone;
  const side = (token: Token, other: 'added' | 'removed'): readonly Token[] =>
    parts.flatMap((part) =>
      part[other] ? [] : [{ ...token, text: part.text, ...(part.added || part.removed ? { changed: true } : {}) }],
    );
  return [side(old, 'added'), side(next, 'removed')];
}

/** The line of a pointer's value with its neighbours. */
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
