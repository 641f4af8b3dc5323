import type { ShallowRef } from 'vue';
import { nextTick, watch } from 'vue';
import { focusedOutside } from './overlay.ts';

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

/**
 * What is said where nothing is listed goes with its button once there is something: if the button had the focus, the list
 * gets it.
 * @param isEmpty nothing is listed
 */
export function useFilledFocus(isEmpty: () => boolean, focusList: () => void): void {
  watch(isEmpty, async (is) => {
    const focused = focusedOutside();
    if (is || !focused?.isConnected || !focused.closest('.empty')) return;
    await nextTick();
    if (!focused.isConnected) focusList();
  });
}
