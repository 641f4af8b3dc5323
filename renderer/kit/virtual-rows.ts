import { useVirtualizer } from '@tanstack/vue-virtual';
import { useEventListener } from '@vueuse/core';
import { computed, shallowRef, watch } from 'vue';
import { showPlace } from './show-in-view.ts';

export interface VirtualRowsOptions {
  readonly count: () => number;
  /** In pixels; of rows that are measured, what most of them have. */
  readonly rowHeight: () => number;
  /** The element that scrolls. */
  readonly scroller: () => HTMLElement | null;
  /** What a row keeps its measured height by; by default its index. */
  readonly keyOf?: (index: number) => number | string;
  /** Pixels between the top of what scrolls and the first row. */
  readonly margin?: () => number;
  /** How many rows are drawn on either side of those that are seen. */
  readonly overscan?: number;
  /** Called with the first and the last row that are drawn now: the time to read them. */
  readonly onSeen?: (first: number, last: number) => void;
}

/** How many rows are printed before and after those in sight, as nothing scrolls on paper. */
const aroundOnPaper = 1_000;

/** Draws of a long list the rows that are seen, and a few around them. */
export function useVirtualRows({
  count,
  rowHeight,
  scroller,
  margin = () => 0,
  overscan = 8,
  keyOf = (index) => index,
  onSeen,
}: VirtualRowsOptions) {
  // A media query would be too late: by then the page is laid out.
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
  /** Scrolls to a row, and what contains the list to where the row is seen. */
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
  if (onSeen) watch(rows, (drawn) => onSeen(drawn[0]?.index ?? 0, drawn.at(-1)?.index ?? 0));
  return {
    /** The rows to draw: `index`, and `start` in pixels below the top of what scrolls. */
    rows,
    /** Of all rows, in pixels. */
    height: computed(() => virtualizer.value.getTotalSize()),
    scrollTo,
    /** The `ref` of rows whose heights differ; they carry `data-index`. */
    measure: (element: unknown): void => {
      if (element === null || element instanceof HTMLElement) virtualizer.value.measureElement(element);
    },
  };
}
