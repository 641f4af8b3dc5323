import type { Middleware } from 'koa';
import { demoKey } from '../../declared-world/demo.ts';
import { toPage, toPageHeaders } from '../../http/page.ts';
import type { Urls } from '../../net/urls.ts';

/**
 * Serves only `GET /`, a plain page with the addresses for an app. It contains no secret except the demo key, which is
 * public.
 */
export function welcomePage(urls: Urls): Middleware {
  const toHtml = ({ api, auth }: Urls): string =>
    toPage(
      'Sandpiper',
      `<h1>Sandpiper is running</h1>
<p>Point your app’s base URL at <code>${api}</code> and use the API key <code>${demoKey}</code>. The OAuth install page is <code>${auth}/integrations/oauth-install</code>.</p>
<pre>curl ${api}/me -H "Authorization: Bearer ${demoKey}"</pre>
<p>The control API is below <code>/control/</code> on this port and needs the token that was printed at start; <code>/control/control-openapi.json</code> describes it.</p>`,
    );
  return (ctx, next) => {
    if (ctx.path !== '/' || (ctx.method !== 'GET' && ctx.method !== 'HEAD')) return next();
    ctx.set(toPageHeaders());
    ctx.body = toHtml(urls);
    return undefined;
  };
}
