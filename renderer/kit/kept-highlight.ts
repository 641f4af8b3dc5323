import type { ShallowRef } from 'vue';

/**
 * For a list of Reka with a field over it, of which Enter chooses the highlighted line: the line stays highlighted when the pointer
 * leaves the list, or the list shrinks away from it.
 * @param root the list
 * @returns listeners of the list, and the value of the highlighted line
 */
export function useKeptHighlight(root: Readonly<ShallowRef<{ highlightItem(value: string): void } | null>>) {
  let highlighted = '';
  return {
    listeners: {
      onHighlight: (item?: { readonly value: unknown }): void => void (highlighted = String(item?.value ?? '')),
      onLeave: (): void => root.value?.highlightItem(highlighted),
    },
    current: (): string => highlighted,
  };
}
