import { findCompany } from '../features/accounts/find.ts';
import { catalogRules, type Catalog } from '../features/catalog/catalog.ts';
import { inPath } from '../rules.ts';
import type { Store } from '../store/store.ts';
import type { catalogCalls } from './contract/catalog.ts';
import type { Handlers } from './route.ts';

export interface CatalogHandlerDeps {
  readonly store: Store;
  readonly catalog: Pick<Catalog, 'products'>;
}

/** The saved products of a company, and what a file is checked for. */
export function createCatalogHandlers({ store, catalog }: CatalogHandlerDeps): Handlers<typeof catalogCalls> {
  return {
    'GET /control/catalog/rules': () => ({ rules: catalogRules }),
    async 'GET /control/catalog/{companyId}/products'({ params, query: { q = '', offset = '0', limit = '50' } }) {
      const { companyId } = params;
      findCompany(store, companyId, inPath('companyId'));
      const products = await catalog.products(companyId);
      return products.page({ q, offset: Number(offset), limit: Number(limit) });
    },
  };
}
