import { findCompany } from '../features/accounts/find.ts';
import { toSubject } from '../features/privacy/erase.ts';
import { isLoopbackAddress } from '../net/addresses.ts';
import { emailsOf, phonesOf } from '../people/addresses.ts';
import { countOfPerson } from '../people/of-person.ts';
import type { DeliveryState } from '../records.ts';
import { inQuery, noSuch, refuse } from '../rules.ts';
import { definitions } from '../records/definitions.ts';
import { toKind } from '../records/kind.ts';
import type { companyCalls } from './contract/companies.ts';
import { searchRules } from './rules/resource-rules.ts';
import { searchRecords, toMatcher } from './record-search.ts';
import { countOfCompany } from './of-company.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';

/**
 * Handlers for a company's contents: counts for every view, the search, and the people that a deletion request matches.
 */
export function createCompanyHandlers({
  store,
  users,
  faults,
  options: { host },
}: HandlerDeps): Handlers<typeof companyCalls> {
  const inState = (companyId: string, state: DeliveryState): number =>
    store.deliveries.tally('ofCompanyInState', toStateKey)(`${companyId} ${state}`);
  const checking = (companyId: string): number =>
    store.uploads.tally('ofCompanyInState', toStateKey)(`${companyId} validating`);

  return {
    'GET /control/companies/{id}/summary'({ params: { id } }) {
      findCompany(store, id);
      const counted = store.names.filter((name) => store.definitions[name]?.hasCompany);
      const waitingFaults = faults.all().filter(({ spec, hits }) => spec.times === null || hits < spec.times);
      return {
        records: Object.fromEntries(counted.map((name) => [toKind(name), countOfCompany(store, name, id)])),
        deliveries: {
          waiting: definitions.deliveries.open.reduce((sum, state) => sum + inState(id, state), 0),
          retrying: inState(id, 'retrying'),
          failed: inState(id, 'failed'),
        },
        uploadsUnderCheck: checking(id),
        faults: waitingFaults.map((fault) => ({ id: fault.id, operation: fault.spec.operation, says: fault.says })),
        host,
        loopback: isLoopbackAddress(host),
      };
    },
    async 'GET /control/companies/{id}/search'({ params: { id }, query: { q } }) {
      findCompany(store, id);
      const matches = toMatcher(q);
      if (!matches) return refuse(searchRules.empty, inQuery('q'), q, undefined);
      return { found: await searchRecords(store, id, matches) };
    },
    'GET /control/privacy-requests/{id}/people'({ params: { id } }) {
      const request = store.privacyRequests.get(id) ?? noSuch('deletion request', id);
      const people = users.find(request.companyId, toSubject(request)).map((user) => ({
        id: user.id,
        phones: phonesOf(user),
        emails: emailsOf(user),
        kept: Object.fromEntries([...countOfPerson(store, user.id)].map(([name, count]) => [toKind(name), count])),
      }));
      return { people };
    },
  };
}

function toStateKey({ companyId, state }: { readonly companyId: string; readonly state: string }): string {
  return `${companyId} ${state}`;
}
