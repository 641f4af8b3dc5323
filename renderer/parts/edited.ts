import { computed, shallowRef, watch, type ShallowRef } from 'vue';
import { useToasts } from '../kit/toasts.ts';
import { whenReplaced } from '../live/connection.ts';

/**
 * What a view has open in a sheet; null if nothing is. After the world was replaced, the id of a record may be that of
 * another one: what is open about a record is closed then, and a toast says so.
 * @param isAboutRecord whether that is about a record, in contrast to a form for a new one
 */
export function useOpened<Opened>(isAboutRecord: (opened: Opened) => boolean): ShallowRef<Opened | null> {
  const opened = shallowRef(null) as ShallowRef<Opened | null>;
  whenReplaced(() => {
    if (opened.value === null || !isAboutRecord(opened.value)) return;
    opened.value = null;
    useToasts().refuse('All records were replaced, so the sheet about one of them was closed.');
  });
  return opened;
}

/**
 * The sheet of a view, in which a record is made or changed.
 * @param records as they are now: another window may change one under the open sheet
 */
export function useEdited<R extends { readonly id: string }>(records: () => readonly R[]) {
  /** What is open in it; null if it is closed. */
  const sheet = useOpened<R | 'new'>((opened) => opened !== 'new');
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

/**
 * The id of the record that is chosen in a form. After the world was replaced it is empty, if there is no such record now.
 * @param records among which it is chosen
 */
export function useChosenId(initial: string, records: () => readonly { readonly id: string }[]): ShallowRef<string> {
  const chosen = shallowRef(initial);
  let mayBeGone = false;
  whenReplaced(() => (mayBeGone = true));
  watch(records, (known) => {
    if (mayBeGone && !known.some(({ id }) => id === chosen.value)) chosen.value = '';
    mayBeGone = false;
  });
  return chosen;
}
