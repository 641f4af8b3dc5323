import { shallowRef, type ShallowRef } from 'vue';
import type { CatalogRulesView } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { useReading } from '../../live/reading.ts';

let known: CatalogRulesView | null = null;

/** What a catalog file is checked for: [] until it is there. It never changes while the server runs. */
export function useRules(): ShallowRef<CatalogRulesView['rules']> {
  const rules = shallowRef<CatalogRulesView['rules']>([]);
  useReading({
    read: async () => (known ??= await call('GET /control/catalog/rules')),
    show: (view) => (rules.value = view.rules),
  });
  return rules;
}
