import type { RefusalView } from '../../../emulator/control/calls.ts';

/** The content of a drawing that explains a refusal. */
export type Picture =
  | { readonly kind: 'scopes'; readonly needed: readonly string[]; readonly held: readonly string[] }
  | { readonly kind: 'ranges'; readonly ticks: readonly Tick[]; readonly bars: readonly Bar[] };

export interface Tick {
  readonly label: string;
  /** From the left, in percent of the width. */
  readonly at: number;
}

export interface Bar {
  readonly name: string;
  readonly label: string;
  readonly from: number;
  readonly width: number;
  /** The part that both ranges share. */
  readonly shared: { readonly from: number; readonly width: number } | null;
}

/** The drawing for a refusal, if its rule has one. Requests of earlier versions have no facts, and so no drawing. */
export function toPicture({ rule, facts }: RefusalView): Picture | null {
  if (rule === 'auth.scope') return toScopes(facts);
  return rule === 'offers.range-overlap' ? toRanges(facts) : null;
}

type Facts = RefusalView['facts'];

function toScopes({ needed, held }: Facts): Picture | null {
  if (!Array.isArray(needed) || !Array.isArray(held)) return null;
  return { kind: 'scopes', needed: needed.map(String), held: held.map(String) };
}

/** The start and the stop of a range, epoch milliseconds. */
function toEnds(range: unknown): readonly [number, number] {
  const { start, stop } = (range ?? {}) as { readonly start?: string; readonly stop?: string };
  return [Date.parse(start ?? ''), Date.parse(stop ?? '')];
}

function toRanges({ range, stored }: Facts): Picture | null {
  const [wantedFrom, wantedTo] = toEnds(range);
  const [storedFrom, storedTo] = toEnds(stored);
  const first = Math.min(wantedFrom, storedFrom);
  const span = Math.max(wantedTo, storedTo) - first;
  if (!(span > 0)) return null;
  const yearOf = (ms: number): number => new Date(ms).getUTCFullYear();
  const crossesYears = yearOf(first) !== yearOf(first + span);
  const toLabel = (ms: number): string => toDay(ms, crossesYears);
  const percent = (ms: number): number => Math.round((ms / span) * 1000) / 10;
  const shared = {
    from: percent(Math.max(wantedFrom, storedFrom) - first),
    width: percent(Math.min(wantedTo, storedTo) - Math.max(wantedFrom, storedFrom)),
  };
  const bar = (name: string, from: number, to: number, isShared: boolean): Bar => ({
    name,
    label: `${toLabel(from)} to ${toLabel(to)}`,
    from: percent(from - first),
    width: percent(to - from),
    shared: isShared ? shared : null,
  });
  const ends = [...new Set([storedFrom, storedTo, wantedFrom, wantedTo])].sort((one, other) => one - other);
  return {
    kind: 'ranges',
    ticks: ends.map((at) => ({ label: toLabel(at), at: percent(at - first) })),
    bars: [bar('stored', storedFrom, storedTo, false), bar('this one', wantedFrom, wantedTo, true)],
  };
}

/** `5 Dec`, or `5 Dec 2026`; with the time unless it is midnight. */
function toDay(ms: number, withYear: boolean): string {
  const isDay = ms % 86_400_000 === 0;
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(withYear ? { year: 'numeric' } : {}),
    ...(isDay ? {} : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    timeZone: 'UTC',
  }).format(ms);
}
