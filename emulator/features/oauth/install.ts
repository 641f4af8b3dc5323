import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { toIso } from '../../clock.ts';
import { documented } from '../../contract/schema.ts';
import type { Deps } from '../../deps.ts';
import { endpoint, type Endpoint, type Reply } from '../../http/endpoint.ts';
import { randomSecret, toGlobalId } from '../../ids.ts';
import type { App } from '../../records.ts';
import { Refusal, inForm, inHeader, inQuery, refuse, type Place } from '../../rules.ts';
import { spans } from '../../settings.ts';
import { toConsentPage, toErrorPage, toPageHeaders } from './page.ts';
import { isRegistered, withParameters } from './redirect.ts';
import { oauthRules } from './rules.ts';

const asked = {
  client_id: documented({ type: 'string', examples: ['sandpiper-demo-client'] }),
  redirect_uri: documented({ type: 'string', examples: ['http://localhost:3000/callback'] }),
  scope: documented({ type: 'string', examples: ['webhooks:write'] }),
  state: documented({ type: 'string', examples: ['a-random-text'] }),
} as const;

const page = { type: 'string' } as const;
const shared = { path: '/integrations/oauth-install', access: 'anyone', section: '5, OAuth 2.0 flow' } as const;
const cookieName = 'sandpiper_consent';

interface Asked {
  readonly client_id?: string;
  readonly redirect_uri?: string;
  readonly scope?: string;
  readonly state?: string;
}

/**
 * The OAuth install page on the server's root (section 5; shapes.md section 4): shows what an app asks for, and after
 * consent leads back to it with a code. A fault of the app or its redirect URI is shown here and redirects nobody; any
 * other fault is told to the redirect URI as RFC 6749 section 4.1.2.1 says.
 * @param secret binds a consent form to the browser to which it was shown
 */
export function createInstallEndpoints({ secret }: { secret: string }): readonly Endpoint[] {
  const show = endpoint({
    ...shared,
    method: 'GET',
    summary: 'Ask a person to install an app',
    query: { type: 'object', properties: asked },
    replies: { 200: page, 303: null, 400: page },
    handle: ({ query, headers }, deps) =>
      orErrorPage(deps, () => {
        const app = findApp(deps, query, inQuery);
        const { redirect_uri: redirectUri = '', state } = query;
        const wanted = toScopes(query.scope, app);
        const unknown = wanted.filter((scope) => !app.scopes.includes(scope));
        if (unknown.length > 0) {
          const description = `The app does not have the scope ${unknown.join(', ')}; it has ${app.scopes.join(', ')}.`;
          return toRedirect(redirectUri, { error: 'invalid_scope', error_description: description, state });
        }
        const cookie = readCookie(headers) ?? randomSecret(18);
        const hidden = toHidden(query);
        const html = toConsentPage({
          appName: app.name,
          redirectUri,
          scopes: wanted,
          companies: [...deps.store.companies.all()],
          hidden: { ...hidden, csrf_token: toToken(secret, cookie, hidden) },
        });
        const setCookie = { 'set-cookie': `${cookieName}=${cookie}; Path=/integrations; HttpOnly; SameSite=Lax` };
        return { status: 200 as const, body: html, headers: { ...toPageHeaders(redirectUri), ...setCookie } };
      }),
  });

  const decide = endpoint({
    ...shared,
    method: 'POST',
    summary: 'What the person decided',
    bodyType: 'form',
    body: {
      type: 'object',
      required: ['decision', 'company_id'],
      properties: {
        ...asked,
        company_id: documented({ type: 'string' }),
        decision: documented({ type: 'string', enum: ['approve', 'deny'] }),
        csrf_token: documented({ type: 'string' }),
      },
    },
    replies: { 303: null, 400: page, 403: page },
    handle: ({ body, headers, now }, deps) =>
      orErrorPage(deps, () => {
        checkConsent(secret, body, headers);
        const app = findApp(deps, body, inForm);
        const { redirect_uri: redirectUri = '', state, company_id: companyId } = body;
        if (body.decision === 'deny') {
          return toRedirect(redirectUri, {
            error: 'access_denied',
            error_description: 'The user denied the installation.',
            state,
          });
        }
        const { store } = deps;
        if (!store.companies.get(companyId)) {
          const known = [...store.companies.all()][0]?.id ?? null;
          refuse(oauthRules.company, inForm('company_id'), companyId, { sent: companyId, known });
        }
        const code = Buffer.from(randomBytes(12).toString('hex')).toString('base64');
        store.authorizationCodes.put({
          id: toGlobalId('AuthorizationCode', store.nextNumber()),
          companyId,
          appId: app.id,
          code,
          redirectUri,
          scopes: toScopes(body.scope, app),
          createdAt: toIso(now),
          expiresAt: toIso(now + spans.authorizationCode),
          usedAt: null,
        });
        // `authorizationCode` is the older name, which an official sample still reads (shapes.md section 4).
        return toRedirect(redirectUri, { code, authorizationCode: code, state });
      }),
  });

  return [show, decide];
}

