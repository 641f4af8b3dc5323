import { computed, type ComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { byCause, byTime, type Arranged } from './grammar.ts';

/** Where the view is, all of it in the address. */
interface Spot {
  /** The selected line. */
  readonly id: string | null;
  /** The filter. */
  readonly q: string;
  readonly arranged: Arranged;
}

export function usePlace(): {
  readonly id: ComputedRef<string | null>;
  readonly q: ComputedRef<string>;
  readonly arranged: ComputedRef<Arranged>;
  /** What is not given stays. `step` makes a step that the browser's Back takes back. */
  go(change: Partial<Spot>, step?: boolean): void;
} {
  const route = useRoute();
  const router = useRouter();
  const id = computed(() => (typeof route.params['id'] === 'string' && route.params['id']) || null);
  const q = computed(() => (typeof route.query['q'] === 'string' ? route.query['q'] : ''));
  const arranged = computed(() => (route.query['order'] === 'time' ? byTime : byCause));
  let ahead: Spot | null = null;

  async function goTo(to: Spot, step: boolean): Promise<void> {
    ahead = to;
    const place = {
      name: 'timeline',
      params: to.id === null ? {} : { id: to.id },
      query: { ...(to.q === '' ? {} : { q: to.q }), ...(to.arranged === byTime ? { order: 'time' } : {}) },
    };
    try {
      await (step ? router.push(place) : router.replace(place));
    } finally {
      if (ahead === to) ahead = null;
    }
  }

  return {
    id,
    q,
    arranged,
    go: (change, step = false) =>
      void goTo({ ...(ahead ?? { id: id.value, q: q.value, arranged: arranged.value }), ...change }, step),
  };
}
