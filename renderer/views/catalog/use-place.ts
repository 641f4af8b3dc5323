import { shallowRef, watch } from 'vue';
import { useRoute, useRouter } from 'vue-router';

export type Shelf = 'Uploads' | 'Products';

interface Place {
  readonly shelf: Shelf;
  /** The selected upload. */
  readonly id: string | null;
  /** The selected product. */
  readonly product: string | null;
  readonly search: string;
}

/** What of the catalog is shown: kept in the address, so that it can be linked to. */
export function usePlace() {
  const route = useRoute();
  const router = useRouter();
  const query = (name: string): string => (typeof route.query[name] === 'string' ? route.query[name] : '');
  const isHere = (): boolean => route.name === 'catalog';

  const read = (): Place => ({
    shelf: query('show') === 'products' ? 'Products' : 'Uploads',
    id: typeof route.params['id'] === 'string' && route.params['id'] !== '' ? route.params['id'] : null,
    product: query('product') || null,
    search: query('q'),
  });
  // It goes ahead of the address, which follows a moment later: keys may be quicker than that.
  const place = shallowRef(read());
  watch(
    () => route.fullPath,
    () => isHere() && (place.value = read()),
  );

  function go(change: Partial<Place>): void {
    if (!isHere()) return;
    place.value = { ...place.value, ...change };
    const { shelf, id, product, search } = place.value;
    const isProducts = shelf === 'Products';
    void router.replace({
      name: 'catalog',
      params: id === null || isProducts ? {} : { id },
      query: isProducts
        ? { show: 'products', ...(search === '' ? {} : { q: search }), ...(product === null ? {} : { product }) }
        : {},
    });
  }

  return { place, go };
}
