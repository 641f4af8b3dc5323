import { useElementSize } from '@vueuse/core';
import { computed, shallowRef, watch, type ComputedRef, type ShallowRef } from 'vue';
import { useTextScale } from './text-size.ts';

/** The height of rows with two lines, in pixels at the usual text size. */
const twoLines = 46;

/** The height of one-line rows, in pixels at the usual text size: a setting in the tokens, read at list setup. */
export function readRowHeight(): number {
  return Number.parseFloat(getComputedStyle(document.documentElement).getPropertyValue('--row-h'));
}

/**
 * The height of rows that have two lines in a narrow list, in pixels at the usual text size.
 * @param list the element whose width the rows have
 * @param widest the greatest width with two lines, in pixels at the usual text size; the styles of the rows have the
 *   same width, in em
 */
export function useRowHeight(list: Readonly<ShallowRef<HTMLElement | null>>, widest: number): ComputedRef<number> {
  const oneLine = readRowHeight();
  const isNarrow = shallowRef(false);
  const { width } = useElementSize(list);
  const scale = useTextScale();
  // A hidden list has no width. Its row height stays, so that the list keeps its place.
  watch([width, scale], ([px, times]) => px > 0 && (isNarrow.value = px <= widest * times));
  return computed(() => (isNarrow.value ? twoLines : oneLine));
}
