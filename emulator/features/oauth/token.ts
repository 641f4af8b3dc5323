import { randomBytes } from 'node:crypto';
import { toIso } from '../../time/clock.ts';
import { documented, readsMore } from '../../contract/schema.ts';
import { errorBodies, toDescription } from '../../http/error-text.ts';
import { endpoint } from '../../http/endpoint.ts';
import { fromGlobalId, toGlobalId } from '../../ids.ts';
import type { App, AuthorizationCode } from '../../records.ts';
import { inForm, refuse, toRefusal } from '../../rules.ts';
import type { Store } from '../../store/store.ts';
import { authenticateClient, findMeant, readBasic } from './client.ts';
import { oauthRules } from './rules.ts';

const examples = {
  grant_type: 'authorization_code',
  code: 'MTQ0NjJkZmQ5OTM2NDE1ZTZjNGZmZjI3',
  redirect_uri: 'http://localhost:3000/callback',
  client_id: 'sandpiper-demo-client',
  client_secret: 'sandpiper-demo-secret',
} as const;

type Name = keyof typeof examples;
const names = Object.keys(examples) as readonly Name[];

// Lenient, so that the rules of RFC 6749 name missing or repeated fields (a list), and HTTP Basic may identify the app.
const field = (name: Name, description: string) =>
  // A field that was sent twice is read as a list, so that a rule can say so.
  readsMore(
    documented({ type: ['string', 'array'], items: { type: 'string' }, description, examples: [examples[name]] }),
    {
      type: 'string',
      items: undefined,
    },
  );

/**
 * POST /authorization-codes/tokens (sections 2.3, 5): exchanges a code for an access token of the company that
 * installed the app. The guide says that the token does not expire, but the reply names a number of seconds. Both are
 * kept: the reply has `expires_in`, and the token works longer.
 */
export const exchangeCode = endpoint({
  operationId: 'createTokenViaAuthorizationCode',
  method: 'POST',
  path: '/authorization-codes/tokens',
  access: 'anyone',
  dialect: 'oauth',
  summary: 'Exchange an authorization code for an access token',
  section: '5',
  provenance: 'documented',
  rules: [
    oauthRules.missingField,
    oauthRules.repeatedField,
    oauthRules.otherClientId,
    oauthRules.grantType,
    oauthRules.unknownClient,
    oauthRules.clientSecret,
    oauthRules.unknownCode,
    oauthRules.otherClient,
    oauthRules.usedCode,
    oauthRules.expiredCode,
    oauthRules.otherRedirect,
  ],
  bodyType: 'form',
  bodyLimit: 64 * 1024,
  body: {
    type: 'object',
    properties: {
      grant_type: field('grant_type', 'Required, once. The only accepted value is authorization_code.'),
      code: field('code', 'Required, once. The code from the redirect; it works once, for two minutes.'),
      redirect_uri: field('redirect_uri', 'Required, once. The redirect URI of the install call.'),
      client_id: field('client_id', 'Required, once; or sent by HTTP Basic.'),
      client_secret: field('client_secret', 'Required, once; or sent by HTTP Basic.'),
    },
    examples: [examples],
  },
  replies: {
    200: {
      type: 'object',
      required: ['access_token', 'id_token', 'token_type', 'expires_in'],
      properties: {
        access_token: documented({ type: 'string', examples: ['MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZQ'] }),
        id_token: documented({
          type: 'string',
          examples: ['ZmVkY2JhOTg3NjU0MzIxMGZlZGNiYTk4NzY1NDMyMQ'],
          description:
            'Not a JWT, as in the published example: OpenID Connect clients that read it as one refuse the reply.',
        }),
        token_type: documented({ type: 'string', examples: ['Bearer'] }),
        expires_in: documented({ type: 'integer', examples: [900] }),
      },
    },
    400: errorBodies.oauth,
  },
  errors: [400, 401, 500],
  handle({ body, now, headers, note }, { store }) {
    const sent = toSingle(body);
    const inHeader = readBasic(headers);
    const basic = sent.client_secret === '' ? inHeader : null;
    if (inHeader && !basic)
      note('The client sent client_secret and HTTP Basic: only the form was read. Send one of them.');
    if (basic)
      note(
        'The client identified itself by HTTP Basic, as RFC 6749 allows; in the specification it does so in the form.',
      );
    // Checked first, because another grant has other fields.
    if (sent.grant_type !== '' && sent.grant_type !== 'authorization_code')
      refuse(oauthRules.grantType, inForm('grant_type'), sent.grant_type, { sent: sent.grant_type });
    const client = basic ?? { clientId: sent.client_id, clientSecret: sent.client_secret, by: 'form' };
    const code = store.authorizationCodes.index('byCode', (one) => [one.code]).get(sent.code)[0];
    const meant = findMeant(store, client, code);
    const missing = names.filter((name) => sent[name] === '' && !(basic && name.startsWith('client_')));
    if (missing[0] !== undefined) {
      refuse(oauthRules.missingField, inForm(missing[0]), undefined, { missing, values: toValues(meant, code) });
    }
    const app = authenticateClient(store, client, meant);
    if (sent.client_id !== '' && sent.client_id !== client.clientId) {
      const facts = { sent: sent.client_id, used: client.clientId };
      refuse(oauthRules.otherClientId, inForm('client_id'), sent.client_id, facts);
    }

    const place = inForm('code');
    if (!code) return refuse(oauthRules.unknownCode, place, sent.code, undefined);
    if (code.appId !== app.id)
      refuse(oauthRules.otherClient, place, sent.code, { owner: store.apps.get(code.appId) ?? null });
    if (code.usedAt !== null) {
      // Returned, not thrown: a thrown refusal would revert the revocation.
      const refusal = toRefusal(oauthRules.usedCode, place, sent.code, { at: code.usedAt });
      revokeToken(store, code, now);
      return {
        status: 400,
        body: { error: 'invalid_grant', error_description: toDescription(refusal.message) },
        refusal,
      };
    }
    if (now >= Date.parse(code.expiresAt)) refuse(oauthRules.expiredCode, place, sent.code, { at: code.expiresAt });
    if (code.redirectUri !== sent.redirect_uri) {
      const facts = { used: code.redirectUri, sent: sent.redirect_uri };
      refuse(oauthRules.otherRedirect, inForm('redirect_uri'), sent.redirect_uri, facts);
    }
    return {
      status: 200,
      body: {
        access_token: makeToken(store, app, code, now),
        id_token: toToken(),
        token_type: 'Bearer',
        expires_in: 900,
      },
      headers: { 'cache-control': 'no-store', pragma: 'no-cache' },
    };
  },
});

