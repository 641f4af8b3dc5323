import type { ShallowRef } from 'vue';
import { nextTick, watch } from 'vue';
import { focusedOutside } from './overlay.ts';
import { focusView } from './view-focus.ts';

/**
 * Keeps the focus for a list that is hidden while its filter matches nothing. If the list had it, the pane gets it, so
 * that Tab goes on from there. When rows are shown again, the list gets the focus, unless another element has it.
 * @param isShown whether anything is listed
 * @param unfilter lists everything again
 * @returns a function that leaves the filter field: it goes to the list or, if nothing matches, clears the filter
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
      const isFree = document.activeElement === document.body || document.activeElement?.matches('.listpane');
      if (shown && wasGone && isFree) list.value?.focus();
      if (!shown) void focusView();
      wasGone = !shown;
    },
    { flush: 'post' },
  );
  return () => {
    if (isShown()) return list.value?.focus();
    // The list gets the focus once it is drawn. Until then, keys are for the view, not text.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    wasGone = true;
    unfilter();
  };
}

/**
 * Moves the focus to the list when its first rows arrive, if the button of the empty list had it: that button
 * disappears.
 * @param isEmpty whether nothing is listed
 */
export function useFilledFocus(isEmpty: () => boolean, focusList: () => void): void {
  watch(isEmpty, async (is) => {
    const focused = focusedOutside();
    if (is || !focused?.isConnected || !focused.closest('.empty')) return;
    await nextTick();
    if (!focused.isConnected) focusList();
  });
}
