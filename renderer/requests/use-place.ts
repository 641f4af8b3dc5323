import { computed, type ComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** Where the view is, all of it in the address. */
export interface Place {
  readonly id: ComputedRef<string | null>;
  /** The request that it is compared with. */
  readonly withId: ComputedRef<string | null>;
  /** The filter. */
  readonly q: ComputedRef<string>;
  /** The quick view. */
  readonly show: ComputedRef<string>;
  /** What is not named stays; a comparison ends when another request is chosen. */
  go(change: {
    readonly id?: string | null;
    readonly withId?: string | null;
    readonly q?: string;
    readonly show?: string;
  }): void;
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

  return {
    id,
    withId,
    q,
    show,
    go(change) {
      const next = { id: id.value, withId: withId.value, q: q.value, show: show.value, ...change };
      const staysWith = change.id === undefined || change.id === id.value || change.withId !== undefined;
      void router.replace({
        name: 'requests',
        params: next.id === null ? {} : { id: next.id },
        query: {
          ...(next.q === '' ? {} : { q: next.q }),
          ...(next.show === '' ? {} : { show: next.show }),
          ...(next.withId === null || next.id === null || !staysWith ? {} : { with: next.withId }),
        },
      });
    },
  };
}
