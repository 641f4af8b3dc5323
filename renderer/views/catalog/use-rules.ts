import { shallowRef, type ShallowRef } from 'vue';
import type { CatalogRulesView } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { readOnce } from '../../live/backend/read-once.ts';
import { useReading } from '../../live/reading.ts';

const readRules = readOnce(() => call('GET /control/catalog/rules'));

/** The checks that a catalog file must pass; [] until they are read. */
export function useRules(): ShallowRef<CatalogRulesView['rules']> {
  const rules = shallowRef<CatalogRulesView['rules']>([]);
  useReading({
    read: readRules,
    show: (view) => (rules.value = view.rules),
  });
  return rules;
}
