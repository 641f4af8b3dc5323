import type { RefusalView } from '../../../emulator/control/protocol.ts';

/** What a rule is about, to be drawn. */
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
  /** The part of it that both share. */
  readonly shared: { readonly from: number; readonly width: number } | null;
}

/** A picture of a refusal, where its rule has one. */
export function toPicture({ rule, message, value }: RefusalView): Picture | null {
  if (rule === 'auth.scope') return toScopes(message, value);
  return rule === 'offers.range-overlap' ? toRanges(message) : null;
}

function toScopes(message: string, value: unknown): Picture | null {
  const [, names] = /needs the scope (.+?);/.exec(message) ?? [];
  if (names === undefined || !Array.isArray(value)) return null;
  return { kind: 'scopes', needed: names.split(/,? (?:or|and) |, /), held: value.map(String) };
}

function toRanges(message: string): Picture | null {
  const [wantedFrom, wantedTo, storedFrom, storedTo] = [...message.matchAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g)].map(([iso]) =>
    Date.parse(iso),
  );
  if (wantedFrom === undefined || wantedTo === undefined || storedFrom === undefined || storedTo === undefined)
    return null;
  const first = Math.min(wantedFrom, storedFrom);
  const span = Math.max(wantedTo, storedTo) - first;
  if (!(span > 0)) return null;
  const percent = (ms: number): number => Math.round((ms / span) * 1000) / 10;
  const shared = {
    from: percent(Math.max(wantedFrom, storedFrom) - first),
    width: percent(Math.min(wantedTo, storedTo) - Math.max(wantedFrom, storedFrom)),
  };
  const bar = (name: string, from: number, to: number, isShared: boolean): Bar => ({
    name,
    label: `${toDay(from)} to ${toDay(to)}`,
    from: percent(from - first),
    width: percent(to - from),
    shared: isShared ? shared : null,
  });
  const ends = [...new Set([storedFrom, storedTo, wantedFrom, wantedTo])].sort((one, other) => one - other);
  return {
    kind: 'ranges',
    ticks: ends.map((at) => ({ label: toDay(at), at: percent(at - first) })),
    bars: [bar('stored', storedFrom, storedTo, false), bar('this one', wantedFrom, wantedTo, true)],
  };
}

/** `5 Dec`; with the time where it is no midnight. */
function toDay(ms: number): string {
  const isDay = ms % 86_400_000 === 0;
  return new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    ...(isDay ? {} : { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' }),
    timeZone: 'UTC',
  }).format(ms);
}
