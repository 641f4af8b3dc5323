import { onBeforeUpdate, onUpdated, type ShallowRef } from 'vue';
import { focusedOutside } from './overlay.ts';

/**
 * Keeps the keyboard focus in a part of the page if an update removes what had it, or what opened the menu that had it: of the
 * elements that the selector names, the one at the same place gets it, else the last one, else the part itself (with
 * tabindex -1).
 * @param selector elements of which one may have had the focus; if none of them had, the first one gets it
 */
export function useHeldFocus(root: Readonly<ShallowRef<HTMLElement | null>>, selector: string): void {
  let focused: Element | null = null;
  let at = -1;
  const find = (): HTMLElement[] => [...(root.value?.querySelectorAll<HTMLElement>(selector) ?? [])];
  onBeforeUpdate(() => {
    // Removed by an update of just now, after which another one follows at once.
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
