import { useVirtualizer } from '@tanstack/vue-virtual';
import { useEventListener } from '@vueuse/core';
import { computed, onUpdated, shallowRef, watch } from 'vue';
import { showPlace } from './show-in-view.ts';

export interface VirtualRowsOptions {
  readonly count: () => number;
  /** In pixels; for measured rows, the most common height. */
  readonly rowHeight: () => number;
  /** The element that scrolls. */
  readonly scroller: () => HTMLElement | null;
  /** The key by which a row keeps its measured height; by default its index. */
  readonly keyOf?: (index: number) => number | string;
  /** Pixels between the top of the scroll area and the first row. */
  readonly margin?: () => number;
  /** The number of rows drawn on either side of the visible ones. */
  readonly overscan?: number;
  /** The key by which the row at the top is found, and stays there, when others arrive above it; by default `keyOf`. */
  readonly stayOn?: (index: number) => PropertyKey;
  /** Whether the rows are those of an earlier search: the next ones begin where they begin. */
  readonly isOld?: () => boolean;
  /** Called with the first and the last row drawn now: the time to read them. */
  readonly onSeen?: (first: number, last: number) => void;
}

/** The number of rows printed before and after the visible ones, because nothing scrolls on paper. */
const aroundOnPaper = 1_000;

/** Draws only the visible rows of a long list, and a few around them. */
export function useVirtualRows({
  count,
  rowHeight,
  scroller,
  margin = () => 0,
  overscan = 8,
  keyOf = (index) => index,
  stayOn = keyOf,
  isOld = () => false,
  onSeen,
}: VirtualRowsOptions) {
  // A media query would be too late: the page is laid out by then.
  const isPaper = shallowRef(false);
  useEventListener('beforeprint', () => void (isPaper.value = true));
  useEventListener('afterprint', () => void (isPaper.value = false));
  const virtualizer = useVirtualizer(
    computed(() => ({
      count: count(),
      getScrollElement: scroller,
      estimateSize: rowHeight,
      scrollMargin: margin(),
      overscan: isPaper.value ? aroundOnPaper : overscan,
      getItemKey: keyOf,
    })),
  );
  watch(rowHeight, () => virtualizer.value.measure());
  const rows = computed(() => virtualizer.value.getVirtualItems());
  /** Scrolls to a row, and scrolls the elements around the list so that the row is visible. */
  function scrollTo(index: number, align: 'auto' | 'center' | 'start' = 'auto'): void {
    virtualizer.value.scrollToIndex(index, { align });
    const [box, row] = [scroller(), virtualizer.value.measurementsCache[index]];
    if (!box || !row) return;
    showPlace(box, () => {
      const { top, left, right } = box.getBoundingClientRect();
      const start = top + box.clientTop + row.start - box.scrollTop;
      return { top: start, bottom: start + row.size, left, right };
    });
  }

  /** The row at the upper edge, and its distance from the first one; null at the beginning of the list. */
  let edge: { readonly index: number; readonly key: PropertyKey; readonly start: number } | null = null;
  const isBeyondFirst = (): boolean => (scroller()?.scrollTop ?? 0) - margin() > rowHeight() / 2;
  function noteEdge(): void {
    const row = rows.value.find(({ end }) => end > (scroller()?.scrollTop ?? 0));
    edge =
      row && isBeyondFirst() && !isOld()
        ? { index: row.index, key: stayOn(row.index), start: row.start - margin() }
        : null;
  }
  /** The index of the row with this key that is nearest to `from`; -1 if it is gone. */
  function indexNear(from: number, key: PropertyKey): number {
    for (let by = 0; by < count(); by += 1)
      for (const index of [from + by, from - by])
        if (index >= 0 && index < count() && stayOn(index) === key) return index;
    return -1;
  }
  onUpdated(() => {
    const box = scroller();
    if (box && edge && isBeyondFirst()) {
      const now = indexNear(edge.index, edge.key);
      const { start } = virtualizer.value.measurementsCache[now] ?? {};
      if (start !== undefined && now !== edge.index) box.scrollTop += start - margin() - edge.start;
    }
    noteEdge();
  });
  if (onSeen) watch(rows, (drawn) => onSeen(drawn[0]?.index ?? 0, drawn.at(-1)?.index ?? 0));
  return {
    /** The rows to draw: `index`, and `start` in pixels below the top of the scroll area. */
    rows,
    /** The height of all rows, in pixels. */
    height: computed(() => virtualizer.value.getTotalSize()),
    scrollTo,
    /** The `ref` of rows with different heights, which carry `data-index`. */
    measure: (element: unknown): void => {
      if (element === null || element instanceof HTMLElement) virtualizer.value.measureElement(element);
    },
  };
}
