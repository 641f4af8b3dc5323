import { documented, observed } from '../../contract/schema.ts';
import { endpoint, type Endpoint } from '../../http/endpoint.ts';
import { refuse } from '../../rules.ts';
import type { SharedOperations } from './operations.ts';
import type { createEngine } from './engine.ts';
import { graphqlRules, sampleQuery } from './rules.ts';

export { allGraphqlRules } from './rules.ts';

const body = {
  type: 'object',
  required: ['query'],
  properties: {
    query: documented({ type: 'string', examples: [sampleQuery] }),
    variables: documented({ type: ['object', 'null'], examples: [{}] }),
    operationName: observed({ type: ['string', 'null'] }),
  },
} as const;

const reply = {
  type: 'object',
  required: ['extensions'],
  properties: {
    data: documented({ type: ['object', 'null'] }),
    errors: observed({ type: 'array', items: { type: 'object' } }),
    extensions: documented({
      type: 'object',
      required: ['traceId'],
      properties: { traceId: documented({ type: 'string' }) },
    }),
  },
} as const;

/** POST /graphql (section 4, GraphQL; docs/platform.md, GraphQL), and the page for a browser that opens the address. */
export function createGraphqlEndpoints({ shared }: { readonly shared: SharedOperations }): readonly Endpoint[] {
  let engine: Promise<ReturnType<typeof createEngine>> | null = null;
  // Loaded with the first request: loading graphql takes a tenth of a second, which the start need not pay.
  const load = () => (engine ??= import('./engine.ts').then((loaded) => loaded.createEngine(shared)));

  const post = endpoint({
    method: 'POST',
    path: '/graphql',
    access: 'optional',
    dialect: 'graphql',
    summary: 'Query and change by GraphQL what REST offers',
    section: '4, GraphQL custom event',
    provenance: 'documented',
    body,
    replies: { 200: reply },
    errors: [400, 429, 500],
    asynchronous: true,
    async handle(input, deps) {
      const answer = await load();
      const { body: told, refusal } = await answer(input.body, input, deps);
      return { status: 200, body: told as { extensions: { traceId: string } }, ...(refusal ? { refusal } : {}) };
    },
  });

  const get = endpoint({
    method: 'GET',
    path: '/graphql',
    access: 'anyone',
    dialect: 'graphql',
    summary: 'Redirect a browser to the inspector, which has a GraphQL editor',
    section: '4, GraphQL custom event',
    provenance: 'assumed',
    replies: { 302: null },
    errors: [405],
    handle({ headers: { accept = '' } }, { urls }) {
      if (!accept.includes('text/html'))
        refuse(graphqlRules.get, { in: 'method', at: '' }, 'GET', undefined, { allow: 'POST' });
      return { status: 302, body: null, headers: { location: `${urls.inspector}/#/try/graphql` } };
    },
  });

  return [post, get];
}
