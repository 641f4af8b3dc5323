import type { Urls } from '../deps.ts';
import type { Clock } from '../time/clock.ts';
import { scopes, endpoint, type Endpoint } from '../http/endpoint.ts';
import type { Recorder } from '../http/recorder.ts';
import { masked } from '../http/auth.ts';
import { randomSecret, toGlobalId } from '../ids.ts';
import { toIso } from '../time/clock.ts';
import type { CollectionName, Credential, StoredRecord } from '../records.ts';
import type { Definitions } from '../records/definition.ts';
import { mapSecrets } from '../records/secrets.ts';
import type { Collection, Store } from '../store/store.ts';
import type { Move } from '../machine/table.ts';
import { badRequest, notFound } from './problems.ts';
import { toKind, toRequestView, toSummary } from './views.ts';

export interface ControlDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly recorder: Recorder;
  /** Which moves a record's state allows, and why not the others; [] where a kind has no states. */
  movesOf(name: CollectionName, record: StoredRecord): readonly Move[];
  readonly version: string;
  readonly urls: Urls;
  /** Back to an empty store or the demo world. */
  reset(world: 'empty' | 'demo'): Promise<void>;
  /** The platform API's OpenAPI document. */
  apiDocument(): object;
  /** The control API's own. */
  controlDocument(): object;
}

const anything = { type: 'object' } as const;
const byId = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } as const;
const kindAndId = {
  type: 'object',
  required: ['kind', 'id'],
  properties: { kind: { type: 'string' }, id: { type: 'string' } },
} as const;
const shared = { access: 'anyone', dialect: 'control', section: 'control API', provenance: 'assumed' } as const;

