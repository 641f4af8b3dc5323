import { shallowRef, type ShallowRef } from 'vue';
import type { CatalogRulesView } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';

let asked: Promise<CatalogRulesView> | null = null;

/** What a catalog file is checked for: [] until it is there. It never changes while the server runs. */
export function useRules(): ShallowRef<CatalogRulesView['rules']> {
  const rules = shallowRef<CatalogRulesView['rules']>([]);
  asked ??= call('GET /control/catalog/rules');
  asked.then(
    (view) => (rules.value = view.rules),
    // The frame says that the connection is lost; who comes next asks again.
    () => (asked = null),
  );
  return rules;
}
