import { computed, inject, provide, type ComputedRef, type InjectionKey } from 'vue';

/** The search text. */
export const searchKey: InjectionKey<ComputedRef<string>> = Symbol('settings search');
const groupKey: InjectionKey<string> = Symbol('settings group');

/** Provides the search text. Every row below checks whether it matches. */
export function provideSearch(text: ComputedRef<string>): void {
  provide(searchKey, text);
}

/** Provides a heading, whose name finds all its rows. */
export function provideGroup(title: string): void {
  provide(groupKey, title);
}

/** Whether a row with these texts matches: every word is in them, or in the heading above. */
export function useIsFound(texts: () => readonly string[]): ComputedRef<boolean> {
  const text = inject(searchKey, null);
  const group = inject(groupKey, '');
  return computed(() => {
    const all = [group, ...texts()].join(' ').toLowerCase();
    const words = (text?.value ?? '').toLowerCase().split(/\s+/);
    return words.every((word) => all.includes(word));
  });
}
