import { createHash, timingSafeEqual } from 'node:crypto';
import type { Middleware } from 'koa';
import { hostProblem } from '../net/host-guard.ts';

/**
 * Stands before every route of the control port (docs/security.md, Host, origin and token): the Host must be ours, an Origin must be our own,
 * control routes need the token, and bodies must be JSON, so that no page of another origin can act here.
 */
export function guard({ token, allowHosts }: { token: string; allowHosts: readonly string[] }): Middleware {
  const expected = digest(token);
  return (ctx, next) => {
    const deny = (status: number, message: string): void => {
      ctx.status = status;
      ctx.body = { message };
    };
    ctx.set(safetyHeaders);
    const problem = hostProblem(ctx.req, allowHosts);
    if (problem !== null) return deny(403, problem);
    const { origin } = ctx.req.headers;
    if (origin !== undefined && origin !== `http://${ctx.req.headers.host}`) {
      return deny(
        403,
        `Pages of ${JSON.stringify(origin)} may not call the control API; only the inspector's own origin may.`,
      );
    }
    if (!ctx.path.startsWith('/control/')) return next();
    const sent = /^Bearer +([^\s]+)$/i.exec(ctx.req.headers.authorization ?? '')?.[1];
    if (sent === undefined || !timingSafeEqual(digest(sent), expected)) {
      ctx.set('www-authenticate', 'Bearer realm="sandpiper-control"');
      return deny(
        401,
        'The control API needs "Authorization: Bearer TOKEN". The token is printed at start, and stands in the file control.json of the data folder.',
      );
    }
    return next();
  };
}

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
