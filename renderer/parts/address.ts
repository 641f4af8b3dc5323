import { computed, shallowRef, type ComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';
import { goInView } from './one-pane.ts';

/** The parts of the address of a view. */
interface Address {
  /** The chosen id; null if there is none. */
  readonly id: string | null;
  /** A parameter of the query; '' if it is missing. */
  query(name: string): string;
}

/**
 * The state of a view, kept entirely in its address, so that it can be linked to.
 * @param section the name of the view's route
 * @param read converts an address to a state
 * @param write converts a state to an address; empty values are left out of the query
 */
export function useAddress<Spot extends object>(
  section: string,
  read: (address: Address) => Spot,
  write: (spot: Spot) => { readonly id: string | null; readonly query: { readonly [name: string]: string | null } },
): {
  readonly spot: ComputedRef<Spot>;
  /** Changes the given fields. With `step`, the browser's Back reverts the change. */
  go(change: Partial<Spot>, step?: boolean): Promise<void>;
} {
  const route = useRoute();
  const router = useRouter();
  const isHere = (): boolean => route.name === section;
  const query = (name: string): string => (typeof route.query[name] === 'string' ? route.query[name] : '');
  /** The target while the address does not have it yet: it follows a moment later, and keys may be faster. */
  const ahead = shallowRef<Spot | null>(null);
  const spot = computed<Spot>((before) => {
    if (before !== undefined && !isHere()) return before;
    const { id } = route.params;
    return ahead.value ?? read({ id: typeof id === 'string' && id !== '' ? id : null, query });
  });

  async function goTo(to: Spot, step: boolean): Promise<void> {
    ahead.value = to;
    const { id, query: all } = write(to);
    const said = Object.entries(all).filter(([, value]) => value !== null && value !== '');
    const place = { name: section, params: id === null ? {} : { id }, query: Object.fromEntries(said) };
    try {
      await (step ? router.push(place) : goInView(router, place));
    } finally {
      if (ahead.value === to) ahead.value = null;
    }
  }

  return {
    spot,
    async go(change, step = false) {
      // A person who went elsewhere meanwhile is not brought back.
      if (isHere()) await goTo({ ...spot.value, ...change }, step);
    },
  };
}
