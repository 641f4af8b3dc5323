import { computed, shallowRef } from 'vue';

/**
 * The sheet of a view, in which a record is made or changed.
 * @param records as they are now: another window may change one under the open sheet
 */
export function useEdited<R extends { readonly id: string }>(records: () => readonly R[]) {
  /** What is open in it; null if it is closed. */
  const sheet = shallowRef<R | 'new' | null>(null);
  return {
    sheet,
    /** The one that is changed, as it is now; null for a new one. */
    edited: computed(() => {
      const opened = sheet.value === 'new' ? null : sheet.value;
      return records().find(({ id }) => id === opened?.id) ?? opened;
    }),
    make: (): void => void (sheet.value = 'new'),
  };
}
