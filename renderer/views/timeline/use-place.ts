import { computed } from 'vue';
import { useAddress } from '../../parts/address.ts';
import { byCause, byTime, type Arranged } from './grammar.ts';

interface Spot {
  /** The selected line. */
  readonly id: string | null;
  /** The filter. */
  readonly q: string;
  readonly arranged: Arranged;
}

/** The part of the timeline that is shown. */
export function usePlace() {
  const { spot, go } = useAddress<Spot>(
    'timeline',
    ({ id, query }) => ({ id, q: query('q'), arranged: query('order') === 'time' ? byTime : byCause }),
    ({ id, q, arranged }) => ({ id, query: { q, order: arranged === byTime ? 'time' : '' } }),
  );
  return {
    id: computed(() => spot.value.id),
    q: computed(() => spot.value.q),
    arranged: computed(() => spot.value.arranged),
    go,
  };
}
