import { changeApp, makeApp, makeKey, removeApp, renewClientSecret } from '../features/accounts/apps.ts';
import { changeCompany, makeCompany, removeCompany } from '../features/accounts/companies.ts';
import { findApp, findCredential } from '../features/accounts/find.ts';
import { endpoint, scopes, type Endpoint } from '../http/endpoint.ts';
import type { Store } from '../store/store.ts';
import type { Acting } from './acting.ts';
import type { NewCompanyView, NewKeyView } from './protocol.ts';

export interface AccountRouteDeps {
  readonly store: Store;
  readonly act: Acting;
}

const anything = { type: 'object' } as const;
const byId = { type: 'object', required: ['id'], properties: { id: { type: 'string' } } } as const;
const shared = {
  access: 'anyone',
  dialect: 'control',
  section: 'control API',
  provenance: 'assumed',
  asynchronous: true,
} as const;
const granted = {
  type: 'array',
  items: { type: 'string', enum: scopes },
  examples: [['subscriptions:write']],
} as const;
const redirectUris = {
  type: 'array',
  maxItems: 50,
  items: { type: 'string', maxLength: 2048 },
  examples: [['http://localhost:3000/callback']],
} as const;
const ownKey = {
  type: 'string',
  minLength: 8,
  maxLength: 200,
  pattern: '^[\\x21-\\x7e]+$',
  examples: ['my-own-api-key'],
} as const;
const named = (example: string) => ({ type: 'string', maxLength: 400, examples: [example] }) as const;
const companyFields = {
  name: named('Curlew Coffee'),
  domain: {
    type: 'string',
    minLength: 1,
    maxLength: 253,
    pattern: '^[A-Za-z0-9.-]+$',
    examples: ['curlew.attn.example'],
  },
  contactEmail: { type: 'string', format: 'email', examples: ['dev@curlew.example'] },
} as const;

/** Companies, apps and keys, as a person makes them on the platform's own pages. */
export function createAccountRoutes({ store, act }: AccountRouteDeps): readonly Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/companies',
      summary: 'Create a company, with a first app that may do everything; the answer shows its key',
      body: { type: 'object', required: ['name'], additionalProperties: false, properties: companyFields },
      replies: { 201: anything },
      async handle({ body, now }) {
        let made: ReturnType<typeof makeCompany> | undefined;
        const done = act(
          'company.created',
          ({ name }) => `The company “${name}” was created.`,
          () => (made = makeCompany(store, body, scopes, now)).company,
          ({ id }) => removeCompany(store, id),
        );
        const { app, credential } = made ?? unmade();
        const view: NewCompanyView = { ...done, appId: app.id, credentialId: credential.id, key: credential.secret };
        return { status: 201, body: { ...view } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/companies/{id}',
      summary: 'Change a company: only what is sent',
      params: byId,
      body: { type: 'object', additionalProperties: false, properties: companyFields },
      replies: { 200: anything },
      async handle({ params: { id }, body }) {
        const done = act(
          'company.changed',
          ({ name }) => `The company “${name}” was changed.`,
          () => changeCompany(store, id, body),
        );
        return { status: 200, body: { ...done } };
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/control/companies/{id}',
      summary: 'Delete a company with all its records',
      params: byId,
      replies: { 200: anything },
      async handle({ params: { id } }) {
        const done = act(
          'company.deleted',
          ({ name }) => `The company “${name}” was deleted, with all its records.`,
          () => removeCompany(store, id),
        );
        return { status: 200, body: { ...done } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/apps',
      summary: 'Create an app: a private one with an API key, or a public one with a client id and secret',
      body: {
        type: 'object',
        required: ['companyId', 'kind', 'name', 'scopes'],
        additionalProperties: false,
        properties: {
          companyId: { type: 'string' },
          kind: { type: 'string', enum: ['private', 'public'] },
          name: named('My app'),
          scopes: granted,
          redirectUris,
          secret: ownKey,
        },
      },
      replies: { 201: anything },
      async handle({ body, now }) {
        let made: ReturnType<typeof makeApp> | undefined;
        const done = act(
          'app.created',
          ({ name }) => `The app “${name}” was created.`,
          () => (made = makeApp(store, body, now)).app,
          ({ id }) => removeApp(store, id),
        );
        const view: NewKeyView = { ...done, key: made?.credential?.secret ?? null };
        return { status: 201, body: { ...view } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/apps/{id}',
      summary: 'Change an app: only what is sent. The keys of a private app follow its scopes',
      params: byId,
      body: {
        type: 'object',
        additionalProperties: false,
        properties: { name: named('My app'), scopes: granted, redirectUris },
      },
      replies: { 200: anything },
      async handle({ params: { id }, body }) {
        const done = act(
          'app.changed',
          ({ name }) => `The app “${name}” was changed.`,
          () => changeApp(store, id, body),
        );
        return { status: 200, body: { ...done } };
      },
    }),
    endpoint({
      ...shared,
      method: 'DELETE',
      path: '/control/apps/{id}',
      summary: 'Delete an app with its keys, tokens, codes and webhooks',
      params: byId,
      replies: { 200: anything },
      async handle({ params: { id } }) {
        const done = act(
          'app.deleted',
          ({ name }) => `The app “${name}” was deleted, with its keys.`,
          () => removeApp(store, id),
        );
        return { status: 200, body: { ...done } };
      },
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/apps/{id}/keys',
      summary: 'Create an API key for a private app; replaces: true revokes those it had',
      params: byId,
      body: {
        type: 'object',
        additionalProperties: false,
        properties: { secret: ownKey, replaces: { type: 'boolean', default: false } },
      },
      replies: { 201: anything },
      async handle({ params: { id }, body, now }) {
        let key = '';
        const { replaces = false } = body;
        const done = act(
          replaces ? 'credential.rotated' : 'credential.created',
          (app) => (replaces ? `The key of “${app.name}” was rotated.` : `“${app.name}” got another key.`),
          () => {
            key = makeKey(store, id, { secret: body.secret, replaces }, now).secret;
            return findApp(store, id);
          },
        );
        const view: NewKeyView = { ...done, key };
        return { status: 201, body: { ...view } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/apps/{id}/secret',
      summary: 'The client secret of a public app, whole',
      params: byId,
      replies: { 200: anything },
      handle: ({ params: { id } }) => ({ status: 200, body: { secret: findApp(store, id).clientSecret } }),
    }),
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/apps/{id}/secret',
      summary: 'Give a public app another client secret; the one before it works no longer',
      params: byId,
      replies: { 201: anything },
      async handle({ params: { id } }) {
        const done = act(
          'app.secret-renewed',
          ({ name }) => `The client secret of “${name}” was renewed.`,
          () => renewClientSecret(store, id),
        );
        return { status: 201, body: { ...done } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/credentials/{id}/secret',
      summary: 'A key or a token, whole',
      params: byId,
      replies: { 200: anything },
      handle: ({ params: { id } }) => ({ status: 200, body: { secret: findCredential(store, id).secret } }),
    }),
  ];
}

function unmade(): never {
  throw new Error('The act ran, but made nothing.');
}
