import { isUtf8 } from 'node:buffer';
import { open, rm, stat } from 'node:fs/promises';
import { changeJson } from '../../../contract/change-json.ts';
import { inThousands } from '../../../contract/digits.ts';
import { renameWithRetry } from '../../../system.ts';
import { createLineAcceptor } from './accept/accept-line.ts';
import { createLineCheck } from './check-lines.ts';
import { createProductChecker, type ProductChecker } from './check-product.ts';
import { fileFormIssue } from './file-form.ts';
import { openFileWriter, partPath } from './file-writer.ts';
import type { FoundIssue } from './issues.ts';
import { createLineSplitter, MAX_LINE_BYTES, MAX_LINES } from './lines.ts';
import { parseLine } from './parse-line.ts';
import { readLines } from './read-lines.ts';
import { openSavedVariants } from './saved-variants.ts';
import { openSeenLines } from './seen-lines.ts';

/**
 * The result for the lines of a file. Line numbers are those of the copy, from 1, also where a message names another
 * line.
 */
export interface FixReport {
  readonly lines: number;
  /** Numbers of the lines that were changed; the first thousand. */
  readonly fixed: readonly number[];
  readonly fixedCount: number;
  /** How many of the changed lines have other errors, which a person has to look at. */
  readonly partlyCount: number;
  /** Lines without a product, which the copy does not have: empty ones, and the brackets of a list. */
  readonly removedCount: number;
  /** Lines that a person has to look at, with the errors that are left. The first thousand. */
  readonly left: readonly { readonly line: number; readonly issues: readonly FoundIssue[] }[];
  readonly leftCount: number;
}

const kept = 1_000;
/**
 * How many errors of a line are fixed at once, and in how many rounds: enough for any line within the limits of section
 * 2.1.
 */
const [mostErrors, mostRounds] = [2_000, 4];
const carriageReturn = Buffer.from('\r');

/**
 * Writes a copy of a catalog file in which every error with exactly one possible fix is fixed. All else keeps its
 * bytes. The errors left are those that the check finds in the copy, including errors between lines (a repeated id).
 * @param to written at the end of the work; unchanged if the work fails
 */
export async function fixFile(from: string, to: string): Promise<FixReport> {
  const checker = createProductChecker();
  const acceptor = createLineAcceptor();
  // The file that `to` replaces, which may be `from` itself, stays until the copy is written and checked.
  const copy = partPath(to);
  const writer = openFileWriter(copy);
  const fixed: number[] = [];
  let [lines, fixedCount, partlyCount, removedCount] = [0, 0, 0, 0];
  /** The previous line, kept until the offset of the next one shows how it ended. */
  let pending: { readonly text: Buffer; readonly end: number } | null = null;
  const writePending = (next: number): void => {
    if (pending === null) return;
    const hasReturn = next - pending.end > 1;
    writer.line(hasReturn ? Buffer.concat([pending.text, carriageReturn]) : pending.text);
    pending = null;
  };
  const splitter = createLineSplitter({
    line(bytes, num, offset) {
      const ofFile = num === 1 ? fileFormIssue(bytes) : null;
      if (ofFile !== null) throw new RangeError(ofFile.message);
      writePending(offset);
      const end = offset + bytes.length;
      const result: Fixed = acceptor.accepts(bytes) ? { outcome: 'good' } : fixLine(bytes, checker);
      if (result.outcome === 'blank') {
        removedCount += 1;
        return;
      }
      lines += 1;
      const isChanged = result.outcome === 'fixed' || result.outcome === 'partly';
      pending = { text: Buffer.from(isChanged ? result.text : bytes), end };
      if (!isChanged) return;
      fixedCount += 1;
      if (result.outcome === 'partly') partlyCount += 1;
      if (fixed.length < kept) fixed.push(lines);
    },
    tooLong(num) {
      throw new RangeError(
        `Line ${num} is longer than ${MAX_LINE_BYTES / 1024 ** 2} MB. Make that product smaller first.`,
      );
    },
    tooMany() {
      throw new RangeError(`The file has more than ${inThousands(MAX_LINES)} lines. Split it first.`);
    },
  });
  try {
    const file = await open(from, 'r');
    try {
      for await (const chunk of file.createReadStream({ autoClose: false })) splitter.push(chunk as Buffer);
    } finally {
      await file.close();
    }
    splitter.end();
    writePending((await stat(from)).size);
    writer.finish();
    const left = await findLeft(copy);
    await renameWithRetry(copy, to);
    return { lines, fixed, fixedCount, partlyCount, removedCount, ...left };
  } catch (error) {
    writer.abandon();
    for (const path of [partPath(copy), copy]) await rm(path, { force: true });
    throw error;
  }
}

