import { computed, type ComputedRef, type WritableComputedRef } from 'vue';
import { isText, useKept } from '../../browser-storage.ts';
import { useConnection } from '../../live/connection.ts';
import { useCompany } from '../../live/company.ts';
import { useExampleKey } from '../../live/example-key.ts';

/** The API key that requests carry. */
export interface KeyChoice {
  /** A key of the list, `none` or `other`. */
  readonly chosen: WritableComputedRef<string>;
  /** The typed key, if `chosen` is `other`. */
  readonly other: { value: string };
  readonly options: ComputedRef<readonly { readonly value: string; readonly label: string; readonly hint: string }[]>;
  /** Null sends no key. */
  readonly key: ComputedRef<string | null>;
  /** False while the key of a company without a demo key is being read: a request would carry another one. */
  readonly ready: ComputedRef<boolean>;
  /** Whether there is no key to choose. */
  readonly isMissing: ComputedRef<boolean>;
  readonly companyId: ComputedRef<string | null>;
  /** Chooses a key by its text; null for none. */
  choose(key: string | null): void;
}

/** The choice is kept for this tab. A typed key does not outlive the tab. */
export function useKeyChoice(): KeyChoice {
  const connection = useConnection();
  const company = useCompany();
  const kept = useKept('sandpiper.try.key', '', isText, { storage: sessionStorage });
  const other = useKept('sandpiper.try.otherKey', '', isText, { storage: sessionStorage });
  const { example, isRead } = useExampleKey(null);
  const demoKeys = computed(() => connection.welcome?.demoKeys ?? []);
  const hasDemoKey = computed(() => demoKeys.value.some((one) => one.companyId === company.current?.id));
  /** The demo keys and, for a company without one, a key of its own. */
  const keys = computed(() => [
    ...(example.value && company.current && isRead.value && !hasDemoKey.value
      ? [{ ...example.value, app: 'own key', company: company.current.name, companyId: company.current.id }]
      : []),
    ...demoKeys.value.map((one) => ({ ...one, shown: one.key })),
  ]);

  const options = computed(() => [
    ...keys.value.map(({ key, shown, app, company: owner }) => ({
      value: key,
      label: shown,
      hint: `${app}, ${owner}`,
    })),
    { value: 'other', label: 'Another key…', hint: 'typed or pasted' },
    { value: 'none', label: 'No key', hint: 'to see how that is refused' },
  ]);
  const chosen = computed({
    get() {
      if (options.value.some(({ value }) => value === kept.value)) return kept.value;
      const own = keys.value.find((one) => one.companyId === company.current?.id);
      return (own ?? keys.value[0])?.key ?? 'other';
    },
    set: (value) => (kept.value = value),
  });
  const key = computed(() => (chosen.value === 'none' ? null : chosen.value === 'other' ? other.value : chosen.value));
  const ready = computed(() => hasDemoKey.value || isRead.value);
  const isMissing = computed(() => ready.value && keys.value.length === 0);
  const companyId = computed(
    () => keys.value.find((one) => one.key === chosen.value)?.companyId ?? company.current?.id ?? null,
  );
  function choose(wanted: string | null): void {
    if (wanted === null) return void (chosen.value = 'none');
    if (keys.value.some((one) => one.key === wanted)) return void (chosen.value = wanted);
    other.value = wanted;
    chosen.value = 'other';
  }
  return { chosen, other, options, key, ready, isMissing, companyId, choose };
}
