import { isJsonObject } from '../../contract/json-object.ts';
import { jsonOf } from '../../contract/json-of.ts';
import { endpoint, type Endpoint } from '../../http/endpoint.ts';
import { inBody, refuse, toRefusal } from '../../rules.ts';
import type { SharedOperations } from './operations.ts';
import { toAnswer } from './answer.ts';
import type { createEngine } from './engine.ts';
import type { Problem } from './prepare.ts';
import { graphqlRules, type SentByGet } from './rules.ts';
import { graphqlBody, graphqlReply, graphqlRequest, type GraphqlRequest } from './shapes.ts';

/** POST /graphql (section 4, GraphQL; docs/platform.md, GraphQL), and the page for a browser that opens the address. */
export function createGraphqlEndpoints({ shared }: { readonly shared: SharedOperations }): readonly Endpoint[] {
  let engine: Promise<ReturnType<typeof createEngine>> | null = null;
  // Loaded with the first request, because loading graphql would make the start a tenth of a second longer.
  const load = () => (engine ??= import('./engine.ts').then((loaded) => loaded.createEngine(shared)));

  const { get: _, ...ofQueries } = graphqlRules;
  const ofMutations = Object.values(shared).flatMap(({ operation }) => operation.rules ?? []);
  const post = endpoint({
    method: 'POST',
    path: '/graphql',
    access: 'optional',
    dialect: 'graphql',
    summary: 'Query and change by GraphQL the data that REST offers',
    section: '4, GraphQL custom event',
    provenance: 'documented',
    rules: [...new Set([...Object.values(ofQueries), ...ofMutations])],
    body: graphqlBody,
    replies: { 200: graphqlReply },
    errors: [400, 500],
    asynchronous: true,
    async handle(input, deps) {
      refuseBatch(input.body);
      if (isOnlyHash(input.body)) {
        input.authorize('bearer');
        const { body: told, refusal } = toAnswer({}, [noPersistedQueries()], deps.choices.answers);
        return { status: 200, body: told, ...(refusal ? { refusal } : {}) };
      }
      (await input.toCheck(graphqlRequest))(input.body);
      const answer = await load();
      const { body: told, refusal } = await answer(input.body as GraphqlRequest, input, deps);
      return { status: 200, body: told, ...(refusal ? { refusal } : {}) };
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
    reason: 'Section 4 names only POST; what a browser gets at the address is not public.',
    rules: [graphqlRules.get],
    // Some clients send queries by GET: these are refused for the method.
    query: { type: 'object' },
    replies: { 302: null },
    errors: [405],
    handle({ method, query, headers: { accept = '', upgrade } }, { urls }) {
      if (!accept.includes('text/html'))
        refuse(graphqlRules.get, { in: 'method', at: '' }, method, toSentByGet(query, upgrade), { allow: 'POST' });
      return { status: 302, body: null, headers: { location: `${urls.inspector}/#/try/graphql` } };
    },
  });

  return [post, get];
}

/** The content of a GET request, and the body that a client would send instead. */
function toSentByGet(sent: { readonly [name: string]: unknown }, upgrade: string | undefined): SentByGet {
  if (upgrade?.toLowerCase() === 'websocket') return { by: 'socket', request: null, parameters: [] };
  const { query, variables, operationName } = sent;
  const parameters = ['query', 'variables', 'operationName', 'extensions'].filter((name) => name in sent);
  if (typeof query !== 'string') return { by: 'extensions' in sent ? 'hash' : 'other', request: null, parameters };
  const values = typeof variables === 'string' ? jsonOf(variables) : undefined;
  const request = {
    query,
    ...(isJsonObject(values) ? { variables: values } : {}),
    ...(typeof operationName === 'string' && operationName !== '' ? { operationName } : {}),
  };
  return { by: 'query', request, parameters };
}

/** Refuses bodies of clients that put several queries into a request. */
function refuseBatch(body: unknown): void {
  if (Array.isArray(body) && body.length > 0 && body.every(isJsonObject))
    refuse(graphqlRules.batch, inBody(''), body, { queries: body });
}

/** Whether a client of automatic persisted queries sent only the hash of one. */
function isOnlyHash(body: unknown): boolean {
  if (!isJsonObject(body) || 'query' in body) return false;
  return isJsonObject(body['extensions']) && 'persistedQuery' in body['extensions'];
}

/** The answer to a hash. Code and message are those of the protocol: clients look for one or the other. */
function noPersistedQueries(): Problem {
  const refusal = toRefusal(graphqlRules.persisted, inBody('/query'), undefined, undefined);
  return { refusal, code: 'PERSISTED_QUERY_NOT_SUPPORTED', error: null, message: 'PersistedQueryNotSupported' };
}
