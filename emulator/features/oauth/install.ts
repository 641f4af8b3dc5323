import { randomBytes } from 'node:crypto';
import { toIso } from '../../time/clock.ts';
import { meantWord } from '../../contract/meant.ts';
import { assumed, readsMore } from '../../contract/schema.ts';
import type { Deps } from '../../deps.ts';
import { toDescription } from '../../http/error-text.ts';
import { endpoint, type Endpoint } from '../../http/endpoint.ts';
import { refusedWith, toPageHeaders } from '../../http/page.ts';
import { randomSecret, toGlobalId } from '../../ids.ts';
import type { App } from '../../records.ts';
import { inForm, inQuery, refuse, toRefusal, type Place } from '../../rules.ts';
import { spans } from '../../time/pace.ts';
import {
  checkConsent,
  fromHidden,
  installQuery,
  readCookie,
  toHidden,
  toSetCookie,
  toToken,
  type Asked,
} from './consent.ts';
import { toConsentPage } from './page.ts';
import { isRegistered, toFormTargets, withParameters } from './redirect.ts';
import { oauthRules } from './rules.ts';

const ownForm = 'The fields of the page’s own form are not part of the platform’s contract.';
const page = { type: 'string' } as const;
/** The endpoint is a page, so the rate limits do not count its requests. */
const shared = {
  path: '/integrations/oauth-install',
  access: 'anyone',
  section: '5, OAuth 2.0 flow',
  errors: [500],
  forPeople: true,
  // A refusal is shown as a page, because a person reads it.
  refused: refusedWith('This app cannot be installed'),
} as const;

/** The rules by which a link to the page is refused. */
const askRules = [oauthRules.installClient, oauthRules.installRedirect, oauthRules.installScope];

/** An installation that a person can be asked about: the app exists, and the redirect URI is registered for it. */
interface Installation {
  readonly app: App;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly state: string | undefined;
}

/**
 * The OAuth install page on the server's root (section 5; docs/platform.md, OAuth install): shows what an app asks for,
 * and after consent redirects to the app with a code. An error in the app or its redirect URI is shown here without a
 * redirect; any other error is sent to the redirect URI as in RFC 6749 section 4.1.2.1.
 * @param secret binds a consent form to the browser that got it
 */
export function createInstallEndpoints({ secret }: { secret: string }): readonly Endpoint[] {
  const show = endpoint({
    ...shared,
    method: 'GET',
    provenance: 'documented',
    rules: askRules,
    summary: 'Ask a person to install an app',
    query: installQuery,
    replies: { 200: page, 303: null, 400: page },
    handle({ query, headers, note }, deps) {
      const wanted = toInstallation(deps, query, inQuery, note);
      const fault = scopeFault(wanted, inQuery('scope'));
      if (fault) return fault;
      const cookie = readCookie(headers) ?? randomSecret(18);
      const hidden = toHidden({ ...query, ...(query.scope !== undefined && { scope: wanted.scopes.join(' ') }) });
      const html = toConsentPage({
        appName: wanted.app.name,
        redirectUri: wanted.redirectUri,
        scopes: wanted.scopes,
        companies: deps.store.companies.records(),
        hidden: { ...hidden, csrf_token: toToken(secret, cookie, hidden) },
      });
      const ownHeaders = {
        ...toPageHeaders(`'self' ${toFormTargets(wanted.redirectUri)}`),
        'set-cookie': toSetCookie(cookie),
      };
      return { status: 200 as const, body: html, headers: ownHeaders };
    },
  });

  const decide = endpoint({
    ...shared,
    method: 'POST',
    provenance: 'assumed',
    reason: 'Section 5 says that a person approves or denies; the form for it is on a page of our own.',
    rules: [...askRules, oauthRules.consentToken, oauthRules.company],
    summary: 'Submit the decision of the person',
    bodyType: 'form',
    body: readsMore(
      {
        type: 'object',
        required: ['decision', 'company_id'],
        properties: {
          ...installQuery.properties,
          company_id: assumed({ type: 'string' }, ownForm),
          decision: assumed({ type: 'string', enum: ['approve', 'deny'] }, ownForm),
          csrf_token: assumed({ type: 'string' }, ownForm),
        },
      },
      { required: ['client_id', 'redirect_uri', 'company_id', 'decision', 'csrf_token'] },
    ),
    replies: { 303: null, 400: page, 403: page },
    handle({ body, headers, now, note }, deps) {
      checkConsent(secret, body, headers);
      const granted = toInstallation(deps, fromHidden(body), inForm, note);
      const { redirectUri, state } = granted;
      if (body.decision === 'deny') {
        const description = 'The user denied the installation.';
        return toRedirect(redirectUri, { error: 'access_denied', error_description: description, state });
      }
      // Since the page was shown, the app may have lost a scope, or the company may have been deleted.
      const fault = scopeFault(granted, inForm('scope'));
      if (fault) return fault;
      checkCompany(deps, body.company_id);
      const code = makeCode(deps, granted, body.company_id, now);
      // `authorizationCode` is the older name, which an official sample still reads (docs/platform.md, OAuth install).
      return toRedirect(redirectUri, { code, authorizationCode: code, state });
    },
  });

  return [show, decide];
}

