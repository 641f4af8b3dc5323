import { useEventListener } from '@vueuse/core';
import { onBeforeUpdate, onUpdated, type ShallowRef } from 'vue';

/** When a part of the page disappears with its focused button, the element focused before gets the focus again. */
export function useFocusBefore(root: Readonly<ShallowRef<HTMLElement | null>>): void {
  let before: EventTarget | null = null;
  let hadFocus = false;
  useEventListener(root, 'focusin', ({ relatedTarget }: FocusEvent) => {
    if (!(relatedTarget instanceof Node && root.value?.contains(relatedTarget))) before = relatedTarget;
  });
  onBeforeUpdate(() => (hadFocus = root.value?.contains(document.activeElement) ?? false));
  onUpdated(() => {
    if (hadFocus && root.value === null && before instanceof HTMLElement) before.focus({ preventScroll: true });
    hadFocus = false;
  });
}
