import type { RequestSummary } from '../../../emulator/control/calls.ts';
import { groupBy } from '../../group.ts';
import { parseTerms, type Grammar, type Term as KitTerm } from '../../kit/filter-terms.ts';
import { toSpan } from '../../kit/when.ts';

export const filterKeys = [
  'status',
  'method',
  'path',
  'operation',
  'user',
  'company',
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

export type Term = KitTerm<FilterKey>;

/** The parts of a request that only the server can search. */
export type Searched = 'body' | 'header';

/** Facts that a filter needs in addition to the row. */
export interface FilterFacts {
  /** On the virtual clock, epoch milliseconds. */
  readonly now: number;
  readonly zone: 'UTC' | 'local';
  /** The name and the id of a company, in lower case. */
  companyWords(companyId: string | null): string;
  /** Words that name a credential, in lower case. */
  credentialWords(credentialId: string | null): string;
  /** Whether the bodies or the headers of the request contain the text, as the server found. */
  holds(id: string, where: Searched, text: string): boolean;
}

const hints: { readonly [key in FilterKey]: string } = {
  status: '404, 4xx, none',
  method: 'GET, POST …',
  path: 'a part of the path',
  operation: 'POST /subscriptions',
  token: 'whose key it was',
  body: 'a text in either body',
  rule: 'why it was refused',
  at: 'the place in your program, such as shop.ts:42',
  test: 'the test that sent it',
  since: '10m, 13:54, yesterday, 2026-11-30',
  until: '10m, 13:54, yesterday, 2026-11-30',
  user: 'whom it was about: a phone, an email, an id',
  company: 'whose key it was sent with: a name, an id',
  header: 'a text in the headers, such as user-agent: curl',
  duration: 'milliseconds: >500, <20',
  source: 'client, window',
};

export const requestGrammar: Grammar<FilterKey> = {
  keys: filterKeys,
  hints,
  placeholder: 'status:4xx  user:  rule:  -method:GET',
  problemOf,
};

/** Parses a filter. A bare word searches path, operation, rule, id and subject. */
export function parseFilter(text: string): readonly Term[] {
  return parseTerms(text, requestGrammar);
}

function problemOf(key: FilterKey, value: string): string | null {
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

type Test = (row: RequestSummary) => boolean;

/**
 * Returns a test for rows. A row must match one term of each key and all words, but no excluded term. Null without a
 * valid term.
 */
export function toPredicate(terms: readonly Term[], facts: FilterFacts): Test | null {
  const sound = terms.filter(({ problem }) => problem === null).map((term) => ({ ...term, test: toTest(term, facts) }));
  if (sound.length === 0) return null;
  const wanted = groupBy(
    sound.filter(({ negated }) => !negated),
    ({ key, value }) => key ?? `word ${value}`,
  );
  const unwanted = sound.filter(({ negated }) => negated);
  return (row) =>
    unwanted.every(({ test }) => !test(row)) &&
    [...wanted.values()].every((group) => group.some(({ test }) => test(row)));
}

/** Returns the test of a row for a term. It interprets the term, above all a time, only once for all rows. */
function toTest({ key, value }: Term, facts: FilterFacts): Test {
  const wanted = value.toLowerCase();
  const holds = (text: string | null): boolean => text !== null && text.toLowerCase().includes(wanted);
  switch (key) {
    case 'status': {
      if (wanted === 'none') return (row) => row.status === null;
      const begin = wanted.replace('xx', '');
      return (row) => String(row.status).startsWith(begin);
    }
    case 'method':
      return (row) => row.method.toLowerCase() === wanted;
    case 'path':
      return (row) => holds(row.url);
    case 'operation':
      return (row) => holds(row.operation);
    case 'rule':
      return (row) => holds(row.rule) || (wanted === 'fault' && row.fault !== null);
    case 'token':
      return (row) => facts.credentialWords(row.credentialId).includes(wanted);
    case 'company':
      return (row) => facts.companyWords(row.companyId).includes(wanted);
    case 'user':
      return (row) => holds(row.about);
    case 'at':
      return (row) => holds(row.calledFrom?.place ?? null);
    case 'test':
      return (row) => holds(row.calledFrom?.test ?? null);
    case 'source':
      return (row) => row.source === wanted;
    case 'duration':
      return (row) => lasted(row.durationMs, value);
    case 'since': {
      const { from = 0 } = toSpan(value, facts.now, facts.zone) ?? {};
      return (row) => Date.parse(row.at) >= from;
    }
    case 'until': {
      const { to = Infinity } = toSpan(value, facts.now, facts.zone) ?? {};
      return (row) => Date.parse(row.at) < to;
    }
    case 'body':
    case 'header':
      return (row) => facts.holds(row.id, key, value);
    case null:
      return (row) => [row.url, row.operation, row.rule, row.id, row.about, row.graphql].some(holds);
  }
}
