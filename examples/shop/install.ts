import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import type { ShopConfig } from './config.ts';
import { call } from './platform.ts';
import type { Installation } from './storage.ts';

const scopes = ['subscriptions:write', 'ecommerce:write', 'product_catalogs:write', 'product_catalogs:read'] as const;

/** What binds an installation to the browser that began it: a cookie, and its hash as the state that comes back. */
export interface Started {
  readonly location: string;
  readonly secret: string;
}

/** Begins an installation: where to lead the browser, and the secret that its cookie keeps. */
export function startInstall({ authUrl, clientId }: ShopConfig, redirectUri: string): Started {
  const secret = randomBytes(24).toString('base64url');
  const query = new URLSearchParams({
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state: toState(secret),
  });
  return { location: `${authUrl}/integrations/oauth-install?${query}`, secret };
}

/** Whether the browser that comes back is the one that began: otherwise someone else's company would be installed. */
export function isOwnState(state: string | null, secret: string | undefined): boolean {
  if (state === null || secret === undefined) return false;
  const [sent, expected] = [Buffer.from(state), Buffer.from(toState(secret))];
  return sent.length === expected.length && timingSafeEqual(sent, expected);
}

/** Exchanges the code for a token, and asks whose it is. */
export async function finishInstall(
  { baseUrl, clientId, clientSecret }: ShopConfig,
  code: string,
  redirectUri: string,
): Promise<Installation> {
  const { access_token: accessToken } = await call<{ readonly access_token: string }>(baseUrl, {
    method: 'POST',
    path: '/authorization-codes/tokens',
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: clientId,
      client_secret: clientSecret,
    },
  });
  return installationOf(baseUrl, accessToken);
}

/** Asks whose a token is: that of an installation, or the API key of the shop's own company. */
export async function installationOf(baseUrl: string, accessToken: string): Promise<Installation> {
  const me = await call<{ readonly companyId: string; readonly companyName: string }>(baseUrl, {
    token: accessToken,
    method: 'GET',
    path: '/me',
  });
  return { companyId: me.companyId, companyName: me.companyName, accessToken };
}

function toState(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}
