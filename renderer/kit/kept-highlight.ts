import { shallowReadonly, shallowRef, type ShallowRef } from 'vue';

/**
 * For a Reka list with a field over it, in which Enter chooses the highlighted line: the line stays highlighted when
 * the pointer leaves the list, or the list shrinks away from the pointer.
 * @param root the list
 * @returns listeners of the list, and the value of the highlighted line
 */
export function useKeptHighlight(root: Readonly<ShallowRef<{ highlightItem(value: string): void } | null>>) {
  const highlighted = shallowRef('');
  return {
    listeners: {
      onHighlight: (item?: { readonly value: unknown }): void => void (highlighted.value = String(item?.value ?? '')),
      onLeave: (): void => root.value?.highlightItem(highlighted.value),
    },
    highlighted: shallowReadonly(highlighted),
  };
}

/** Of the field, while the list is empty: otherwise the field names an option that is gone. */
export const noHighlight = { 'aria-activedescendant': undefined };
