import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { App, AuthorizationCode } from '../../records.ts';
import { inForm, inHeader, refuse } from '../../rules.ts';
import type { Store } from '../../store/store.ts';
import { oauthRules } from './rules.ts';

/** How an app identifies itself. `by` is the place that a refusal names. */
export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly by: 'form' | 'basic';
}

/**
 * Reads HTTP Basic credentials, form-encoded as in RFC 6749 section 2.3.1; null if the header has another scheme, such
 * as the bearer token that a public client also sends here.
 */
export function readBasic({ authorization = '' }: IncomingHttpHeaders): ClientCredentials | null {
  const encoded = /^Basic +([A-Za-z0-9+/_-]+=*) *$/i.exec(authorization)?.[1];
  if (encoded === undefined) return null;
  const [, clientId, clientSecret] = /^([^:]*):(.*)$/s.exec(Buffer.from(encoded, 'base64').toString('utf8')) ?? [];
  if (clientId === undefined || clientSecret === undefined) return null;
  return { clientId: decode(clientId), clientSecret: decode(clientSecret), by: 'basic' };
}

/** The public app with these credentials; refused with 401 if there is none. `meant`: the app that a fix names. */
export function authenticateClient(
  store: Store,
  { clientId, clientSecret, by }: ClientCredentials,
  meant: App | null,
): App {
  const [idPlace, secretPlace] =
    by === 'form'
      ? [inForm('client_id'), inForm('client_secret')]
      : [inHeader('authorization'), inHeader('authorization')];
  // RFC 6749 section 5.2: a client that used the header gets the scheme.
  const headers: { readonly [name: string]: string } =
    by === 'form' ? {} : { 'www-authenticate': 'Basic realm="sandpiper"' };
  const app = publicApps(store).find((one) => one.clientId === clientId);
  if (!app) return refuse(oauthRules.unknownClient, idPlace, clientId, { sent: clientId, known: meant, by }, headers);
  if (!isSame(clientSecret, app.clientSecret ?? ''))
    refuse(oauthRules.clientSecret, secretPlace, undefined, { app, by }, headers);
  return app;
}

/** The public app that was probably meant: by the id, the code or the secret, else any; null if there is none. */
export function findMeant(
  store: Store,
  { clientId, clientSecret }: Omit<ClientCredentials, 'by'>,
  code: AuthorizationCode | undefined,
): App | null {
  const apps = publicApps(store);
  return (
    apps.find((one) => one.clientId === clientId) ??
    apps.find(({ id }) => id === code?.appId) ??
    apps.find((one) => one.clientSecret !== null && isSame(clientSecret, one.clientSecret)) ??
    apps[0] ??
    null
  );
}

/** The apps that are installed by OAuth. */
function publicApps(store: Store): readonly App[] {
  return store.apps.records().filter(({ kind }) => kind === 'public');
}

/** Compares in constant time, which does not reveal the lengths either. */
function isSame(one: string, other: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(one), digest(other));
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    // A secret with a literal percent sign, from a client that does not encode.
    return text;
  }
}
