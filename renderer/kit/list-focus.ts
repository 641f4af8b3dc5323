import type { ShallowRef } from 'vue';
import { watch } from 'vue';

/**
 * Keeps the keyboard in a list that is not there while a filter hides all of it: once it is back it has the focus again, if
 * nothing else has.
 * @param isShown whether anything is listed
 * @param unfilter lists everything again
 * @returns leaves the field of the filter: into the list, or, where nothing matches, to all that there is
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
