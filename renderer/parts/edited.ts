import { computed, shallowRef, watch, type ShallowRef } from 'vue';
import { useToasts } from '../kit/toasts.ts';
import { whenReplaced } from '../live/connection.ts';

/**
 * The content of an open sheet of a view; null if none is open. After the world was replaced, the id of a record may
 * belong to another one: a sheet about a record is closed then, and a toast says so.
 * @param isAboutRecord whether a sheet is about a record, in contrast to a form for a new one
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
 * The sheet of a view in which a record is created or changed.
 * @param records the current records: another window may change one under the open sheet
 */
export function useEdited<R extends { readonly id: string }>(records: () => readonly R[]) {
  /** The record in the sheet, or `new`; null if the sheet is closed. */
  const sheet = useOpened<R | 'new'>((opened) => opened !== 'new');
  return {
    sheet,
    /** The current version of the record being changed; null for a new one. */
    edited: computed(() => {
      const opened = sheet.value === 'new' ? null : sheet.value;
      return records().find(({ id }) => id === opened?.id) ?? opened;
    }),
    make: (): void => void (sheet.value = 'new'),
  };
}

/**
 * The id of the record chosen in a form. After the world was replaced, it is '' if the record no longer exists.
 * @param records the records to choose from
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
