import type { ShallowRef } from 'vue';
import { watch } from 'vue';

/**
 * Keeps the focus for a list that is not shown while its filter matches nothing: when rows are shown again, the list gets the
 * focus, unless something else has it.
 * @param isShown whether anything is listed
 * @param unfilter lists everything again
 * @returns leaves the field of the filter: goes into the list or, where nothing matches, clears the filter
 */
export function useListFocus(
  list: Readonly<ShallowRef<{ focus(): void } | null>>,
  isShown: () => boolean,
  unfilter: () => void,
): () => void {
  let wasGone = false;
  watch(
    isShown,
    (shown) => {
      if (shown && wasGone && document.activeElement === document.body) list.value?.focus();
      wasGone = !shown;
    },
    { flush: 'post' },
  );
  return () => {
    if (isShown()) return list.value?.focus();
    // The list has the focus when it is drawn; until then keys are the view's, not text.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    wasGone = true;
    unfilter();
  };
}