/** Every field as one text, '' if it is missing; refused if one is repeated. */
function toSingle(body: { readonly [name in Name]?: unknown }): { readonly [name in Name]: string } {
  const first = (name: Name): string => String([body[name]].flat()[0] ?? '');
  const single = Object.fromEntries(names.map((name) => [name, first(name)])) as { readonly [name in Name]: string };
  for (const name of names) {
    const values = body[name];
    if (!Array.isArray(values)) continue;
    const once = new URLSearchParams(Object.entries(single).filter(([, value]) => value !== '')).toString();
    refuse(oauthRules.repeatedField, inForm(name), values, { name, times: values.length, once });
  }
  return single;
}

/**
 * The values that a fix sends for each field: those of the app that was meant, and of the code. A code is not among
 * them: only the redirect has it. Null if there is no app.
 */
function toValues(meant: App | null, code: AuthorizationCode | undefined): { readonly [name: string]: string } | null {
  if (meant === null) return null;
  const redirectUri = code?.redirectUri ?? meant.redirectUris[0];
  return {
    grant_type: examples.grant_type,
    ...(meant.clientId && { client_id: meant.clientId }),
    ...(meant.clientSecret && { client_secret: meant.clientSecret }),
    ...(redirectUri && { redirect_uri: redirectUri }),
  };
}

/** Uses up a code for a new credential of the app and the company. Inside a transaction. */
function makeToken(store: Store, app: App, code: AuthorizationCode, now: number): string {
  const secret = toToken();
  store.authorizationCodes.put({ ...code, usedAt: toIso(now) });
  store.credentials.put({
    id: toCredentialId(code),
    companyId: code.companyId,
    appId: app.id,
    kind: 'oauth-token',
    secret,
    scopes: code.scopes,
    createdAt: toIso(now),
    expiresAt: null,
    revokedAt: null,
  });
  return secret;
}

/** RFC 6749 section 4.1.2: a code that is sent again may have been stolen, so its token is revoked. */
function revokeToken(store: Store, code: AuthorizationCode, now: number): void {
  const given = store.credentials.get(toCredentialId(code));
  if (given?.revokedAt === null) store.credentials.put({ ...given, revokedAt: toIso(now) });
}

/** The credential of a code has the code's number, which is unique: so one can be found by the other. */
function toCredentialId({ id }: AuthorizationCode): string {
  const number = fromGlobalId(id)?.number;
  if (number === undefined) throw new Error(`The authorization code's id ${id} is not a typed id.`);
  return toGlobalId('Credential', number);
}

/** A token in the style of the platform's example: 42 characters of base64. */
function toToken(): string {
  return randomBytes(31).toString('base64').replace(/=+$/, '');
}
