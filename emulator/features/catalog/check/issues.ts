import type { CatalogIssue } from '../../../records.ts';
import { openFileWriter } from './file-writer.ts';
import type { CatalogRuleId } from './rules.ts';
import { inThousands } from '../../../contract/digits.ts';

/** The upload record shows at most ten errors per type (docs/platform.md, Product catalog). */
export const SHOWN_OF_A_KIND = 10;
const WRITTEN = 10_000;
const VALUE_CHARACTERS = 120;

export interface FoundIssue {
  readonly rule: CatalogRuleId;
  readonly message: string;
  readonly pointer: string;
  readonly value: string | null;
  /** The value to write at `pointer` instead, if only one can be meant; null: leave the field out. */
  readonly proposed?: string | number | boolean | readonly unknown[] | null;
}

export interface IssueLog {
  add(lineNum: number, issue: FoundIssue): void;
  readonly count: number;
  readonly counts: { readonly [rule: string]: number };
  /** The first ten of every kind, by line. */
  shown(): readonly CatalogIssue[];
  finish(): void;
  abandon(): void;
}

/** Counts every issue, keeps the first ten of each kind, and writes the first 10,000 to the file. */
export function openIssueLog(path: string): IssueLog {
  const writer = openFileWriter(path);
  const counts: Record<string, number> = {};
  const shown: CatalogIssue[] = [];
  let count = 0;
  return {
    get count() {
      return count;
    },
    counts,
    add(lineNum, { rule, message, pointer, value }) {
      const ofKind = (counts[rule] ?? 0) + 1;
      counts[rule] = ofKind;
      count += 1;
      if (ofKind > SHOWN_OF_A_KIND && count > WRITTEN) return;
      const issue: CatalogIssue = { errorType: rule, errorMessage: message, lineNum, pointer, value };
      if (ofKind <= SHOWN_OF_A_KIND) shown.push(issue);
      if (count <= WRITTEN) writer.line(Buffer.from(JSON.stringify(issue)));
    },
    shown: () => shown.toSorted((a, b) => a.lineNum - b.lineNum),
    finish: () => writer.finish(),
    abandon: () => writer.abandon(),
  };
}

/** A value as an issue shows it: at most 120 characters; a list or an object only by its type. */
export function toShownValue(value: unknown): string | null {
  if (value === undefined) return null;
  if (Array.isArray(value)) return `a list of ${inThousands(value.length)}`;
  if (typeof value === 'object' && value !== null) return 'an object';
  const text = typeof value === 'string' ? value : String(value);
  const start = text.slice(0, VALUE_CHARACTERS * 2);
  const characters = [...start];
  if (characters.length <= VALUE_CHARACTERS && start.length === text.length) return text;
  return `${characters.slice(0, VALUE_CHARACTERS - 1).join('')}…`;
}
