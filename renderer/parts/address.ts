import { computed, shallowRef, type ComputedRef } from 'vue';
import { useRoute, useRouter } from 'vue-router';

/** What the address of a view says. */
interface Address {
  /** The chosen one; null if it names none. */
  readonly id: string | null;
  /** A part of the query; empty if it is not there. */
  query(name: string): string;
}

/**
 * Where a view is, all of it in its address, so that it can be linked to.
 * @param section the name of its route
 * @param read the place that an address means
 * @param write the address of a place; what is empty is left out of its query
 */
export function useAddress<Spot extends object>(
  section: string,
  read: (address: Address) => Spot,
  write: (spot: Spot) => { readonly id: string | null; readonly query: { readonly [name: string]: string | null } },
): {
  readonly spot: ComputedRef<Spot>;
  /** What is not given stays. `step` makes a step that the browser's Back takes back. */
  go(change: Partial<Spot>, step?: boolean): void;
} {
  const route = useRoute();
  const router = useRouter();
  const isHere = (): boolean => route.name === section;
  const query = (name: string): string => (typeof route.query[name] === 'string' ? route.query[name] : '');
  /** Where it goes while the address does not say so yet: it follows a moment later, and keys may be quicker. */
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
      await (step ? router.push(place) : router.replace(place));
    } finally {
      if (ahead.value === to) ahead.value = null;
    }
  }

  return {
    spot,
    go(change, step = false) {
      // A person who went elsewhere while something was done here is not taken back.
      if (isHere()) void goTo({ ...spot.value, ...change }, step);
    },
  };
}
