import { Check, Loader, TriangleAlert } from 'lucide-vue-next';
import type { Component } from 'vue';
import type { OfferRecord, OfferUploadRecord } from '../../../emulator/control/calls.ts';
import { toCount } from '../../format.ts';

/** The icon and tone of each state, so that colour is never the only sign. */
export const faces: {
  readonly [state in OfferRecord['state']]: { readonly icon: Component; readonly tone: 'ok' | 'info' | 'bad' };
} = {
  ACTIVE: { icon: Check, tone: 'ok' },
  SYNCING: { icon: Loader, tone: 'info' },
  ERROR: { icon: TriangleAlert, tone: 'bad' },
};

/** The platform's names of the windows, and their meaning for an upload. */
export const windows: {
  readonly [window in OfferRecord['window']]: { readonly label: string; readonly hint: string };
} = {
  'custom-time-period': { label: 'Custom time period', hint: 'uploads have dates' },
  'never-expire': { label: 'Never expire', hint: 'no dates' },
  'time-to-live': { label: 'Time to live', hint: 'no dates' },
};

export const windowNames = Object.keys(windows) as readonly OfferRecord['window'][];

/** A period in which codes may be given out, in milliseconds, with the codes of all uploads for it. */
export interface Pool {
  readonly key: string;
  /** Null if the uploads carry no dates. */
  readonly range: { readonly start: number; readonly stop: number } | null;
  readonly uploads: readonly OfferUploadRecord[];
  readonly codes: number;
}

/** Groups uploads by their dates, earliest first. */
export function toPools(uploads: readonly OfferUploadRecord[]): readonly Pool[] {
  const pools = new Map<string, Pool>();
  for (const upload of uploads) {
    const { distributionStart: start, distributionStop: stop } = upload;
    const key = `${start}–${stop}`;
    const known = pools.get(key);
    const range = start === null || stop === null ? null : { start: Date.parse(start), stop: Date.parse(stop) };
    pools.set(key, {
      key,
      range,
      uploads: [...(known?.uploads ?? []), upload],
      codes: (known?.codes ?? 0) + upload.codeCount,
    });
  }
  return [...pools.values()].toSorted((one, other) => (one.range?.start ?? 0) - (other.range?.start ?? 0));
}

export type PoolState = 'now' | 'later' | 'over';

/** Whether the codes of a pool may be given out at a moment. */
export function poolStateAt({ range }: Pool, now: number): PoolState {
  if (range === null) return 'now';
  if (now < range.start) return 'later';
  return now < range.stop ? 'now' : 'over';
}

/** The number of codes in each state. */
export function countStates(pools: readonly Pool[], now: number): { readonly [state in PoolState]: number } {
  const sum = (state: PoolState): number =>
    pools.filter((pool) => poolStateAt(pool, now) === state).reduce((count, { codes }) => count + codes, 0);
  return { now: sum('now'), later: sum('later'), over: sum('over') };
}

/** `1,200 codes`. */
export function toCodes(count: number): string {
  return `${toCount(count)} ${count === 1 ? 'code' : 'codes'}`;
}

const day = 86_400_000;

/** The week after now and after all used periods, in the format of an upload: from midnight UTC. */
export function nextWeek(pools: readonly Pool[], now: number): { readonly start: string; readonly stop: string } {
  const stops = pools.flatMap(({ range }) => (range === null ? [] : [range.stop]));
  const midnight = Math.ceil(Math.max(now, ...stops) / day) * day;
  return { start: toUtc(midnight), stop: toUtc(midnight + 7 * day) };
}

/** `2026-12-01T00:00:00Z`. */
export function toUtc(ms: number): string {
  return new Date(ms).toISOString().replace('.000', '');
}
