import type { RequestSummary } from '../../../emulator/control/protocol.ts';
import { groupBy } from '../../group.ts';
import { toSpan } from './when.ts';

export const filterKeys = [
  'status',
  'method',
  'path',
  'operation',
  'user',
  'rule',
  'at',
  'test',
  'token',
  'source',
  'body',
  'header',
  'duration',
  'since',
  'until',
] as const;
export type FilterKey = (typeof filterKeys)[number];

/** One part of a filter. `problem` is a sentence where it cannot filter: it never does so in silence. */
export interface Term {
  readonly text: string;
  readonly negated: boolean;
  /** Null for a bare word, which looks in path, operation, rule, id, and whom it was about. */
  readonly key: FilterKey | null;
  readonly value: string;
  readonly problem: string | null;
}

/** What only the server can look into. */
export type Searched = 'body' | 'header';

/** What a filter cannot know from a row alone. */
export interface FilterFacts {
  /** On the virtual clock, epoch milliseconds. */
  readonly now: number;
  readonly zone: 'UTC' | 'local';
  /** Words by which a credential may be called, in lower case. */
  credentialWords(credentialId: string | null): string;
  /** Whether the bodies or the headers of the request hold the text, as the server found out. */
  holds(id: string, where: Searched, text: string): boolean;
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
  if (key === 'duration' && !durationForm.test(value))
    return `"${value}" is not a duration. Write milliseconds such as >500 or <20.`;
  if (key === 'source' && !['client', 'window'].includes(value.toLowerCase()))
    return `"${value}" is not a source. Write client or window.`;
  if ((key === 'since' || key === 'until') && toSpan(value, 0, 'UTC') === null)
    return `"${value}" is not a time. Write one such as 10m, 2h, yesterday, 13:54 or 2026-11-30.`;
  return null;
}

const durationForm = /^(>=?|<=?)?(\d{1,9})(?:ms)?$/;

function lasted(ms: number | null, value: string): boolean {
  const [, sign = '>=', amount] = durationForm.exec(value) ?? [];
  if (ms === null) return false;
  const than = Number(amount);
  if (sign.startsWith('>')) return sign === '>' ? ms > than : ms >= than;
  return sign === '<' ? ms < than : ms <= than;
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
    case 'user':
      return holds(row.about);
    case 'at':
      return holds(row.calledFrom?.place ?? null);
    case 'test':
      return holds(row.calledFrom?.test ?? null);
    case 'source':
      return row.source === wanted;
    case 'duration':
      return lasted(row.durationMs, value);
    case 'since':
      return Date.parse(row.at) >= (toSpan(value, facts.now, facts.zone)?.from ?? 0);
    case 'until':
      return Date.parse(row.at) < (toSpan(value, facts.now, facts.zone)?.to ?? Infinity);
    case 'body':
    case 'header':
      return facts.holds(row.id, key, value);
    case null:
      return [row.url, row.operation, row.rule, row.id, row.about, row.graphql].some(holds);
  }
}
