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
  /** Why no record of a company can be created now. */
  const whyNone = computed(() => (current.value ? whyReadOnly.value : 'There is no company yet'));

  return { companies, current, whyNone, choose: (id: string) => void (chosen.value = id) };
});

/** The id of the shown company. */
export const shownCompany = (): string => useCompany().current?.id ?? '';

/**
 * The company of a form: the one shown when the form opens, even if another is shown when it creates something. If all
 * records are replaced meanwhile, that company may be gone: then it is the one shown afterwards.
 */
export function useFormCompany(): ComputedRef<string> {
  const id = shallowRef(shownCompany());
  whenReplaced(() => (id.value = shownCompany()));
  return computed(() => id.value || shownCompany());
}
