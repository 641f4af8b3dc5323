import { findCompany } from '../features/accounts/find.ts';
import { catalogRules } from '../features/catalog/check/rules.ts';
import { inPath } from '../rules.ts';
import type { catalogCalls } from './contract/catalog.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';

/** Handlers for a company's saved products, and for the list of checks that a file goes through. */
export function createCatalogHandlers({ store, features: { catalog } }: HandlerDeps): Handlers<typeof catalogCalls> {
  return {
    'GET /control/catalog/rules': () => ({ rules: catalogRules }),
    async 'GET /control/catalog/{companyId}/products'({ params, query: { q = '', offset = 0, limit = 50 } }) {
      const { companyId } = params;
      findCompany(store, companyId, inPath('companyId'));
      const products = await catalog.products(companyId);
      return products.page({ q, offset, limit });
    },
  };
}
