import { endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Recorder } from '../http/recorder.ts';
import type { User } from '../records.ts';
import type { Store } from '../store/store.ts';
import { searchPeople, toPersonLine } from './people-search.ts';
import { toPersonView } from './person-facts.ts';
import { toHistory } from './person-history.ts';
import { notFound } from './problems.ts';
import type { PeopleView } from './protocol.ts';

export interface PeopleRouteDeps {
  readonly store: Store;
  readonly recorder: Recorder;
}

const anything = { type: 'object' } as const;
const byId = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } as const;
const shared = { access: 'anyone', dialect: 'control', section: 'control API', provenance: 'assumed' } as const;
const page = {
  offset: { type: 'string', pattern: '^[0-9]{1,9}$' },
  limit: { type: 'string', pattern: '^[0-9]{1,4}$', examples: ['100'] },
} as const;

/** People as the inspector shows them: found by any identifier, with what is known of each and what happened to them. */
export function createPeopleRoutes({ store, recorder }: PeopleRouteDeps): readonly Endpoint[] {
  const personOf = (id: string): User =>
    store.users.get(id) ?? notFound(`There is no person ${id}. GET /control/people lists them.`);

  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/people',
      summary: 'The people of a company, newest first, or those of whom an identifier holds the text searched for',
      query: {
        type: 'object',
        required: ['companyId'],
        properties: { companyId: { type: 'string' }, search: { type: 'string', maxLength: 500 }, ...page },
      },
      replies: { 200: anything },
      handle({ query: { companyId, search = '', offset = '0', limit = '100' } }) {
        if (!store.companies.get(companyId))
          return notFound(`There is no company ${companyId}. GET /control/records/companies lists them.`);
        const found = searchPeople(store, companyId, search);
        const people = found.slice(Number(offset), Number(offset) + Number(limit));
        const view: PeopleView = {
          total: found.length,
          people: people.map((user) => toPersonLine(store, user, search)),
        };
        return { status: 200, body: { ...view } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/people/{id}',
      summary:
        'One person: identities, subscriptions and attributes with the requests they came of, messages, deliveries',
      params: byId,
      replies: { 200: anything },
      handle: ({ params }) => ({ status: 200, body: { ...toPersonView(store, recorder, personOf(params.id)) } }),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/people/{id}/history',
      summary: 'What happened to a person and what they did, newest first, with the requests that caused it',
      params: byId,
      query: {
        type: 'object',
        properties: {
          group: { type: 'string', enum: ['events', 'messages', 'deliveries', 'changes'] },
          ...page,
        },
      },
      replies: { 200: anything },
      handle({ params, query: { group, offset = '0', limit = '100' } }) {
        const wanted = { ...(group ? { group } : {}), offset: Number(offset), limit: Number(limit) };
        return { status: 200, body: { ...toHistory(store, recorder, personOf(params.id), wanted) } };
      },
    }),
  ];
}
