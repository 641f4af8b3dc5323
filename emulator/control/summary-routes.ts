import { isLoopbackAddress } from '../net/addresses.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Faults } from '../http/faults.ts';
import type { CollectionName, DeliveryState, StoredRecord } from '../records.ts';
import type { Store } from '../store/store.ts';
import { notFound } from './problems.ts';
import type { SummaryView } from './protocol.ts';
import { toKind } from './views.ts';

export interface SummaryRouteDeps {
  readonly store: Store;
  readonly faults: Faults;
  /** The address on which the servers listen. */
  readonly host: string;
}

type Owned = StoredRecord & { readonly companyId: string };

/** What the inspector's frame shows beside every view. */
export function createSummaryRoutes({ store, faults, host }: SummaryRouteDeps): readonly Endpoint[] {
  const ofCompany = (name: CollectionName, companyId: string): number =>
    store
      .collection(name)
      .index('byCompany', (one) => [(one as Owned).companyId])
      .get(companyId).length;
  const inState = (companyId: string, state: DeliveryState): number =>
    store.deliveries.index('byCompanyAndState', (one) => [`${one.companyId} ${one.state}`]).get(`${companyId} ${state}`)
      .length;
  const checking = (companyId: string): number =>
    store.uploads.index('byCompanyAndState', (one) => [`${one.companyId} ${one.state}`]).get(`${companyId} validating`)
      .length;

  return [
    endpoint({
      access: 'anyone',
      dialect: 'control',
      section: 'control API',
      provenance: 'assumed',
      method: 'GET',
      path: '/control/companies/{id}/summary',
      summary: 'What a company has, by kind, and what of it waits for the developer',
      params: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      replies: { 200: { type: 'object' } },
      handle({ params: { id } }) {
        if (!store.companies.get(id))
          return notFound(`There is no company ${id}. GET /control/records/companies lists them.`);
        const counted = store.names.filter((name) => store.definitions[name]?.hasCompany);
        const waitingFaults = faults.all().filter(({ spec, hits }) => spec.times === null || hits < spec.times);
        const retrying = inState(id, 'retrying');
        const view: SummaryView = {
          records: Object.fromEntries(counted.map((name) => [toKind(name), ofCompany(name, id)])),
          deliveries: {
            waiting: inState(id, 'queued') + inState(id, 'delivering') + retrying + inState(id, 'paused'),
            retrying,
            failed: inState(id, 'failed'),
          },
          uploadsUnderCheck: checking(id),
          faults: waitingFaults.map(({ id: faultId, spec, says }) => ({
            id: faultId,
            operation: spec.operation,
            says,
          })),
          host,
          loopback: isLoopbackAddress(host),
        };
        return { status: 200, body: { ...view } };
      },
    }),
  ];
}
