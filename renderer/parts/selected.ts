import { computed, type ComputedRef } from 'vue';
import { useRoute } from 'vue-router';

/** The id in the address of a view: `#/privacy/3`. Null if there is none. */
export function useSelected(section: () => string): ComputedRef<string | null> {
  const route = useRoute();
  return computed(() => {
    const { id } = route.params;
    return route.name === section() && typeof id === 'string' && id !== '' ? id : null;
  });
}