/** A refusal is shown as a page: a person stands before it. */
function orErrorPage<R extends Reply>(deps: Deps, work: () => R): R {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const html = toErrorPage(error.message, error.rule.id, `${deps.urls.inspector}/#/requests`);
    return { status: error.rule.status, body: html, headers: toPageHeaders(null), refusal: error } as unknown as R;
  }
}

function findApp(
  { store }: Deps,
  { client_id: clientId = '', redirect_uri: redirectUri = '' }: Asked,
  at: (name: string) => Place,
): App {
  const apps = [...store.apps.all()].filter(({ kind }) => kind === 'public');
  const app = apps.find((one) => one.clientId === clientId);
  if (!app)
    return refuse(oauthRules.installClient, at('client_id'), clientId, { sent: clientId, known: apps[0] ?? null });
  if (!isRegistered(redirectUri, app.redirectUris))
    refuse(oauthRules.installRedirect, at('redirect_uri'), redirectUri, { sent: redirectUri, app });
  return app;
}

/** Scopes come separated by spaces, which a query writes as plus signs; some clients use commas. None means all. */
function toScopes(text: string | undefined, app: App): readonly string[] {
  const wanted = (text ?? '').split(/[\s,]+/).filter((scope) => scope !== '');
  return wanted.length === 0 ? app.scopes : [...new Set(wanted)];
}

function toRedirect(redirectUri: string, parameters: { readonly [name: string]: string | undefined }) {
  const headers = {
    location: withParameters(redirectUri, parameters),
    'cache-control': 'no-store',
    'referrer-policy': 'no-referrer',
  };
  return { status: 303, body: null, headers } as const;
}

function toHidden(sent: Asked): { readonly [name: string]: string } {
  return Object.fromEntries(
    Object.keys(asked).flatMap((name) => {
      const value = sent[name as keyof Asked];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

function toToken(secret: string, cookie: string, hidden: { readonly [name: string]: string }): string {
  return createHmac('sha256', secret)
    .update(JSON.stringify([cookie, hidden]))
    .digest('hex');
}

/** Refuses a consent that another page sent, or that was changed on the way (experience.md S2.11). */
function checkConsent(
  secret: string,
  body: Asked & { readonly csrf_token?: string },
  headers: IncomingHttpHeaders,
): void {
  const { origin, host } = headers;
  const foreign = origin !== undefined && origin !== `http://${host}`;
  if (foreign || headers['sec-fetch-site'] === 'cross-site') {
    refuse(oauthRules.consentToken, inHeader('origin'), origin, {
      reason: `it comes from ${JSON.stringify(origin ?? 'another site')}`,
    });
  }
  const cookie = readCookie(headers);
  if (cookie === null)
    return refuse(oauthRules.consentToken, inHeader('cookie'), undefined, {
      reason: 'the cookie of the page is missing',
    });
  const expected = Buffer.from(toToken(secret, cookie, toHidden(body)));
  const sent = Buffer.from(body.csrf_token ?? '');
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected)) {
    refuse(oauthRules.consentToken, inForm('csrf_token'), undefined, {
      reason: 'its token is missing, or belongs to another page',
    });
  }
}

function readCookie({ cookie = '' }: IncomingHttpHeaders): string | null {
  return new RegExp(`(?:^|;\\s*)${cookieName}=([A-Za-z0-9_-]{20,60})(?:;|$)`).exec(cookie)?.[1] ?? null;
}
