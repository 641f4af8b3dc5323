import type { Query } from '../../../emulator/control/calls.ts';
import type { Grammar, Term } from '../../kit/filter-terms.ts';
import { toSpan } from '../../kit/when.ts';
import { kinds } from '../../parts/timeline-kinds.ts';

const keys = [
  'user',
  'company',
  'webhook',
  'upload',
  'kind',
  'rule',
  'is',
  'since',
  'until',
  'cause',
  'section',
] as const;
export type TimelineKey = (typeof keys)[number];

/** The filter of the timeline. */
export const timelineGrammar: Grammar<TimelineKey> = {
  keys,
  placeholder: 'user:  webhook:  upload:  kind:  since:yesterday',
  hints: {
    user: 'a phone, an email, an id',
    company: 'a name, an id',
    webhook: 'a part of its URL, or its id',
    upload: 'the id of a catalog upload',
    kind: kinds.join(', '),
    rule: 'why a request was refused',
    is: 'failed',
    since: '10m, 13:54, yesterday, 2026-11-30',
    until: '10m, 13:54, yesterday, 2026-11-30',
    cause: 'the id of a request: only what it led to',
    section: 'the id of a move of the clock: only what happened in it',
  },
  problemOf(key, value) {
    if (key === 'kind' && !(kinds as readonly string[]).includes(value.toLowerCase()))
      return `"${value}" is not a kind. Available: ${kinds.join(', ')}.`;
    if (key === 'is' && value.toLowerCase() !== 'failed') return `"${value}" is not known. Write is:failed.`;
    if ((key === 'since' || key === 'until') && toSpan(value, 0, 'UTC') === null)
      return `"${value}" is not a time. Write one such as 10m, 2h, yesterday, 13:54 or 2026-11-30.`;
    return null;
  },
  problemOfNot: () => 'The timeline has no exclusions. Remove the minus.',
};

type Companies = readonly { readonly id: string; readonly name: string }[];

export type TimelineQuery = Omit<Query<'GET /control/timeline'>, 'before' | 'after' | 'limit'>;

/** Converts the filter for the server. Of a repeated key the last value counts; of `kind`, all of them count. */
export function toQuery(
  terms: readonly Term<TimelineKey>[],
  { now, zone, companies }: { readonly now: number; readonly zone: 'UTC' | 'local'; readonly companies: Companies },
): TimelineQuery {
  const sound = terms.filter(({ problem }) => problem === null);
  const last = (key: TimelineKey): string | undefined => sound.findLast((term) => term.key === key)?.value;
  const all = (key: TimelineKey | null): readonly string[] =>
    sound.filter((term) => term.key === key).map(({ value }) => value);
  const since = last('since');
  const until = last('until');
  const toIso = (ms: number | undefined): string | undefined =>
    ms === undefined ? undefined : new Date(ms).toISOString();
  const words = all(null).join(' ');
  return {
    person: last('user'),
    companyId: toCompanyId(last('company'), companies),
    webhook: last('webhook'),
    upload: last('upload'),
    kind: all('kind').join(',').toLowerCase() || undefined,
    rule: last('rule'),
    failed: last('is') === undefined ? undefined : 'true',
    cause: last('cause'),
    section: last('section'),
    text: words === '' ? undefined : words,
    since: toIso(since === undefined ? undefined : toSpan(since, now, zone)?.from),
    until: toIso(until === undefined ? undefined : toSpan(until, now, zone)?.to),
  };
}

/** The company with this name or id, or the first one that has it in its name. A text that names none stays as it is. */
function toCompanyId(text: string | undefined, companies: Companies): string | undefined {
  const wanted = text?.toLowerCase();
  if (wanted === undefined) return undefined;
  const named = companies.find(({ id, name }) => id === text || name.toLowerCase() === wanted);
  return (named ?? companies.find(({ name }) => name.toLowerCase().includes(wanted)))?.id ?? text;
}

/** The arrangements of the timeline: followers under their cause, or every entry at its own time. */
export const byCause = 'By cause';
export const byTime = 'By time';
export const arrangements = [byCause, byTime] as const;
export type Arranged = (typeof arrangements)[number];
