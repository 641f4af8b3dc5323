import { catalogRules, type Catalog } from '../features/catalog/catalog.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Store } from '../store/store.ts';
import { notFound } from './problems.ts';
import type { CatalogIssuesView, CatalogRulesView, ProductsView } from './protocol.ts';

export interface CatalogRoutesDeps {
  readonly store: Store;
  readonly catalog: Pick<Catalog, 'products' | 'issues'>;
}

const anything = { type: 'object' } as const;
const shared = { access: 'anyone', dialect: 'control', section: 'control API', provenance: 'assumed' } as const;
const offset = { type: 'string', pattern: '^[0-9]{1,9}$', examples: ['0'] } as const;

/** The saved products of a company, and all that was found wrong in a file. */
export function createCatalogRoutes({ store, catalog }: CatalogRoutesDeps): readonly Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/catalog/rules',
      summary: 'What a catalog file is checked for',
      replies: { 200: anything },
      handle: () => ({ status: 200, body: { rules: catalogRules } satisfies CatalogRulesView }),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/catalog/{companyId}/products',
      summary: 'The saved products of a company, those saved last first; q is part of an id or a name',
      params: { type: 'object', required: ['companyId'], properties: { companyId: { type: 'string' } } },
      query: {
        type: 'object',
        properties: {
          q: { type: 'string', maxLength: 200, examples: ['shirt'] },
          offset,
          // A product may take 4 MiB, so a page is small.
          limit: { type: 'string', pattern: '^(?:[0-9]{1,2}|100)$', examples: ['50'] },
        },
      },
      replies: { 200: anything },
      asynchronous: true,
      async handle({ params: { companyId }, query: { q = '', offset = '0', limit = '50' } }) {
        if (!store.companies.get(companyId))
          notFound(`There is no company ${companyId}. GET /control/records/companies lists them.`);
        const products = await catalog.products(companyId);
        const page: ProductsView = await products.page({ q, offset: Number(offset), limit: Number(limit) });
        return { status: 200, body: { ...page } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/uploads/{id}/issues',
      summary: 'What was found wrong in the file of an upload, where the API shows ten of a type',
      params: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      query: {
        type: 'object',
        properties: { offset, limit: { type: 'string', pattern: '^(?:[0-9]{1,3}|1000)$', examples: ['100'] } },
      },
      replies: { 200: anything },
      asynchronous: true,
      async handle({ params: { id }, query: { offset = '0', limit = '100' } }) {
        const { report } =
          store.uploads.get(id) ?? notFound(`There is no upload ${id}. GET /control/records/uploads lists them.`);
        // While a file is being checked, what an earlier check left of it is not its result.
        const kept = report === null ? [] : await catalog.issues(id);
        const view: CatalogIssuesView = {
          checked: report !== null,
          total: report?.issueCount ?? 0,
          kept: kept.length,
          issues: kept.slice(Number(offset), Number(offset) + Number(limit)),
        };
        return { status: 200, body: { ...view } };
      },
    }),
  ];
}
