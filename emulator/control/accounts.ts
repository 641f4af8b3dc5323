import { changeApp, makeApp, makeKey, removeApp, renewClientSecret } from '../features/accounts/apps.ts';
import { changeCompany, makeCompany, removeCompany } from '../features/accounts/companies.ts';
import { findApp, findCredential } from '../features/accounts/find.ts';
import { scopes } from '../http/endpoint.ts';
import { randomSecret, toGlobalId } from '../ids.ts';
import type { Credential } from '../records.ts';
import type { Store } from '../store/store.ts';
import { toIso } from '../time/clock.ts';
import type { Acting } from './acting.ts';
import type { Body } from './calls.ts';
import type { accountCalls } from './contract/accounts.ts';
import { badRequest, notFound } from './problems.ts';
import type { Handlers } from './route.ts';

export interface AccountHandlerDeps {
  readonly store: Store;
  readonly act: Acting;
}

/** Companies, apps and keys, as a person makes them on the platform's own pages. */
export function createAccountHandlers({ store, act }: AccountHandlerDeps): Handlers<typeof accountCalls> {
  return {
    'POST /control/companies'({ body, now }) {
      let made: ReturnType<typeof makeCompany> | undefined;
      const done = act(
        'company.created',
        ({ name }) => `The company “${name}” was created.`,
        () => (made = makeCompany(store, body, scopes, now)).company,
        ({ id }) => removeCompany(store, id),
      );
      const { app, credential } = made ?? unmade();
      return { ...done, appId: app.id, credentialId: credential.id, key: credential.secret };
    },
    'POST /control/companies/{id}': ({ params: { id }, body }) =>
      act(
        'company.changed',
        ({ name }) => `The company “${name}” was changed.`,
        () => changeCompany(store, id, body),
      ),
    'DELETE /control/companies/{id}': ({ params: { id } }) =>
      act(
        'company.deleted',
        ({ name }) => `The company “${name}” was deleted, with all its records.`,
        () => removeCompany(store, id),
      ),
    'POST /control/apps'({ body, now }) {
      let made: ReturnType<typeof makeApp> | undefined;
      const done = act(
        'app.created',
        ({ name }) => `The app “${name}” was created.`,
        () => (made = makeApp(store, body, now)).app,
        ({ id }) => removeApp(store, id),
      );
      return { ...done, key: made?.credential?.secret ?? null };
    },
    'POST /control/apps/{id}': ({ params: { id }, body }) =>
      act(
        'app.changed',
        ({ name }) => `The app “${name}” was changed.`,
        () => changeApp(store, id, body),
      ),
    'DELETE /control/apps/{id}': ({ params: { id } }) =>
      act(
        'app.deleted',
        ({ name }) => `The app “${name}” was deleted, with its keys.`,
        () => removeApp(store, id),
      ),
    'POST /control/apps/{id}/keys'({ params: { id }, body: { secret, replaces = false }, now }) {
      let key = '';
      const done = act(
        replaces ? 'credential.rotated' : 'credential.created',
        (app) => (replaces ? `The key of “${app.name}” was rotated.` : `“${app.name}” got another key.`),
        () => {
          key = makeKey(store, id, { secret, replaces }, now).secret;
          return findApp(store, id);
        },
      );
      return { ...done, key };
    },
    'GET /control/apps/{id}/secret': ({ params: { id } }) => ({ secret: findApp(store, id).clientSecret }),
    'POST /control/apps/{id}/secret': ({ params: { id } }) =>
      act(
        'app.secret-renewed',
        ({ name }) => `The client secret of “${name}” was renewed.`,
        () => renewClientSecret(store, id),
      ),
    'GET /control/credentials/{id}/secret': ({ params: { id } }) => ({ secret: findCredential(store, id).secret }),
    'POST /control/credentials': ({ body, now }) => store.transact(() => makeAppWithKey(store, body, now)).result,
    'DELETE /control/credentials/{id}'({ params: { id }, now }) {
      const credential =
        store.credentials.get(id) ??
        notFound(`There is no credential ${id}. GET /control/records/credentials lists them.`);
      store.transact(() => store.credentials.put({ ...credential, revokedAt: credential.revokedAt ?? toIso(now) }));
      return null;
    },
  };
}

function makeAppWithKey(store: Store, body: Body<'POST /control/credentials'>, now: number): Credential {
  const { companyId, name = 'Unnamed app', secret = randomSecret(), scopes: granted = scopes } = body;
  if (!store.companies.get(companyId))
    return badRequest(`There is no company ${companyId}. GET /control/records/companies lists them.`);
  const taken = store.credentials.index('bySecret', (one) => [one.secret]).get(secret)[0];
  if (taken) return badRequest(`The key is taken already, by the credential ${taken.id}. Choose another one.`);
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
  return store.credentials.put({
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
}

function unmade(): never {
  throw new Error('The act ran, but made nothing.');
}
