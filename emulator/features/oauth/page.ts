import { createHash } from 'node:crypto';
import { escapeHtml } from '../../contract/html.ts';
import type { Company } from '../../records.ts';
import type { Refusal } from '../../rules.ts';
import { toFormTargets } from './redirect.ts';

/** What the consent page shows and sends back. */
export interface ConsentView {
  readonly appName: string;
  readonly redirectUri: string;
  readonly scopes: readonly string[];
  readonly companies: readonly Pick<Company, 'id' | 'name'>[];
  /** Hidden fields, name to value. */
  readonly hidden: { readonly [name: string]: string };
}

const scopeWords: { readonly [scope: string]: string } = {
  'events:write': 'Send custom events about people',
  'ecommerce:write': 'Send product views, carts and purchases',
  'subscriptions:write': 'Subscribe and unsubscribe people',
  'subscriptions:read': 'Look up what people are subscribed to',
  'attributes:write': 'Set and read custom attributes of people',
  'privacy_requests:write': 'Ask for the deletion of people',
  'privacy_requests:read': 'Read deletion requests',
  'webhooks:write': 'Register webhooks and read them',
  'offers:write': 'Add discount codes to offers',
  'product_catalogs:write': 'Upload the product catalog',
  'product_catalogs:read': 'Read catalog uploads',
  'identity:write': 'Attach identifiers to people',
  'segments:write': 'Change segments',
  'segments:read': 'Read segments',
};

// The colours of the inspector: sand, and one teal for actions. Inline; the CSP allows it only by its hash.
const style = `:root{color-scheme:light dark;--canvas:#f6f4f1;--surface:#fff;--line:#e4e1de;--text:#23201c;--text-2:#514e48;--text-3:#6d6963;--accent:#006f7b;--on-accent:#fff;--bad:#b1262d}
@media(prefers-color-scheme:dark){:root{--canvas:#12100f;--surface:#191715;--line:#2c2a27;--text:#e9e7e3;--text-2:#b5b2ad;--text-3:#97938e;--accent:#55becd;--on-accent:#031a1d;--bad:#f8918e}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--canvas);color:var(--text);font:14px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}
main{width:100%;max-width:500px;background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:28px}
h1{margin:0 0 4px;font-size:20px;line-height:28px;letter-spacing:-.012em}p{margin:0 0 16px;color:var(--text-2)}h2{margin:20px 0 8px;font-size:12px;font-weight:520;color:var(--text-3)}
ul{margin:0;padding:0;list-style:none}li{display:flex;justify-content:space-between;align-items:baseline;gap:16px;padding:4px 0;border-top:1px solid var(--line)}li:first-child{border-top:0}code{font:12px ui-monospace,monospace;color:var(--text-3);overflow-wrap:anywhere}li code{white-space:nowrap}
label{display:flex;align-items:center;gap:10px;padding:8px 12px;border:1px solid var(--line);border-radius:6px;margin-bottom:6px;cursor:pointer}label:has(:checked){border-color:var(--accent)}input{accent-color:var(--accent)}
footer{display:flex;gap:8px;margin-top:24px}button{flex:1;height:36px;border:1px solid var(--line);border-radius:6px;background:var(--surface);color:var(--text);font:inherit;font-weight:520;cursor:pointer}button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}small{display:block;margin-top:16px;color:var(--text-3)}.bad{color:var(--bad)}`;

const styleHash = createHash('sha256').update(style).digest('base64');

/** The consent page (section 5, OAuth 2.0 flow, 3). All input from outside is escaped. */
export function toConsentPage({ appName, redirectUri, scopes, companies, hidden }: ConsentView): string {
  const asked = scopes.map(
    (scope) => `<li><span>${escapeHtml(scopeWords[scope] ?? scope)}</span><code>${escapeHtml(scope)}</code></li>`,
  );
  const choices = companies.map(
    ({ id, name }, at) =>
      `<label><input type="radio" name="company_id" value="${escapeHtml(id)}"${at === 0 ? ' checked' : ''}>${escapeHtml(name)}</label>`,
  );
  const fields = Object.entries(hidden).map(
    ([name, value]) => `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
  );
  return toPage(
    `Install ${appName}`,
    `<h1>Install ${escapeHtml(appName)}?</h1><p>It will then be able to do this for the company that you choose:</p>
<form method="post" action="/integrations/oauth-install">${fields.join('')}
<ul>${asked.join('') || '<li>Only identify you</li>'}</ul>
<h2 id="company">Company</h2><div role="radiogroup" aria-labelledby="company">${choices.join('')}</div>
<footer><button name="decision" value="deny">Deny</button><button class="primary" name="decision" value="approve">Approve</button></footer></form>
<small>Then you go on to <code>${escapeHtml(redirectUri)}</code>. This is Sandpiper’s sandbox: no account, nothing real.</small>`,
  );
}

/** The page for an app that cannot be installed. It does not redirect. */
export function toErrorPage({ message, rule, fix }: Refusal, explainUrl: string): string {
  return toPage(
    'Cannot install',
    `<h1 class="bad">This app cannot be installed</h1><p>${escapeHtml(message)}</p><p>${escapeHtml(fix.say)}</p>
<small>Rule <code>${escapeHtml(rule.id)}</code> · <a href="${escapeHtml(explainUrl)}">Sandpiper’s inspector</a> shows the request.</small>`,
  );
}

function toPage(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>${body}</main></body></html>`;
}

/**
 * Headers of both pages.
 * @param redirectUri where the reply to the form redirects; null if there is no form
 */
export function toPageHeaders(redirectUri: string | null): { readonly [name: string]: string } {
  const targets = redirectUri === null ? "'none'" : `'self' ${toFormTargets(redirectUri)}`;
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${targets}; base-uri 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}
