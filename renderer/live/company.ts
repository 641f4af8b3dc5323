import { defineStore } from 'pinia';
import { computed } from 'vue';
import { isText, useKept } from '../browser-storage.ts';
import { whyReadOnly } from './backend/moment.ts';
import { useConnection } from './connection.ts';

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

/**
 * The id of the company that is shown now. A form asks when it opens: what it creates belongs to that company, also if
 * another one is shown by then.
 */
export const shownCompany = (): string => useCompany().current?.id ?? '';