/** The lines of a file that are in error, without a comparison with saved products. */
async function findLeft(path: string): Promise<Pick<FixReport, 'left' | 'leftCount'>> {
  const left: { readonly line: number; readonly issues: FoundIssue[] }[] = [];
  let leftCount = 0;
  let last = -1;
  const seen = openSeenLines(path);
  const saved = openSavedVariants(null);
  const add = (line: number, issue: FoundIssue): void => {
    if (line !== last) {
      last = line;
      leftCount += 1;
      if (leftCount <= kept) left.push({ line, issues: [] });
    }
    if (leftCount <= kept) left.at(-1)?.issues.push(issue);
  };
  try {
    const check = createLineCheck({ log: { add }, seen, saved, onGood: () => undefined });
    await readLines(path, check, () => leftCount, {});
    check.end();
    return { left, leftCount };
  } finally {
    seen.close();
    saved.close();
  }
}

/** `partly`: the text still has errors, at these places, that a person has to look at. */
export type Fixed =
  | { readonly outcome: 'good' | 'blank' | 'left' }
  | { readonly outcome: 'fixed'; readonly text: string }
  | { readonly outcome: 'partly'; readonly text: string; readonly left: readonly string[] };

/** Fixes every error of one line that has exactly one possible fix. */
export function fixLine(bytes: Buffer, checker: ProductChecker): Fixed {
  const sent = bytes.toString();
  const parsed = parseLine(bytes);
  if (parsed.issue?.rule === 'catalog.blank-line') return { outcome: 'blank' };
  if (parsed.issue !== null && ['[', ']'].includes(sent.trim())) return { outcome: 'blank' };
  const product = parsed.issue === null ? { text: sent, value: parsed.value } : outOfList(bytes);
  if (product === null) return { outcome: 'left' };
  const { text, left } = withFixes(product.text, product.value, checker);
  if (left.length > 0)
    return text === sent ? { outcome: 'left' } : { outcome: 'partly', text, left: left.map(({ pointer }) => pointer) };
  return text === sent ? { outcome: 'good' } : { outcome: 'fixed', text };
}

/**
 * The text with all fixes that leave no error at their place. Checked again each time: a fix may reveal a further
 * error.
 */
function withFixes(sent: string, value: unknown, checker: ProductChecker) {
  let [text, left] = [sent, checker.check(value, mostErrors)];
  const leaving = new Set<string>();
  for (let rounds = 0; rounds < mostRounds; rounds += 1) {
    const fixes = left.filter(({ pointer, proposed }) => proposed !== undefined && !leaving.has(pointer));
    if (fixes.length === 0) break;
    const changed = changeJson(
      text,
      fixes.map(({ pointer, proposed }) => ({ pointer, toText: (written) => toProposed(written, proposed) })),
    );
    const after = checker.check(JSON.parse(changed), mostErrors);
    const wrong = new Set(after.flatMap(({ pointer }) => toPlaces(pointer)));
    const bad = fixes.filter(({ pointer }) => wrong.has(pointer));
    if (bad.length === 0) [text, left] = [changed, after];
    for (const { pointer } of bad) leaving.add(pointer);
  }
  return { text, left };
}

/** A place, and every place that contains it. */
function toPlaces(pointer: string): readonly string[] {
  const names = pointer.split('/');
  return names.map((_name, at) => names.slice(0, at + 1).join('/'));
}

/** A proposed value as JSON. If the sent value only gets quotes or a list around it, it keeps its digits. */
function toProposed(written: string, proposed: FoundIssue['proposed']): string | null {
  if (proposed === null || proposed === undefined) return null;
  if (typeof proposed === 'string' && /^-?\d+(?:\.\d+)?$/.test(written)) return `"${written}"`;
  return Array.isArray(proposed) ? `[${written}]` : JSON.stringify(proposed);
}

/** A line without the commas and brackets of a list around it; null if more than that is wrong with its JSON. */
function outOfList(bytes: Buffer): { readonly text: string; readonly value: unknown } | null {
  const line = bytes.toString().trim();
  const text = (/[,\]]$/.test(line) ? line.slice(0, -1) : line).slice(line.startsWith('[') ? 1 : 0).trim();
  if (!isUtf8(bytes) || !text.startsWith('{') || !text.endsWith('}')) return null;
  const parsed = parseLine(Buffer.from(text));
  return parsed.issue === null ? { text, value: parsed.value } : null;
}
