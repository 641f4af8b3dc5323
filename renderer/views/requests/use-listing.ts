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
  /** As written in the address. */
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
  /** How many matching rows came since the list is held still; never more than are listed. */
  readonly newer: ComputedRef<number>;
  /** Since when it is paused, as a time of day. */
  readonly pausedAt: ShallowRef<string | null>;
  /** The list was scrolled away from its top, or back. */
  hold(scrolled: boolean): void;
  /** Shows what is new, and goes on. */
  follow(): void;
  pause(on: boolean): void;
}

type Rows = readonly RequestSummary[];

/** Which of the recorded requests are listed, and holds them still while the person reads or has paused them. */
export function useListing(
  { predicate, predicateOf }: Pick<Filtering, 'predicate' | 'predicateOf'>,
  show: Ref<string>,
  saved: Ref<readonly SavedView[]>,
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
  // Any number of filters over all rows is too much for every frame.
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
  /** The rows as they were when the list was held. They stay, even if the ring has left them behind. */
  const held = shallowRef<Rows | null>(null);
  watch(isHeld, (now) => (held.value = now ? requests.rows : null), { flush: 'sync' });
  // After clearing or a restart there is nothing to hold.
  watch(
    () => requests.rows,
    (rows) => {
      const [newest, last] = [rows.at(-1)?.sequence ?? 0, held.value?.at(-1)?.sequence ?? 0];
      if (!held.value || newest >= last) return;
      scrolled.value = false;
      if (held.value) held.value = [];
    },
  );
  // What is older may be listed meanwhile.
  watch(
    () => requests.rows[0]?.sequence ?? 0,
    (first) => {
      const [oldest] = held.value ?? [];
      if (held.value && oldest && first < oldest.sequence)
        held.value = [...requests.rows.filter(({ sequence }) => sequence < oldest.sequence), ...held.value];
    },
  );

  function pick(rows: Rows): Rows {
    const { show: which, test } = shownQuick.value;
    const passes = predicate.value;
    const from = which === 'pinned' ? [...requests.pinned.values()] : rows;
    return !passes && which === '' ? from : from.filter((row) => test(row) && (passes?.(row) ?? true));
  }
  const shown = computed(() => pick(held.value ?? requests.rows));
  const newer = computed(() => {
    if (!held.value || shownQuick.value.show === 'pinned') return 0;
    const last = held.value.at(-1)?.sequence ?? 0;
    const from = requests.rows.findLastIndex(({ sequence }) => sequence <= last) + 1;
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
      if (held.value) held.value = requests.rows;
    },
    pause(on) {
      pausedAt.value = on ? toTime(now.virtual, zone.zone) : null;
      if (!on) scrolled.value = false;
    },
  };
}
