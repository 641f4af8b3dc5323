import { list, object, type View } from '../../contract/shape.ts';
import { catalogRule } from '../../features/catalog/check/shapes.ts';
import { productPage, type savedProduct } from '../../features/catalog/shapes.ts';
import type { CallTable } from '../call.ts';
import { toPage } from './paging.ts';

export type ProductView = View<typeof savedProduct>;
export type ProductsView = View<typeof productPage>;

/** The checks of a catalog file; `id` is the `errorType` of an issue. */
const rules = object({ rules: list(catalogRule) });
export type CatalogRulesView = View<typeof rules>;

export const catalogCalls = {
  'GET /control/catalog/rules': { summary: 'The checks of a catalog file', asOf: 'now', reply: rules },
  'GET /control/catalog/{companyId}/products': {
    summary:
      'The saved products of a company, last saved first; `q` is a part of an id, a name or a variant’s id, in upper or lower case, and a product with exactly this id comes first',
    asOf: 'now',
    // A product may take 4 MiB, so a page is small.
    query: object({}, { q: { type: 'string', maxLength: 256, examples: ['shirt'] }, ...toPage(100) }),
    reply: productPage,
  },
} as const satisfies CallTable;
