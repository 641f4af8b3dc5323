import {
  changeApp,
  changeScope,
  makeApp,
  makeKey,
  makePrivateApp,
  removeApp,
  renewClientSecret,
} from '../features/accounts/apps.ts';
import { changeCompany, deleteCompany, makeCompany, removeCompany } from '../features/accounts/companies.ts';
import { findApp, findCredential } from '../features/accounts/find.ts';
import { scopes } from '../http/endpoint.ts';
import { toIso } from '../time/clock.ts';
import type { accountCalls } from './contract/accounts.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';

/** Handlers that manage companies, apps and keys, as a person does on the platform's own pages. */
export function createAccountHandlers({ store, undo: { edit }, editDone }: HandlerDeps): Handlers<typeof accountCalls> {
  return {
    'POST /control/companies'({ body, now }) {
      const { made, says } = edit(
        'company.created',
        ({ company }) => `The company “${company.name}” was created.`,
        () => makeCompany(store, body, scopes, now),
        ({ company }) => removeCompany(store, company.id),
      );
      const { company, app, credential } = made;
      return { id: company.id, says, appId: app.id, credentialId: credential.id, key: credential.secret };
    },
    'POST /control/companies/{id}': ({ params: { id }, body }) =>
      editDone(
        'company.changed',
        ({ name }) => `The company “${name}” was changed.`,
        () => changeCompany(store, id, body),
      ),
    'DELETE /control/companies/{id}': ({ params: { id } }) =>
      editDone(
        'company.deleted',
        ({ name }) => `The company “${name}” was deleted, with all its records.`,
        () => deleteCompany(store, id),
      ),
    'POST /control/apps'({ body, now }) {
      const { made, says } = edit(
        'app.created',
        ({ app }) => `The app “${app.name}” was created.`,
        () => makeApp(store, body, now),
        ({ app }) => removeApp(store, app.id),
      );
      return { id: made.app.id, says, key: made.credential?.secret ?? null };
    },
    'POST /control/apps/{id}': ({ params: { id }, body }) =>
      editDone(
        'app.changed',
        ({ name }) => `The app “${name}” was changed.`,
        () => changeApp(store, id, body),
      ),
    'POST /control/apps/{id}/scopes': ({ params: { id }, body }) =>
      editDone(
        body.held ? 'scope.granted' : 'scope.taken',
        ({ name }) =>
          body.held
            ? `The scope ${body.scope} was granted to “${name}”.`
            : `The scope ${body.scope} was taken from “${name}”.`,
        () => changeScope(store, id, body),
      ),
    'DELETE /control/apps/{id}': ({ params: { id } }) =>
      editDone(
        'app.deleted',
        ({ name }) => `The app “${name}” was deleted, with its keys.`,
        () => removeApp(store, id),
      ),
    'POST /control/apps/{id}/keys'({ params: { id }, body: { secret, replaces = false }, now }) {
      const { made, says } = edit(
        replaces ? 'credential.rotated' : 'credential.created',
        ({ app: { name } }) => (replaces ? `The key of “${name}” was rotated.` : `“${name}” got another key.`),
        () => ({ key: makeKey(store, id, { secret, replaces }, now).secret, app: findApp(store, id) }),
      );
      return { id: made.app.id, says, key: made.key };
    },
    'GET /control/apps/{id}/secret': ({ params: { id } }) => ({ secret: findApp(store, id).clientSecret }),
    'POST /control/apps/{id}/secret': ({ params: { id } }) =>
      editDone(
        'app.secret-renewed',
        ({ name }) => `The client secret of “${name}” was renewed.`,
        () => renewClientSecret(store, id),
      ),
    'GET /control/credentials/{id}/secret': ({ params: { id } }) => ({ secret: findCredential(store, id).secret }),
    'POST /control/credentials': ({ body, now }) =>
      edit(
        'app.created',
        ({ appId }) => `The app “${findApp(store, appId).name}” was created.`,
        () => makePrivateApp(store, { name: 'Unnamed app', scopes, ...body }, now).credential,
        ({ appId }) => removeApp(store, appId),
      ).made,
    'DELETE /control/credentials/{id}'({ params: { id }, now }) {
      const credential = findCredential(store, id);
      const { kind, name } = findApp(store, credential.appId);
      edit(
        'credential.revoked',
        () => `A ${kind === 'public' ? 'token' : 'key'} of “${name}” was revoked.`,
        () => store.credentials.put({ ...credential, revokedAt: credential.revokedAt ?? toIso(now) }),
      );
      return null;
    },
  };
}
