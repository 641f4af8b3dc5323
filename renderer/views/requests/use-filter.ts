import { useIntervalFn, watchDebounced } from '@vueuse/core';
import { computed, shallowRef, type ComputedRef, type Ref } from 'vue';
import type { RequestSummary } from '../../../emulator/control/protocol.ts';
import { call } from '../../live/backend/control.ts';
import { useCredentials } from '../../live/credentials.ts';
import { useRequests } from '../../live/requests.ts';
import { parseFilter, toPredicate, type FilterKey, type Term } from './filter.ts';

export interface Filtering {
  readonly terms: ComputedRef<readonly Term[]>;
  readonly predicate: ComputedRef<((row: RequestSummary) => boolean) | null>;
  /** Of another filter. */
  predicateOf(text: string): ((row: RequestSummary) => boolean) | null;
  valuesOf(key: FilterKey): readonly string[];
}

/** The filter over what is listed, with what only the server or the world knows. */
export function useFilter(text: Ref<string>): Filtering {
  const requests = useRequests();
  const credentials = useCredentials();
  const terms = computed(() => parseFilter(text.value));

  /** Searched text → what the server found in the bodies so far. */
  const inBodies = shallowRef<ReadonlyMap<string, Found>>(new Map());
  const wanted = computed(() => textsOf(terms.value));
  /** The body filters of the saved views are looked for once they are counted. */
  const asked = shallowRef<ReadonlySet<string>>(new Set());
  watchDebounced(
    [wanted, asked, () => (wanted.value.length + asked.value.size > 0 ? requests.rows : null)],
    async () => {
      const newest = requests.lastSequence();
      const found = await Promise.all(
        [...new Set([...wanted.value, ...asked.value])].map(async (text) => {
          const known = inBodies.value.get(text);
          // Only what came since is looked into, unless the record restarted or goes back further now.
          const goesOn = known !== undefined && known.upTo <= newest && known.from <= (requests.rows[0]?.sequence ?? 0);
          return [text, await lookFor(text, goesOn ? known : nothing)] as const;
        }),
      ).catch(() => null);
      if (found) inBodies.value = new Map(found);
    },
    { debounce: 200, maxWait: 1_000, immediate: true },
  );

  async function lookFor(text: string, known: Found): Promise<Found> {
    const from = known === nothing ? (requests.rows[0]?.sequence ?? 0) : known.from;
    const after = known === nothing ? Math.max(0, from - 1) : known.upTo;
    const { ids, upTo } = await call('GET /control/body-search', { query: { text, after } });
    return { ids: ids.length === 0 ? known.ids : new Set([...known.ids, ...ids]), upTo, from };
  }

  const now = shallowRef(Date.now());
  useIntervalFn(() => {
    if (terms.value.some(({ key }) => key === 'since')) now.value = Date.now();
  }, 2_000);

  const facts = computed(() => ({
    now: Math.max(now.value, Date.now()),
    credentialWords(id: string | null) {
      const known = credentials.of(id);
      return known ? `${known.app} ${known.key} ${known.id}`.toLowerCase() : 'none';
    },
    bodyHolds: (id: string, value: string) => inBodies.value.get(value)?.ids.has(id) ?? false,
  }));
  // What the server still looks for does not filter yet: nothing flickers.
  const isKnown = ({ key, value }: Term): boolean => key !== 'body' || inBodies.value.has(value);
  const predicate = computed(() => toPredicate(terms.value.filter(isKnown), facts.value));

  function predicateOf(other: string): ReturnType<typeof toPredicate> {
    const theirs = parseFilter(other);
    const texts = textsOf(theirs).filter((one) => !asked.value.has(one));
    if (texts.length > 0) queueMicrotask(() => (asked.value = new Set([...asked.value, ...texts])));
    return toPredicate(theirs, facts.value);
  }

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

  return { terms, predicate, predicateOf, valuesOf };
}

/** What the server found for a text: looked into are the requests from one sequence up to another. */
interface Found {
  readonly ids: ReadonlySet<string>;
  readonly from: number;
  readonly upTo: number;
}

const nothing: Found = { ids: new Set(), from: 0, upTo: 0 };

const textsOf = (terms: readonly Term[]): readonly string[] => [
  ...new Set(terms.flatMap(({ key, value, problem }) => (key === 'body' && !problem ? [value] : []))),
];
