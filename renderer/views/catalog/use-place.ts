import { useAddress } from '../../parts/address.ts';

export type Shelf = 'Uploads' | 'Products';

interface Place {
  readonly shelf: Shelf;
  /** The selected upload. */
  readonly id: string | null;
  /** The selected product. */
  readonly product: string | null;
  readonly search: string;
}

/** The part of the catalog that is shown. */
export function usePlace() {
  return useAddress<Place>(
    'catalog',
    ({ id, query }) => ({
      shelf: query('show') === 'products' ? 'Products' : 'Uploads',
      id,
      product: query('product') || null,
      search: query('q'),
    }),
    ({ shelf, id, product, search }) =>
      shelf === 'Products' ? { id: null, query: { show: 'products', q: search, product } } : { id, query: {} },
  );
}
