import { computed, type ComputedRef } from 'vue';
import { useAddress } from '../../parts/address.ts';

/** The part of the view that is shown. */
export interface Place {
  readonly id: ComputedRef<string | null>;
  /** The request to compare with. */
  readonly withId: ComputedRef<string | null>;
  /** The filter. */
  readonly q: ComputedRef<string>;
  /** The quick view. */
  readonly show: ComputedRef<string>;
  /** Changes the given parts; with `step`, the browser's Back reverts it. A comparison ends when another request is chosen. */
  go(change: Partial<Spot>, step?: boolean): void;
}

interface Spot {
  readonly id: string | null;
  readonly withId: string | null;
  readonly q: string;
  readonly show: string;
}

export function usePlace(): Place {
  const { spot, go } = useAddress<Spot>(
    'requests',
    ({ id, query }) => ({ id, withId: query('with') || null, q: query('q'), show: query('show') }),
    ({ id, withId, q, show }) => ({ id, query: { q, show, with: id === null ? null : withId } }),
  );
  return {
    id: computed(() => spot.value.id),
    withId: computed(() => spot.value.withId),
    q: computed(() => spot.value.q),
    show: computed(() => spot.value.show),
    go(change, step) {
      const isAnother = change.id !== undefined && change.id !== spot.value.id;
      void go(isAnother ? { withId: null, ...change } : change, step);
    },
  };
}
