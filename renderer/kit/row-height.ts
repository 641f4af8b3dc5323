import { useElementSize } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue';
import { useTextScale } from './text-size.ts';

/** Of rows that have two lines, in pixels at the usual size of text. */
const twoLines = 46;

/** How high rows of one line are, in pixels at the usual size of text: a setting, which the tokens know. Read when a list is set up. */
export function readRowHeight(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row-h'));
}

/**
 * How high rows are that have two lines in a narrow list, in pixels at the usual size of text.
 * @param list what the rows are as wide as
 * @param widest the width up to which they have two lines, in pixels at the usual size of text: the styles of the rows have
 *   the same, in em
 */
export function useRowHeight(list: Readonly<ShallowRef<HTMLElement | null>>, widest: number): ComputedRef<number> {
  const oneLine = readRowHeight();
  const isNarrow = shallowRef(false);
  const { width } = useElementSize(list);
  const scale = useTextScale();
  // While a list is hidden it has no width; its rows stay as high, so that it keeps its place.
  watch([width, scale], ([px, times]) => px > 0 && (isNarrow.value = px <= widest * times));
  return computed(() => (isNarrow.value ? twoLines : oneLine));
}
