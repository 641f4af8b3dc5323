import { computed, type ComputedRef } from 'vue';
import { useRoute } from 'vue-router';

/** The id that the address of a view names: `#/privacy/3`. Null if it names none. */
export function useSelected(section: () => string): ComputedRef<string | null> {
  const route = useRoute();
  return computed(() => {
    const { id } = route.params;
    return route.name === section() && typeof id === 'string' && id !== '' ? id : null;
  });
}
