import { useIntervalFn, watchDebounced } from '@vueuse/core';
import { computed, shallowRef, type ComputedRef, type Ref } from 'vue';
import type { RequestSummary } from '../../emulator/control/protocol.ts';
import { control } from '../backend/control.ts';
import { useCredentials } from '../stores/credentials.ts';
import { useRequests } from '../stores/requests.ts';
import { parseFilter, toPredicate, type FilterKey, type Term } from './filter.ts';

export interface Filtering {
  readonly terms: ComputedRef<readonly Term[]>;
  readonly predicate: ComputedRef<((row: RequestSummary) => boolean) | null>;
  valuesOf(key: FilterKey): readonly string[];
}

/** The filter over what is listed, with what only the server or the world knows. */
export function useFilter(text: Ref<string>): Filtering {
  const requests = useRequests();
  const credentials = useCredentials();
  const terms = computed(() => parseFilter(text.value));

  /** Searched text → ids; the server looks into the bodies. */
  const inBodies = shallowRef<ReadonlyMap<string, ReadonlySet<string>>>(new Map());
  const wanted = computed(() => [
    ...new Set(terms.value.flatMap(({ key, value, problem }) => (key === 'body' && !problem ? [value] : []))),
  ]);
  watchDebounced(
    [wanted, () => (wanted.value.length > 0 ? requests.rows : null)],
    async () => {
      const found = await Promise.all(
        wanted.value.map(async (one) => {
          const { ids } = await control<{ readonly ids: readonly string[] }>(
            'GET',
            `body-search?text=${encodeURIComponent(one)}`,
          );
          return [one, new Set(ids)] as const;
        }),
      ).catch(() => null);
      if (found) inBodies.value = new Map(found);
    },
    { debounce: 200, maxWait: 1_000, immediate: true },
  );

  const now = shallowRef(Date.now());
  useIntervalFn(() => {
    if (terms.value.some(({ key }) => key === 'since')) now.value = Date.now();
  }, 2_000);

  const predicate = computed(() =>
    toPredicate(terms.value, {
      now: Math.max(now.value, Date.now()),
      credentialWords(id) {
        const known = credentials.of(id);
        return known ? `${known.app} ${known.key} ${known.id}`.toLowerCase() : 'none';
      },
      bodyHolds: (id, value) => inBodies.value.get(value)?.has(id) ?? false,
    }),
  );

  function valuesOf(key: FilterKey): readonly string[] {
    const distinct = (of: (row: RequestSummary) => string | null): readonly string[] =>
      [...new Set(requests.rows.map(of))].filter((value) => value !== null).sort();
    switch (key) {
      case 'status':
        return [
          ...new Set([
            '2xx',
            '3xx',
            '4xx',
            '5xx',
            ...distinct((row) => (row.status === null ? null : String(row.status))),
          ]),
        ];
      case 'method':
        return distinct((row) => row.method);
      case 'operation':
        return distinct((row) => row.operation);
      case 'rule':
        return distinct((row) => row.rule);
      case 'path':
        return distinct((row) => row.url.split('?')[0] ?? '').slice(0, 200);
      case 'token':
        return [...credentials.known.values()].map(({ key }) => key);
      case 'since':
        return ['1m', '10m', '30m', '1h', '1d'];
      case 'body':
        return [];
    }
  }

  return { terms, predicate, valuesOf };
}
