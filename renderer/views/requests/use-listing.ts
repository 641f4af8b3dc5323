import { refThrottled } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef, type Ref, type ShallowRef } from 'vue';
import type { RequestSummary } from '../../../emulator/control/calls.ts';
import { toTime } from '../../format.ts';
import { useNow } from '../../live/now.ts';
import { useRequests } from '../../live/requests.ts';
import { useZone } from '../../live/zone.ts';
import type { SavedView } from './saved-views.ts';
import type { Filtering } from './use-filter.ts';

/** A choice of rows in addition to the filter. */
export interface QuickView {
  readonly name: string;
  /** The value in the address. */
  readonly show: string;
  test(row: RequestSummary): boolean;
}

export interface Listing {
  readonly quick: readonly QuickView[];
  readonly shownQuick: ComputedRef<QuickView>;
  /** By the name of the quick view. */
  readonly counts: ComputedRef<{ readonly [name: string]: number }>;
  /** By the filter of a saved view. */
  readonly savedCounts: ComputedRef<ReadonlyMap<string, number>>;
  /** Oldest first. */
  readonly shown: ComputedRef<readonly RequestSummary[]>;
  /** The number of matching rows that arrived since the list was held still; at most as many as are listed. */
  readonly newer: ComputedRef<number>;
  /** The time of day at which the list was paused; null if it is not. */
  readonly pausedAt: ShallowRef<string | null>;
  /** Reports whether the list was scrolled away from its top. */
  hold(scrolled: boolean): void;
  /** Shows the new rows, and follows further ones. */
  follow(): void;
  pause(on: boolean): void;
}

type Rows = readonly RequestSummary[];

interface Held {
  readonly rows: Rows;
  /** The sequence number of the newest row, which stays even if that row is deleted. */
  readonly until: number;
}

const toHeld = (rows: Rows): Held => ({ rows, until: rows.at(-1)?.sequence ?? 0 });

/**
 * Whether only newer rows were added, for which the oldest may have made room. A list read again has new row objects.
 */
function isLonger(rows: Rows, before: Rows): boolean {
  const [newest, oldest] = [before.at(-1), before[0]];
  return rows.findLast((row) => row === newest) !== undefined && (rows[0]?.sequence ?? 0) >= (oldest?.sequence ?? 0);
}

/**
 * Decides which recorded requests are listed, and holds them still while the person reads or has paused the list.
 * @param isAway whether the list is scrolled away from its top, which the browser reports to `hold` only later
 */
export function useListing(
  { predicate, predicateOf }: Pick<Filtering, 'predicate' | 'predicateOf'>,
  show: Ref<string>,
  saved: Ref<readonly SavedView[]>,
  isAway: () => boolean,
): Listing {
  const requests = useRequests();
  const zone = useZone();
  const now = useNow();
  const quick: readonly QuickView[] = [
    { name: 'All', show: '', test: () => true },
    { name: 'Refused', show: 'refused', test: (row) => row.rule !== null },
    { name: '5xx', show: '5xx', test: (row) => (row.status ?? 0) >= 500 },
    { name: 'From the window', show: 'window', test: ({ source }) => source === 'window' },
    { name: 'Pinned', show: 'pinned', test: (row) => requests.pinned.has(row.id) },
  ];
  const shownQuick = computed(() => quick.find((one) => one.show === show.value) ?? quick[0]!);

  const counts = computed(() => {
    let [refused, broken, window] = [0, 0, 0];
    for (const row of requests.rows) {
      if (row.rule !== null) refused += 1;
      if ((row.status ?? 0) >= 500) broken += 1;
      if (row.source === 'window') window += 1;
    }
    return {
      All: requests.rows.length,
      Refused: refused,
      '5xx': broken,
      'From the window': window,
      Pinned: requests.pinned.size,
    };
  });
  // Applying any number of filters to all rows is too much for every frame.
  const rowsNowAndThen = refThrottled(
    computed(() => requests.rows),
    500,
  );
  const savedCounts = computed(() => {
    const rows = rowsNowAndThen.value;
    return new Map(saved.value.map(({ q }) => [q, rows.filter(predicateOf(q) ?? (() => true)).length]));
  });

  const pausedAt = shallowRef<string | null>(null);
  const scrolled = shallowRef(false);
  const isHeld = computed(() => scrolled.value || pausedAt.value !== null);
  /** The rows at the time when the list was held. They stay, even after they left the ring. */
  const held = shallowRef<Held | null>(null);
  watch(isHeld, (now) => (held.value = now ? toHeld(requests.rows) : null), { flush: 'sync' });
  // Rows may be deleted or restored meanwhile, and older ones listed.
  watch(
    () => requests.rows,
    (rows, before) => {
      if (!held.value && isAway()) {
        scrolled.value = true;
        held.value = toHeld(before);
      }
      if (!held.value || isLonger(rows, before)) return;
      const { rows: were, until } = held.value;
      const first = rows[0]?.sequence ?? 0;
      const left = requests.older === 0 ? [] : were.filter(({ sequence }) => sequence < first);
      const still = [...left, ...rows.filter(({ sequence }) => sequence <= until)];
      // After clearing or a restart there is nothing to hold.
      if (still.length === 0) scrolled.value = false;
      if (held.value) held.value = { rows: still, until };
    },
  );

  function pick(rows: Rows): Rows {
    const { show: which, test } = shownQuick.value;
    const passes = predicate.value;
    const from = which === 'pinned' ? [...requests.pinned.values()] : rows;
    return !passes && which === '' ? from : from.filter((row) => test(row) && (passes?.(row) ?? true));
  }
  const shown = computed(() => pick(held.value?.rows ?? requests.rows));
  const newer = computed(() => {
    if (!held.value || shownQuick.value.show === 'pinned') return 0;
    const { until } = held.value;
    const from = requests.rows.findLastIndex(({ sequence }) => sequence <= until) + 1;
    return pick(requests.rows.slice(from)).length;
  });

  return {
    quick,
    shownQuick,
    counts,
    savedCounts,
    shown,
    newer,
    pausedAt,
    hold: (is) => (scrolled.value = is),
    follow() {
      scrolled.value = false;
      if (held.value) held.value = toHeld(requests.rows);
    },
    pause(on) {
      pausedAt.value = on ? toTime(now.virtual, zone.zone) : null;
      if (!on) scrolled.value = false;
    },
  };
}
