import { watchDebounced } from '@vueuse/core';
import { computed, shallowRef, type ComputedRef, type Ref } from 'vue';
import type { RequestSummary } from '../../../emulator/control/calls.ts';
import { call } from '../../live/backend/control.ts';
import { useCompany } from '../../live/company.ts';
import { useConnection } from '../../live/connection.ts';
import { useCredentials } from '../../live/credentials.ts';
import { useNow } from '../../live/now.ts';
import { useRequests } from '../../live/requests.ts';
import { createTurns } from '../../live/turns.ts';
import { useZone } from '../../live/zone.ts';
import { parseFilter, toPredicate, type FilterKey, type Searched, type Term } from './filter.ts';

export interface Filtering {
  readonly terms: ComputedRef<readonly Term[]>;
  readonly predicate: ComputedRef<((row: RequestSummary) => boolean) | null>;
  /** The predicate of another filter. */
  predicateOf(text: string): ((row: RequestSummary) => boolean) | null;
  valuesOf(key: FilterKey): readonly string[];
}

/** The filter of the listed requests, with facts that only the server or the world knows. */
export function useFilter(text: Ref<string>): Filtering {
  const connection = useConnection();
  const requests = useRequests();
  const companies = useCompany();
  const credentials = useCredentials();
  const now = useNow();
  const zone = useZone();
  const terms = computed(() => parseFilter(text.value));

  /** `body:text` or `header:text` → the matches that the server found so far. */
  const found = shallowRef<ReadonlyMap<string, Found>>(new Map());
  const wanted = computed(() => textsOf(terms.value));
  /** The texts of saved views, searched once the views are counted. */
  const asked = shallowRef<ReadonlySet<string>>(new Set());
  const turns = createTurns();
  watchDebounced(
    [wanted, asked, () => connection.phase, () => (wanted.value.length + asked.value.size > 0 ? requests.rows : null)],
    async () => {
      const newest = requests.upTo;
      const isNewest = turns.take();
      const all = await Promise.all(
        [...new Set([...wanted.value, ...asked.value])].map(async (text) => {
          const known = found.value.get(text);
          // Search only newer requests, unless the record restarted or now goes back further.
          const goesOn = known !== undefined && known.upTo <= newest && known.from <= (requests.rows[0]?.sequence ?? 0);
          return [text, await lookFor(text, goesOn ? known : nothing)] as const;
        }),
      ).catch(() => null);
      if (all && isNewest()) found.value = new Map(all);
    },
    { debounce: 200, maxWait: 1_000, immediate: true },
  );

  async function lookFor(wantedText: string, known: Found): Promise<Found> {
    const where = wantedText.startsWith('header:') ? 'headers' : 'bodies';
    const text = wantedText.slice(wantedText.indexOf(':') + 1);
    const from = known === nothing ? (requests.rows[0]?.sequence ?? 0) : known.from;
    const { ids, upTo } = await call('GET /control/body-search', {
      query: { text, from, after: known.upTo, in: where },
    });
    return { ids: ids.length === 0 ? known.ids : new Set([...known.ids, ...ids]), upTo, from };
  }

  const facts = computed(() => ({
    // Read only by filters with a time, which then follow the clock.
    get now() {
      return now.virtual;
    },
    zone: zone.zone,
    companyWords(id: string | null) {
      const company = companies.companies.find((one) => one.id === id);
      return company ? `${company.name} ${company.id}`.toLowerCase() : '';
    },
    credentialWords(id: string | null) {
      const known = credentials.of(id);
      return known ? `${known.app} ${known.key} ${known.id}`.toLowerCase() : 'none';
    },
    holds: (id: string, where: Searched, value: string) => found.value.get(`${where}:${value}`)?.ids.has(id) ?? false,
  }));
  // A term that the server is still searching for does not filter yet, so nothing flickers.
  const isKnown = ({ key, value }: Term): boolean => !isSearched(key) || found.value.has(`${key}:${value}`);
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
      case 'company':
        return companies.companies.map(({ name }) => name);
      case 'since':
      case 'until':
        return ['1m', '10m', '1h', '1d', 'today', 'yesterday'];
      case 'user':
        return distinct((row) => row.about).slice(0, 200);
      case 'at':
        return distinct((row) => row.calledFrom?.place ?? null).slice(0, 200);
      case 'test':
        return distinct((row) => row.calledFrom?.test ?? null).slice(0, 200);
      case 'source':
        return ['client', 'window'];
      case 'duration':
        return ['>100', '>500', '>1000'];
      case 'header':
      case 'body':
        return [];
    }
  }

  return { terms, predicate, predicateOf, valuesOf };
}

/** The matches for a text, among the requests from a sequence number on, up to the id that was read. */
interface Found {
  readonly ids: ReadonlySet<string>;
  readonly from: number;
  readonly upTo: number;
}

const isSearched = (key: FilterKey | null): key is Searched => key === 'body' || key === 'header';

const nothing: Found = { ids: new Set(), from: 0, upTo: 0 };

const textsOf = (terms: readonly Term[]): readonly string[] => [
  ...new Set(terms.flatMap(({ key, value, problem }) => (isSearched(key) && !problem ? [`${key}:${value}`] : []))),
];
