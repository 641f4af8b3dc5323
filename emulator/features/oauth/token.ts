import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { toIso } from '../../clock.ts';
import { documented } from '../../contract/schema.ts';
import { endpoint } from '../../http/endpoint.ts';
import { toGlobalId } from '../../ids.ts';
import type { App } from '../../records.ts';
import { inForm, refuse } from '../../rules.ts';
import type { Store } from '../../store/store.ts';
import { oauthRules } from './rules.ts';

/**
 * POST /authorization-codes/tokens (sections 2.3, 5): exchanges a code for an access token of the company that installed
 * the app. The guide says the token does not expire, the answer names a number of seconds all the same: both are kept,
 * `expires_in` is told and the token goes on working.
 */
export const exchangeCode = endpoint({
  method: 'POST',
  path: '/authorization-codes/tokens',
  access: 'anyone',
  dialect: 'oauth',
  summary: 'Exchange an authorization code for an access token',
  section: '5',
  bodyType: 'form',
  bodyLimit: 64 * 1024,
  body: {
    type: 'object',
    required: ['grant_type', 'code', 'redirect_uri', 'client_id', 'client_secret'],
    properties: {
      grant_type: documented({ type: 'string', minLength: 1, examples: ['authorization_code'] }),
      code: documented({ type: 'string', minLength: 1, examples: ['MTQ0NjJkZmQ5OTM2NDE1ZTZjNGZmZjI3'] }),
      redirect_uri: documented({ type: 'string', minLength: 1, examples: ['http://localhost:3000/callback'] }),
      client_id: documented({ type: 'string', minLength: 1, examples: ['sandpiper-demo-client'] }),
      client_secret: documented({ type: 'string', minLength: 1, examples: ['sandpiper-demo-secret'] }),
    },
  },
  replies: {
    200: {
      type: 'object',
      required: ['access_token', 'id_token', 'token_type', 'expires_in'],
      properties: {
        access_token: documented({ type: 'string' }),
        id_token: documented({ type: 'string' }),
        token_type: documented({ type: 'string', examples: ['Bearer'] }),
        expires_in: documented({ type: 'integer', examples: [900] }),
      },
    },
  },
  errors: [400, 401, 500],
  handle({ body, now }, { store }) {
    if (body.grant_type !== 'authorization_code')
      refuse(oauthRules.grantType, inForm('grant_type'), body.grant_type, { sent: body.grant_type });
    const app = authenticateClient(store, body.client_id, body.client_secret);
    const code = store.authorizationCodes.index('byCode', (one) => [one.code]).get(body.code)[0];
    const place = inForm('code');
    if (!code) return refuse(oauthRules.unknownCode, place, body.code, undefined);
    if (code.appId !== app.id)
      refuse(oauthRules.otherClient, place, body.code, { owner: store.apps.get(code.appId) ?? null });
    if (code.usedAt !== null) refuse(oauthRules.usedCode, place, body.code, { at: code.usedAt });
    if (toIso(now) >= code.expiresAt) refuse(oauthRules.expiredCode, place, body.code, { at: code.expiresAt });
    if (code.redirectUri !== body.redirect_uri) {
      refuse(oauthRules.otherRedirect, inForm('redirect_uri'), body.redirect_uri, {
        used: code.redirectUri,
        sent: body.redirect_uri,
      });
    }
    const token = toToken();
    store.authorizationCodes.put({ ...code, usedAt: toIso(now) });
    store.credentials.put({
      id: toGlobalId('Credential', store.nextNumber()),
      companyId: code.companyId,
      appId: app.id,
      kind: 'oauth-token',
      secret: token,
      scopes: code.scopes,
      createdAt: toIso(now),
      expiresAt: null,
      revokedAt: null,
    });
    return {
      status: 200,
      body: { access_token: token, id_token: toToken(), token_type: 'Bearer', expires_in: 900 },
      headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
    };
  },
});

function authenticateClient(store: Store, clientId: string, clientSecret: string): App {
  const apps = [...store.apps.all()].filter(({ kind }) => kind === 'public');
  const app = apps.find((one) => one.clientId === clientId);
  if (!app)
    return refuse(oauthRules.unknownClient, inForm('client_id'), clientId, { sent: clientId, known: apps[0] ?? null });
  if (!isSame(clientSecret, app.clientSecret ?? ''))
    refuse(oauthRules.clientSecret, inForm('client_secret'), undefined, { app });
  return app;
}

function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

/** In the style of the platform's example: 42 characters of base64. */
function toToken(): string {
  return randomBytes(31).toString('base64').replace(/=+$/, '');
}
