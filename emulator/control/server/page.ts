import { createHash } from 'node:crypto';
import type { Middleware } from 'koa';
import { demoKey } from '../../declared-world/demo.ts';
import type { Urls } from '../../net/urls.ts';

/**
 * Serves only `GET /`, a plain page with the addresses for an app. It contains no secret except the demo key, which is
 * public.
 */
export function welcomePage(urls: Urls): Middleware {
  const style =
    'body{font:15px/1.5 system-ui,sans-serif;max-width:44rem;margin:4rem auto;padding:0 1rem;color:#23201c;background:#fff}h1{font-size:20px}code,pre{font:13px ui-monospace,monospace;background:#faf9f7;border:1px solid #e4e1de;border-radius:6px;padding:2px 5px}pre{padding:12px;overflow:auto}@media(prefers-color-scheme:dark){body{color:#e9e7e3;background:#191715}code,pre{background:#141311;border-color:#2c2a27}}';
  const toHtml = ({
    api,
    auth,
  }: Urls) => `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Sandpiper</title><meta name="viewport" content="width=device-width"><style>${style}</style></head><body>
<h1>Sandpiper is running</h1>
<p>Point your app’s base URL at <code>${api}</code> and use the API key <code>${demoKey}</code>. The OAuth install page is <code>${auth}/integrations/oauth-install</code>.</p>
<pre>curl ${api}/me -H "Authorization: Bearer ${demoKey}"</pre>
<p>The control API is below <code>/control/</code> on this port and needs the token that was printed at start; <code>/control/control-openapi.json</code> describes it.</p>
</body></html>`;
  const hash = createHash('sha256').update(style).digest('base64');
  return (ctx, next) => {
    if (ctx.path !== '/' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.set(
      'content-security-policy',
      `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
    );
    ctx.type = 'text/html; charset=utf-8';
    ctx.body = toHtml(urls);
    return undefined;
  };
}
