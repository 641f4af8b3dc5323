import { onBeforeUpdate, onUpdated, type ShallowRef } from 'vue';
import { focusedOutside } from './overlay.ts';

/**
 * Keeps the keyboard focus in a part of the page if an update removes the focused element, or the opener of the focused
 * menu. The focus goes to the element at the same place among those that the selector matches, else to the last one,
 * else to the part itself (with tabindex -1).
 * @param selector the elements that may have had the focus; if none of them had it, the first one gets it
 */
export function useHeldFocus(root: Readonly<ShallowRef<HTMLElement | null>>, selector: string): void {
  let focused: Element | null = null;
  let at = -1;
  const find = (): HTMLElement[] => [...(root.value?.querySelectorAll<HTMLElement>(selector) ?? [])];
  onBeforeUpdate(() => {
    // An update just removed it, and another follows before `onUpdated`.
    if (focused?.isConnected === false) return;
    focused = focusedOutside();
    if (root.value?.contains(focused)) at = find().findIndex((one) => one === focused);
    else focused = null;
  });
  onUpdated(() => {
    const isGone = focused?.isConnected === false;
    focused = null;
    if (!isGone) return;
    const found = find();
    (found[Math.max(0, Math.min(at, found.length - 1))] ?? root.value)?.focus();
  });
}