function toInstallation(
  { store }: Deps,
  sent: Asked,
  at: (name: string) => Place,
  note: (remark: string) => void,
): Installation {
  const { client_id: clientId = '', redirect_uri: redirectUri = '', scope, state } = sent;
  const apps = store.apps.records().filter(({ kind }) => kind === 'public');
  const app = apps.find((one) => one.clientId === clientId);
  if (!app)
    return refuse(oauthRules.installClient, at('client_id'), clientId, { sent: clientId, known: apps[0] ?? null });
  if (!isRegistered(redirectUri, app.redirectUris))
    refuse(oauthRules.installRedirect, at('redirect_uri'), redirectUri, { sent: redirectUri, app });
  if (!app.redirectUris.includes(redirectUri))
    note(
      `${redirectUri} differs in its port from the redirect URIs of the app (${app.redirectUris.join(', ')}). It was accepted, but the platform may refuse it: associate it with the app.`,
    );
  return { app, redirectUri, scopes: toScopes(scope, app), state };
}

/** Scopes are separated by spaces, which a query encodes as plus signs; some clients use commas. None means all. */
function toScopes(text: string | undefined, app: App): readonly string[] {
  const wanted = (text ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
  return wanted.length === 0 ? app.scopes : [...new Set(wanted)];
}

/** A separator that was encoded once too often: programs encode the text `a+b` as `a%2Bb`. */
const encodedSeparator = /\+|%2B|%20|%2C/gi;

/** Redirects with `invalid_scope` if the app asks for scopes that it does not have. */
function scopeFault({ app, redirectUri, scopes, state }: Installation, place: Place) {
  const isHeld = (scope: string): boolean => app.scopes.includes(scope);
  if (scopes.every(isHeld)) return null;
  const joined = scopes.find((scope) => !isHeld(scope) && scope.split(encodedSeparator).some(isHeld));
  const asked = joined === undefined ? scopes : toScopes(scopes.join(' ').replaceAll(encodedSeparator, ' '), app);
  const refusal = toRefusal(oauthRules.installScope, place, scopes.join(' '), {
    meant: [...new Set(asked.flatMap((scope) => (isHeld(scope) ? scope : (meantWord(scope, app.scopes) ?? []))))],
    unknown: asked.filter((scope) => !isHeld(scope)),
    held: app.scopes,
    joined: joined === undefined ? null : { text: joined, separator: joined.match(encodedSeparator)?.[0] ?? '' },
  });
  const description = toDescription(refusal.message);
  return { ...toRedirect(redirectUri, { error: 'invalid_scope', error_description: description, state }), refusal };
}

function checkCompany({ store }: Deps, companyId: string): void {
  if (store.companies.get(companyId)) return;
  const known = store.companies.records()[0]?.id ?? null;
  refuse(oauthRules.company, inForm('company_id'), companyId, { sent: companyId, known });
}

/**
 * Stores a code in the platform's form: base64 of 24 hex digits (docs/platform.md, Access tokens). Inside a
 * transaction.
 */
function makeCode({ store }: Deps, { app, redirectUri, scopes }: Installation, companyId: string, now: number): string {
  const code = Buffer.from(randomBytes(12).toString('hex')).toString('base64');
  store.authorizationCodes.put({
    id: toGlobalId('AuthorizationCode', store.nextNumber()),
    companyId,
    appId: app.id,
    code,
    redirectUri,
    scopes,
    createdAt: toIso(now),
    expiresAt: toIso(now + spans.authorizationCode),
    usedAt: null,
  });
  return code;
}

function toRedirect(redirectUri: string, parameters: { readonly [name: string]: string | undefined }) {
  const headers = {
    location: withParameters(redirectUri, parameters),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  };
  return { status: 303, body: null, headers } as const;
}
