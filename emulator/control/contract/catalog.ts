import { boolean, described, withoutFormats, integer, list, object, type View } from '../../contract/shape.ts';
import { Product } from '../../features/catalog/check/product-schema.ts';
import { catalogRule } from '../../features/catalog/check/shapes.ts';
import type { CallTable } from '../call.ts';
import { toPage } from './paging.ts';

/** A saved product as it was uploaded; it may have fields that the specification does not name. */
const product = withoutFormats(Product);
export type ProductView = View<typeof product>;

/** A page of a company's saved products; `total` counts those that match. */
const products = object({
  total: described('Of a search at most 10,000.', integer),
  more: described('More than 10,000 match.', boolean),
  products: list(product),
});
export type ProductsView = View<typeof products>;

/** What a file is checked for; `id` is the `errorType` of an issue. */
const rules = object({ rules: list(catalogRule) });
export type CatalogRulesView = View<typeof rules>;

export const catalogCalls = {
  'GET /control/catalog/rules': { summary: 'What a catalog file is checked for', reply: rules },
  'GET /control/catalog/{companyId}/products': {
    summary:
      'The saved products of a company, those saved last first; q is part of an id, a name or the id of a variant, in any case; the product with exactly this id comes first',
    // A product may take 4 MiB, so a page is small.
    query: object({}, { q: { type: 'string', maxLength: 256, examples: ['shirt'] }, ...toPage(100) }),
    reply: products,
  },
} as const satisfies CallTable;
