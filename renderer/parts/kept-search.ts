import { watch, type Ref } from 'vue';
import { useRoute, useRouter, type RouteLocationRaw } from 'vue-router';

/**
 * Keeps the search of a list in the address of its view, so that Back and a reload find it again. The address follows
 * the search, because typing must not wait for it.
 * @param section the name of the view's route; its `id` is the chosen record
 * @param chosen the id of the chosen record, which stays; null without one
 * @returns the address with another record chosen, or none
 */
export function useKeptSearch(
  section: string,
  search: Ref<string>,
  chosen: () => string | null,
): (id: string | null) => RouteLocationRaw {
  const route = useRoute();
  const router = useRouter();
  const inAddress = (): string => (typeof route.query['search'] === 'string' ? route.query['search'] : '');
  const toPlace = (id: string | null): RouteLocationRaw => ({
    name: section,
    params: id === null ? {} : { id },
    query: search.value === '' ? {} : { search: search.value },
  });

  search.value = inAddress();
  let written = 0;
  watch(search, (text) => {
    // While another text is being written, the address does not have this one yet.
    if (written === 0 && text === inAddress()) return;
    written += 1;
    void router.replace(toPlace(chosen())).finally(() => (written -= 1));
  });
  // For a link into the shown view. Text written from here is there already, and may be older than the typed text.
  watch(inAddress, (text) => void (route.name === section && written === 0 && (search.value = text)), {
    flush: 'sync',
  });
  return toPlace;
}
