import { onBeforeUpdate, onUpdated, type ShallowRef } from 'vue';

/**
 * Keeps the keyboard focus in a part of the page if an update removes what had it: of the elements that the selector names, the
 * one at the same place gets it, else the last one, else the part itself (with tabindex -1).
 * @param selector elements of which one may have had the focus; if none of them had, the first one gets it
 */
export function useHeldFocus(root: Readonly<ShallowRef<HTMLElement | null>>, selector: string): void {
  let held: number | null = null;
  const find = (): HTMLElement[] => [...(root.value?.querySelectorAll<HTMLElement>(selector) ?? [])];
  onBeforeUpdate(() => {
    const focused = document.activeElement;
    held = root.value?.contains(focused) ? find().findIndex((one) => one === focused) : null;
  });
  onUpdated(() => {
    if (held === null || document.activeElement !== document.body) return;
    const found = find();
    (found[Math.max(0, Math.min(held, found.length - 1))] ?? root.value)?.focus();
  });
}
