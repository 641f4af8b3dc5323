import { computed, type ComputedRef } from 'vue';
import type { CatalogRulesView } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { readOnce } from '../../live/backend/read-once.ts';
import { useReading } from '../../live/reading.ts';

const readRules = readOnce(() => call('GET /control/catalog/rules'));

/** The checks that a catalog file must pass; [] until they are read. */
export function useRules(): ComputedRef<CatalogRulesView['rules']> {
  const { answer } = useReading({ read: readRules, concerns: null });
  return computed(() => answer.value?.rules ?? []);
}
