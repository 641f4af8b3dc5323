import { defineStore } from 'pinia';
import { computed } from 'vue';
import { isText, useKept } from '../kept.ts';
import { whyReadOnly } from './backend/moment.ts';
import { useConnection } from './connection.ts';

/** The company whose records the views show. */
export const useCompany = defineStore('company', () => {
  const connection = useConnection();
  const chosen = useKept('sandpiper.company', '', isText);
  const companies = computed(() => connection.welcome?.companies ?? []);
  const current = computed(() => companies.value.find(({ id }) => id === chosen.value) ?? companies.value[0] ?? null);
  /** Why nothing that belongs to a company can be created now. */
  const whyNone = computed(() => (current.value ? whyReadOnly.value : 'There is no company yet'));

  return { companies, current, whyNone, choose: (id: string) => void (chosen.value = id) };
});
