import { computed, inject, provide, type ComputedRef, type InjectionKey } from 'vue';

/** What is searched for. */
export const searchKey: InjectionKey<ComputedRef<string>> = Symbol('settings search');
const groupKey: InjectionKey<string> = Symbol('settings group');

/** What is searched for; every row below asks whether it is meant. */
export function provideSearch(text: ComputedRef<string>): void {
  provide(searchKey, text);
}

/** A heading whose rows are all found by its name. */
export function provideGroup(title: string): void {
  provide(groupKey, title);
}

/** Whether a row with these texts is meant: every word is somewhere in them, or in the heading above. */
export function useIsFound(texts: () => readonly string[]): ComputedRef<boolean> {
  const text = inject(searchKey, null);
  const group = inject(groupKey, '');
  return computed(() => {
    const all = [group, ...texts()].join(' ').toLowerCase();
    const words = (text?.value ?? '').toLowerCase().split(/\s+/);
    return words.every((word) => all.includes(word));
  });
}
