import { escapeHtml } from '../../contract/html.ts';
import { toPage } from '../../http/page.ts';
import type { Company } from '../../records.ts';

/** The data that the consent page shows and sends back. */
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
