import { toIso } from '../../time/clock.ts';
import { randomSecret, toGlobalId } from '../../ids.ts';
import type { App, Credential } from '../../records.ts';
import { inBody, inPath, noSuch, refuse } from '../../rules.ts';
import type { Store } from '../../store/store.ts';
import { findApp, findCompany, findCredential, toName } from './find.ts';
import { accountRules } from './rules.ts';
import type { AppChange, AppFields, ScopeChange } from './shapes.ts';
import { isUrl } from '../../contract/url.ts';

/** `credential` is the API key of a private app; a public one has none until a company installs it. */
export interface NewApp {
  readonly app: App;
  readonly credential: Credential | null;
}

/**
 * Creates an app as the platform's own pages do: a private one with an API key, a public one with a client id and
 * secret. Inside a transaction.
 * @param now epoch milliseconds
 */
export function makeApp(store: Store, fields: AppFields, now: number): NewApp {
  const { companyId, kind, scopes, redirectUris = [] } = fields;
  findCompany(store, companyId, inBody('/companyId'));
  const isPublic = kind === 'public';
  checkRedirects(kind, redirectUris);
  const number = store.nextNumber();
  const app = store.apps.put({
    id: toGlobalId('Application', number),
    companyId,
    kind,
    name: toName('app', fields.name),
    scopes: [...new Set(scopes)],
    clientId: isPublic ? `client-${number}-${randomSecret(6)}` : null,
    clientSecret: isPublic ? randomSecret() : null,
    redirectUris: [...new Set(redirectUris)],
  });
  return { app, credential: isPublic ? null : makeKey(store, app.id, { secret: fields.secret }, now) };
}

/** Creates a private app with its key. Inside a transaction. */
export function makePrivateApp(
  store: Store,
  fields: Omit<AppFields, 'kind' | 'redirectUris'>,
  now: number,
): { readonly app: App; readonly credential: Credential } {
  const { app, credential } = makeApp(store, { ...fields, kind: 'private' }, now);
  if (!credential) throw new Error(`The private app ${app.id} was created without a key.`);
  return { app, credential };
}

/**
 * Changes the given fields of an app. The keys of a private app follow its scopes; a token keeps the scopes that its
 * company agreed to (both assumed). Inside a transaction.
 */
export function changeApp(
  store: Store,
  id: string,
  change: Omit<AppChange, 'scopes'> & { readonly scopes?: readonly string[] },
): App {
  const known = findApp(store, id);
  if (change.redirectUris) checkRedirects(known.kind, change.redirectUris);
  const app = store.apps.put({
    ...known,
    name: change.name === undefined ? known.name : toName('app', change.name),
    scopes: change.scopes ? [...new Set(change.scopes)] : known.scopes,
    redirectUris: change.redirectUris ? [...new Set(change.redirectUris)] : known.redirectUris,
  });
  if (change.scopes)
    for (const one of credentialsOf(store, id))
      if (one.kind === 'api-key') store.credentials.put({ ...one, scopes: app.scopes });
  return app;
}

/** Grants a scope to an app or takes it away; the keys of a private app follow. Inside a transaction. */
export function changeScope(store: Store, id: string, { scope, held, credentialId }: ScopeChange): App {
  const changed = (scopes: readonly string[]): readonly string[] => {
    const others = scopes.filter((one) => one !== scope);
    return held ? [...others, scope] : others;
  };
  if (credentialId !== undefined) {
    const place = inBody('/credentialId');
    const credential = findCredential(store, credentialId, place);
    if (credential.appId !== id) noSuch('credential', credentialId, place);
    store.credentials.put({ ...credential, scopes: changed(credential.scopes) });
  }
  return changeApp(store, id, { scopes: changed(findApp(store, id).scopes) });
}

/** Deletes an app with its keys, tokens, codes and webhooks. Inside a transaction. */
export function removeApp(store: Store, id: string): App {
  const app = findApp(store, id);
  for (const collection of [store.credentials, store.authorizationCodes, store.webhooks])
    for (const one of collection.all()) if (one.appId === id) collection.delete(one.id);
  store.apps.delete(id);
  return app;
}

/**
 * Creates an API key for a private app. Inside a transaction.
 * @param wanted.replaces also revokes the earlier keys of the app: a rotation
 * @param now epoch milliseconds
 */
export function makeKey(
  store: Store,
  appId: string,
  { secret = randomSecret(), replaces = false }: { readonly secret?: string | undefined; readonly replaces?: boolean },
  now: number,
): Credential {
  const app = findApp(store, appId);
  if (app.kind === 'public') refuse(accountRules.privateKey, inPath('id'), appId, { name: app.name });
  const taken = store.credentials.index('bySecret', (one) => [one.secret]).get(secret)[0];
  if (taken)
    refuse(accountRules.keyTaken, inBody('/secret'), undefined, {
      app: store.apps.get(taken.appId)?.name ?? taken.appId,
    });
  if (replaces) for (const one of credentialsOf(store, appId)) revoke(store, one, now);
  return store.credentials.put({
    id: toGlobalId('Credential', store.nextNumber()),
    companyId: app.companyId,
    appId,
    kind: 'api-key',
    secret,
    scopes: app.scopes,
    createdAt: toIso(now),
    expiresAt: null,
    revokedAt: null,
  });
}

/** Gives a public app a new client secret; the old one no longer works. Inside a transaction. */
export function renewClientSecret(store: Store, id: string): App {
  const app = findApp(store, id);
  if (app.kind === 'private') refuse(accountRules.publicSecret, inPath('id'), id, { name: app.name });
  return store.apps.put({ ...app, clientSecret: randomSecret() });
}

function credentialsOf(store: Store, appId: string): readonly Credential[] {
  return store.credentials.records().filter((one) => one.appId === appId);
}

function revoke(store: Store, credential: Credential, now: number): void {
  if (credential.revokedAt === null) store.credentials.put({ ...credential, revokedAt: toIso(now) });
}

const unsafeSchemes = ['javascript:', 'data:', 'vbscript:', 'blob:', 'file:', 'about:'];

function checkRedirects(kind: App['kind'], redirectUris: readonly string[]): void {
  if (kind === 'private') {
    if (redirectUris.length > 0) refuse(accountRules.redirectPrivate, inBody('/redirectUris'), redirectUris, undefined);
    return;
  }
  if (redirectUris.length === 0) refuse(accountRules.redirectNeeded, inBody('/redirectUris'), redirectUris, undefined);
  redirectUris.forEach((sent, at) => {
    const fits = isUrl(sent) && !sent.includes('#') && !unsafeSchemes.includes(new URL(sent).protocol);
    if (!fits) refuse(accountRules.redirectUri, inBody(`/redirectUris/${at}`), sent, { sent });
  });
}
