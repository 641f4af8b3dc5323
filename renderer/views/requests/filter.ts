import type { RequestSummary } from '../../../emulator/control/protocol.ts';
import { groupBy } from '../../group.ts';

export const filterKeys = ['status', 'method', 'path', 'operation', 'token', 'body', 'rule', 'since'] as const;
export type FilterKey = (typeof filterKeys)[number];

/** One part of a filter. `problem` is a sentence where it cannot filter: it never does so in silence. */
export interface Term {
  readonly text: string;
  readonly negated: boolean;
  /** Null for a bare word, which looks in path, operation and rule. */
  readonly key: FilterKey | null;
  readonly value: string;
  readonly problem: string | null;
}

/** What a filter cannot know from a row alone. */
export interface FilterFacts {
  /** Real time, epoch milliseconds. */
  readonly now: number;
  /** Words by which a credential may be called, in lower case. */
  credentialWords(credentialId: string | null): string;
  /** Whether a body of the request holds the text, as the server found out. */
  bodyHolds(id: string, text: string): boolean;
}

/** Splits at spaces that are not inside quotes. */
export function parseFilter(text: string): readonly Term[] {
  return (text.match(/(?:[^\s"]|"[^"]*"?)+/g) ?? []).map(toTerm);
}

/** The text of which `parseFilter` makes the same terms. */
export function toFilterText(terms: readonly Term[]): string {
  return terms.map(({ text }) => text).join(' ');
}

function toTerm(text: string): Term {
  const negated = text.startsWith('-') && text.length > 1;
  const [, name, rest] = /^([a-zA-Z]+):(.*)$/s.exec(negated ? text.slice(1) : text) ?? [];
  const bare = (negated ? text.slice(1) : text).replaceAll('"', '');
  if (name === undefined || rest === undefined) return { text, negated, key: null, value: bare, problem: null };
  const key = filterKeys.find((one) => one === name.toLowerCase()) ?? null;
  const value = rest.replaceAll('"', '');
  if (!key)
    return { text, negated, key, value, problem: `There is no filter "${name}:". There are ${filterKeys.join(', ')}.` };
  return { text, negated, key, value, problem: problemOf(key, value) };
}

function problemOf(key: FilterKey, value: string): string | null {
  if (value === '') return `Add a value after "${key}:".`;
  if (key === 'status' && !/^(?:[1-5](?:xx|\d\d)|none)$/i.test(value))
    return `"${value}" is not a status. Write one such as 404, a class such as 4xx, or none for no answer.`;
  if (key === 'since' && toMilliseconds(value) === null)
    return `"${value}" is not a duration. Write one such as 30s, 10m or 2h.`;
  return null;
}

/** `30s`, `10m`, `2h`, `1d` in milliseconds; null for anything else. */
function toMilliseconds(text: string): number | null {
  const [, amount, unit] = /^(\d{1,6})([smhd])$/i.exec(text) ?? [];
  const units: { readonly [unit: string]: number } = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
  return amount === undefined ? null : Number(amount) * (units[unit?.toLowerCase() ?? ''] ?? 0);
}

/** Whether a row passes: one of the terms of each key, all of the words, none of the excluded ones. */
export function toPredicate(terms: readonly Term[], facts: FilterFacts): ((row: RequestSummary) => boolean) | null {
  const sound = terms.filter(({ problem }) => problem === null);
  if (sound.length === 0) return null;
  const wanted = groupBy(
    sound.filter(({ negated }) => !negated),
    ({ key, value }) => key ?? `word ${value}`,
  );
  const unwanted = sound.filter(({ negated }) => negated);
  return (row) =>
    unwanted.every((term) => !matches(row, term, facts)) &&
    [...wanted.values()].every((group) => group.some((term) => matches(row, term, facts)));
}

function matches(row: RequestSummary, { key, value }: Term, facts: FilterFacts): boolean {
  const wanted = value.toLowerCase();
  const holds = (text: string | null): boolean => text !== null && text.toLowerCase().includes(wanted);
  switch (key) {
    case 'status':
      return wanted === 'none' ? row.status === null : String(row.status).startsWith(wanted.replace('xx', ''));
    case 'method':
      return row.method.toLowerCase() === wanted;
    case 'path':
      return holds(row.url);
    case 'operation':
      return holds(row.operation);
    case 'rule':
      return holds(row.rule) || (wanted === 'fault' && row.fault !== null);
    case 'token':
      return facts.credentialWords(row.credentialId).includes(wanted);
    case 'since':
      return Date.parse(row.wallAt) >= facts.now - (toMilliseconds(value) ?? 0);
    case 'body':
      return facts.bodyHolds(row.id, value);
    case null:
      return holds(row.url) || holds(row.operation) || holds(row.rule) || holds(row.id);
  }
}
