import { until } from '@vueuse/core';
import { computed } from 'vue';
import { useNow } from '../../live/now.ts';
import { useRecords } from '../../live/records.ts';
import type { World } from './graphql-samples.ts';

/** The records of a company that generated input names: its first person with both addresses, unit and webhook. */
export function useWorld(companyId: () => string | null): {
  /** Once they were read, or cannot be read. */
  get(): Promise<World>;
} {
  const now = useNow();
  const people = useRecords('users', { companyId, limit: 50 });
  const units = useRecords('sign-up-units', { companyId, limit: 50 });
  const webhooks = useRecords('webhooks', { companyId, limit: 1 });
  const world = computed((): World => {
    const all = people.records.value.map(({ addresses }) => ({
      phone: addresses.find(({ channel }) => channel === 'TEXT')?.value ?? null,
      email: addresses.find(({ channel }) => channel === 'EMAIL')?.value ?? null,
    }));
    const person = all.find(({ phone, email }) => phone && email) ?? all[0];
    return {
      phone: person?.phone ?? null,
      email: person?.email ?? null,
      unitId: units.records.value[0]?.id ?? null,
      webhookId: webhooks.records.value[0]?.id ?? null,
      companyId: companyId(),
      now: new Date(now.virtual).toISOString(),
    };
  });
  const read = [people, units, webhooks];
  return {
    async get() {
      await until(() => read.every(({ ready, problem }) => ready.value || problem.value !== null)).toBe(true);
      return world.value;
    },
  };
}