/** The control API's operations (all guarded by the token, see guard.ts). */
export function createControlRoutes(deps: ControlDeps): readonly Endpoint[] {
  const { store, clock, recorder } = deps;

  const collectionOf = (kind: string): Collection<StoredRecord> => store.collection(nameOf(kind, store.names));

  return [
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/health',
      summary: 'Whether the emulator is ready, and what it holds',
      replies: { 200: anything },
      handle: () => ({
        status: 200,
        body: {
          ready: true,
          version: deps.version,
          apiUrl: deps.urls.api,
          authUrl: deps.urls.auth,
          now: toIso(clock.now()),
          clock: clock.mode(),
          dataDir: store.dataDir,
          requests: { kept: recorder.size, dropped: recorder.dropped },
          records: Object.fromEntries(store.names.map((name) => [toKind(name), store.collection(name).size])),
          notices: store.notices,
        },
      }),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/requests',
      summary: 'Recorded requests, newest last',
      query: {
        type: 'object',
        properties: {
          after: { type: 'string', pattern: '^[0-9]{1,15}$', examples: ['0'] },
          before: { type: 'string', pattern: '^[0-9]{1,15}$', examples: ['100'] },
          limit: { type: 'string', pattern: '^[0-9]{1,5}$', examples: ['100'] },
          operation: { type: 'string', examples: ['POST /subscriptions'] },
          status: { type: 'string', pattern: '^[1-5](?:xx|[0-9]{2})$', examples: ['4xx'] },
          rule: { type: 'string', examples: ['auth.scope'] },
        },
      },
      replies: { 200: anything },
      handle({ query }) {
        const {
          after = '0',
          before,
          limit = '100',
          operation,
          status,
          rule,
        } = query as { readonly [name: string]: string | undefined };
        const found = recorder.all(Number(after)).filter((exchange) => {
          if (before !== undefined && exchange.sequence >= Number(before)) return false;
          if (operation !== undefined && exchange.operation !== operation) return false;
          if (status !== undefined && !String(exchange.status).startsWith(status.replace('xx', ''))) return false;
          return rule === undefined || exchange.refusal?.rule.id === rule;
        });
        const requests = found.slice(-Number(limit)).map(toSummary);
        return { status: 200, body: { total: found.length, dropped: recorder.dropped, requests } };
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/control/requests',
      summary: 'Forget the recorded requests',
      replies: { 204: null },
      handle() {
        recorder.clear();
        return { status: 204, body: null };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/requests/{id}',
      summary: 'One recorded request, whole',
      params: byId,
      query: { type: 'object', properties: { reveal: { type: 'string', enum: ['true', 'false'] } } },
      replies: { 200: anything },
      handle({ params, query }) {
        const exchange = recorder.get(params.id);
        if (!exchange)
          return notFound(
            `No request ${params.id} is recorded. The record keeps the newest ${recorder.size}; ${recorder.dropped} older ones were dropped.`,
          );
        return { status: 200, body: { ...toRequestView(exchange, query.reveal === 'true') } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/records/{kind}',
      summary: 'The records of a kind',
      params: {
        type: 'object',
        required: ['kind'],
        properties: { kind: { type: 'string', examples: ['subscriptions'] } },
      },
      query: {
        type: 'object',
        properties: {
          offset: { type: 'string', pattern: '^[0-9]{1,9}$' },
          limit: { type: 'string', pattern: '^[0-9]{1,5}$' },
          companyId: { type: 'string' },
        },
      },
      replies: { 200: anything },
      handle({ params, query }) {
        const { offset = '0', limit = '100', companyId } = query as { readonly [name: string]: string | undefined };
        const name = nameOf(params.kind, store.names);
        const all = [...store.collection(name).all()].filter(
          (record) => companyId === undefined || (record as { companyId?: string }).companyId === companyId,
        );
        const page = all.slice(Number(offset), Number(offset) + Number(limit));
        return {
          status: 200,
          body: { total: all.length, records: page.map((record) => withoutSecrets(store.definitions, name, record)) },
        };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/records/{kind}/{id}',
      summary: 'One record, its state, the moves that are open, and its history',
      params: kindAndId,
      replies: { 200: anything },
      handle({ params: { kind, id } }) {
        const record = collectionOf(kind).get(id);
        if (!record) return notFound(`There is no record ${id} of kind "${kind}".`);
        return {
          status: 200,
          body: toRecordView(nameOf(kind, store.names), record, { ...deps, definitions: store.definitions }),
        };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/reset',
      summary: 'Back to an empty store or to the demo world',
      body: { type: 'object', required: ['world'], properties: { world: { type: 'string', enum: ['demo', 'empty'] } } },
      replies: { 204: null },
      asynchronous: true,
      async handle({ body }) {
        await deps.reset(body.world);
        return { status: 204, body: null };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/save',
      summary: 'Write the state file now, as happens by itself now and then; the journal holds every change anyway',
      replies: { 204: null },
      asynchronous: true,
      async handle() {
        await store.snapshot();
        return { status: 204, body: null };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/credentials',
      summary: 'Create a private app with an API key; the answer is the only one that shows the whole key',
      body: {
        type: 'object',
        required: ['companyId'],
        properties: {
          companyId: { type: 'string' },
          name: { type: 'string', minLength: 1, maxLength: 100, examples: ['My app'] },
          scopes: { type: 'array', items: { type: 'string', enum: scopes } },
          secret: {
            type: 'string',
            minLength: 8,
            maxLength: 200,
            pattern: '^[\\x21-\\x7e]+$',
            examples: ['my-own-api-key'],
          },
        },
      },
      replies: { 201: anything },
      handle({ body, now }) {
        const { companyId, name = 'Unnamed app', secret = randomSecret() } = body;
        if (!store.companies.get(companyId))
          return badRequest(`There is no company ${companyId}. GET /control/records/companies lists them.`);
        const taken = store.credentials.index('bySecret', (one) => [one.secret]).get(secret)[0];
        if (taken) return badRequest(`The key is taken already, by the credential ${taken.id}. Choose another one.`);
        const granted = body.scopes ?? scopes;
        const app = store.apps.put({
          id: toGlobalId('Application', store.nextNumber()),
          companyId,
          kind: 'private',
          name,
          scopes: granted,
          clientId: null,
          clientSecret: null,
          redirectUris: [],
        });
        const credential: Credential = store.credentials.put({
          id: toGlobalId('Credential', store.nextNumber()),
          companyId,
          appId: app.id,
          kind: 'api-key',
          secret,
          scopes: granted,
          createdAt: toIso(now),
          expiresAt: null,
          revokedAt: null,
        });
        return { status: 201, body: { ...credential } };
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/control/credentials/{id}',
      summary: 'Revoke a credential: from now on it is answered with 401',
      params: byId,
      replies: { 204: null },
      handle({ params, now }) {
        const credential = store.credentials.get(params.id);
        if (!credential)
          return notFound(`There is no credential ${params.id}. GET /control/records/credentials lists them.`);
        store.credentials.put({ ...credential, revokedAt: credential.revokedAt ?? toIso(now) });
        return { status: 204, body: null };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/openapi.json',
      summary: 'The OpenAPI 3.1 document of the emulated API',
      replies: { 200: anything },
      handle: () => ({ status: 200, body: { ...deps.apiDocument() } }),
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/control-openapi.json',
      summary: 'The OpenAPI 3.1 document of this control API',
      replies: { 200: anything },
      handle: () => ({ status: 200, body: { ...deps.controlDocument() } }),
    }),
  ];
}

function nameOf(kind: string, names: readonly CollectionName[]): CollectionName {
  const name = names.find((one) => toKind(one) === kind);
  return name ?? notFound(`There are no records of kind "${kind}". Kinds: ${names.map(toKind).join(', ')}.`);
}

/** A record with its state, its moves and its history; secrets masked. */
export function toRecordView(
  name: CollectionName,
  record: StoredRecord,
  { movesOf, definitions }: Pick<ControlDeps, 'movesOf'> & { readonly definitions: Definitions },
): { [key: string]: unknown } {
  const { state = null, history = [] } = record as { state?: string; history?: readonly unknown[] };
  const moves = movesOf(name, record);
  return { record: withoutSecrets(definitions, name, record), state, moves, history };
}

function withoutSecrets(definitions: Definitions, name: CollectionName, record: StoredRecord): StoredRecord {
  const definition = definitions[name];
  return definition ? mapSecrets(definition, record, masked) : record;
}
