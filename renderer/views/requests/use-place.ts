import { computed, type ComputedRef } from 'vue';
import { useRoute, useRouter, type RouteLocationRaw } from 'vue-router';

/** Where the view is, all of it in the address. */
export interface Place {
  readonly id: ComputedRef<string | null>;
  /** The request that it is compared with. */
  readonly withId: ComputedRef<string | null>;
  /** The filter. */
  readonly q: ComputedRef<string>;
  /** The quick view. */
  readonly show: ComputedRef<string>;
  /** What is not given stays; a comparison ends when another request is chosen. */
  go(change: Partial<Spot>): void;
}

interface Spot {
  readonly id: string | null;
  readonly withId: string | null;
  readonly q: string;
  readonly show: string;
}

export function usePlace(): Place {
  const route = useRoute();
  const router = useRouter();
  const query = (name: string): string => {
    const value = route.query[name];
    return typeof value === 'string' ? value : '';
  };
  const id = computed(() =>
    typeof route.params['id'] === 'string' && route.params['id'] !== '' ? route.params['id'] : null,
  );
  const withId = computed(() => (query('with') === '' ? null : query('with')));
  const q = computed(() => query('q'));
  const show = computed(() => query('show'));

  /** Where it goes while the router is not there yet: what is changed next builds on it. */
  let ahead: Spot | null = null;

  async function goTo(to: Spot): Promise<void> {
    ahead = to;
    try {
      await router.replace(toRoute(to));
    } finally {
      if (ahead === to) ahead = null;
    }
  }

  function go(change: Partial<Spot>): void {
    // A person who went elsewhere while something was done here is not taken back.
    if (route.name !== 'requests') return;
    const from = ahead ?? { id: id.value, withId: withId.value, q: q.value, show: show.value };
    const isAnother = change.id !== undefined && change.id !== from.id && change.withId === undefined;
    void goTo({ ...from, ...(isAnother ? { withId: null } : {}), ...change });
  }

  return { id, withId, q, show, go };
}

function toRoute({ id, withId, q, show }: Spot): RouteLocationRaw {
  return {
    name: 'requests',
    params: id === null ? {} : { id },
    query: {
      ...(q === '' ? {} : { q }),
      ...(show === '' ? {} : { show }),
      ...(withId === null || id === null ? {} : { with: withId }),
    },
  };
}
