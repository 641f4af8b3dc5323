import { createHash, timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import type { Urls } from '../../net/urls.ts';
import { checkHost } from '../../http/check-host.ts';
import type { Hosts } from '../../net/host-guard.ts';
import { inHeader, refuse } from '../../rules.ts';
import { controlRules } from '../rules/rules.ts';

/**
 * Runs before everything else on the control port (docs/security.md, Host, origin and token). The Host must be one of
 * Sandpiper's and an Origin its own, so that no page of another origin can act here.
 */
export function guardOrigin(hosts: Hosts): Middleware {
  return (ctx, next) => {
    ctx.set(safetyHeaders);
    const { host, origin } = ctx.req.headers;
    checkHost(ctx.req, hosts);
    if (origin !== undefined && origin !== `http://${host}` && origin !== hosts.publicUrl) {
      return refuse(controlRules.origin, inHeader('origin'), origin, { origin });
    }
    return next();
  };
}

/**
 * Lets nothing pass without the token. It does not look at the path, because a path has many spellings: requests that
 * need no token (for the files of the page) are answered before it.
 */
export function requireToken({ token, urls }: { token: string; urls: Urls }): Middleware {
  const expected = digest(token);
  return (ctx, next) => {
    const sent = /^Bearer +([^\s]+)$/i.exec(ctx.req.headers.authorization ?? '')?.[1];
    if (sent !== undefined && timingSafeEqual(digest(sent), expected)) return next();
    return refuse(controlRules.token, inHeader('authorization'), undefined, { api: urls.api }, challenge);
  };
}

const challenge = { 'www-authenticate': 'Bearer realm="sandpiper-control"' };

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

const safetyHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};
