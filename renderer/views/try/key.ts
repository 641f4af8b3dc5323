import { computed, type ComputedRef, type WritableComputedRef } from 'vue';
import { isText, useKept } from '../../browser-storage.ts';
import { useConnection } from '../../live/connection.ts';
import { useCompany } from '../../live/company.ts';

/** The API key that requests carry. */
export interface KeyChoice {
  /** A key of the list, `none` or `other`. */
  readonly chosen: WritableComputedRef<string>;
  /** The typed key, if `chosen` is `other`. */
  readonly other: { value: string };
  readonly options: ComputedRef<readonly { readonly value: string; readonly label: string; readonly hint: string }[]>;
  /** Null sends no key. */
  readonly key: ComputedRef<string | null>;
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
  const keys = computed(() => connection.welcome?.demoKeys ?? []);

  const options = computed(() => [
    ...keys.value.map(({ key, app, company: owner }) => ({ value: key, label: key, hint: `${app}, ${owner}` })),
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
  const companyId = computed(
    () => keys.value.find((one) => one.key === chosen.value)?.companyId ?? company.current?.id ?? null,
  );
  function choose(wanted: string | null): void {
    if (wanted === null) return void (chosen.value = 'none');
    if (keys.value.some((one) => one.key === wanted)) return void (chosen.value = wanted);
    other.value = wanted;
    chosen.value = 'other';
  }
  return { chosen, other, options, key, companyId, choose };
}
