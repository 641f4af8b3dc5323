import { defineStore } from 'pinia';
import { computed, shallowRef, type ComputedRef } from 'vue';
import { isText, useKept } from '../browser-storage.ts';
import { whyReadOnly } from './backend/moment.ts';
import { useConnection, whenReplaced } from './connection.ts';

/** The company whose records the views of this window show. */
export const useCompany = defineStore('company', () => {
  const connection = useConnection();
  const chosen = useKept('sandpiper.company', '', isText, { isShared: false });
  const companies = computed(() => connection.welcome?.companies ?? []);
  const current = computed(() => companies.value.find(({ id }) => id === chosen.value) ?? companies.value[0] ?? null);
  /** Why nothing that belongs to a company can be created now. */
  const whyNone = computed(() => (current.value ? whyReadOnly.value : 'There is no company yet'));

  return { companies, current, whyNone, choose: (id: string) => void (chosen.value = id) };
});

/** The id of the company that is shown now. */
export const shownCompany = (): string => useCompany().current?.id ?? '';

/**
 * For a form: the company that is shown when it opens. What the form creates belongs to that one, also if another one is
 * shown by then. If all records are replaced meanwhile, that one may be gone: then it is the company that is shown afterwards.
 */
export function useFormCompany(): ComputedRef<string> {
  const id = shallowRef(shownCompany());
  whenReplaced(() => (id.value = shownCompany()));
  return computed(() => id.value || shownCompany());
}
