/**
 * The pages of the server that a person opens in a browser, beside the inspector. They look alike, run no script and
 * load nothing.
 */
import { createHash } from 'node:crypto';
import { escapeHtml } from '../contract/html.ts';
import type { Refusal } from '../rules.ts';
import type { Reply } from './endpoint.ts';

// The colours of the inspector: sand, and one teal for actions. Inline; the CSP allows it only by its hash.
const style = `:root{color-scheme:light dark;--canvas:#f6f4f1;--surface:#fff;--line:#e4e1de;--text:#23201c;--text-2:#514e48;--text-3:#6d6963;--accent:#006f7b;--on-accent:#fff;--bad:#b1262d}
@media(prefers-color-scheme:dark){:root{--canvas:#12100f;--surface:#191715;--line:#2c2a27;--text:#e9e7e3;--text-2:#b5b2ad;--text-3:#97938e;--accent:#55becd;--on-accent:#031a1d;--bad:#f8918e}}
*{box-sizing:border-box}body{margin:0;min-height:100vh;display:grid;place-items:center;padding:24px;background:var(--canvas);color:var(--text);font:14px/1.5 system-ui,-apple-system,'Segoe UI',sans-serif}
a{color:var(--accent)}
main{width:100%;max-width:500px;background:var(--surface);border:1px solid var(--line);border-radius:8px;padding:28px}
h1{margin:0 0 4px;font-size:20px;line-height:28px;letter-spacing:-.012em}p{margin:0 0 16px;color:var(--text-2);overflow-wrap:anywhere}h2{margin:20px 0 8px;font-size:12px;font-weight:520;color:var(--text-3)}
ul{margin:0;padding:0;list-style:none}li{display:flex;justify-content:space-between;align-items:baseline;gap:16px;padding:4px 0;border-top:1px solid var(--line)}li:first-child{border-top:0}code{font:12px ui-monospace,monospace;color:var(--text-3);overflow-wrap:anywhere}li code{white-space:nowrap}
pre{margin:0 0 16px;padding:12px;border:1px solid var(--line);border-radius:6px;background:var(--canvas);font:12px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere}
label{display:flex;align-items:center;gap:10px;padding:8px 12px;border:1px solid var(--line);border-radius:6px;margin-bottom:6px;cursor:pointer}label:has(:checked){border-color:var(--accent)}input{accent-color:var(--accent)}
footer{display:flex;gap:8px;margin-top:24px}button{flex:1;height:36px;border:1px solid var(--line);border-radius:6px;background:var(--surface);color:var(--text);font:inherit;font-weight:520;cursor:pointer}button.primary{background:var(--accent);border-color:var(--accent);color:var(--on-accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}small{display:block;margin-top:16px;color:var(--text-3)}.bad{color:var(--bad)}`;

const styleHash = createHash('sha256').update(style).digest('base64');

/**
 * A page as HTML.
 * @param body its content as HTML; all input from outside is escaped in it
 */
export function toPage(title: string, body: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${escapeHtml(title)}</title><style>${style}</style></head><body><main>${body}</main></body></html>`;
}

/**
 * A page that says why the requested page is not shown. It does not redirect.
 * @param reasons sentences
 * @param explainUrl the inspector's page about the request
 */
export function toReasonPage(
  title: string,
  {
    reasons,
    rule = null,
    explainUrl,
  }: { readonly reasons: readonly string[]; readonly rule?: string | null; readonly explainUrl: string },
): string {
  const says = reasons.map((reason) => `<p>${escapeHtml(reason)}</p>`).join('');
  const which = rule === null ? '' : `Rule <code>${escapeHtml(rule)}</code> · `;
  return toPage(
    title,
    `<h1 class="bad">${escapeHtml(title)}</h1>${says}
<small>${which}<a href="${escapeHtml(explainUrl)}">Sandpiper’s inspector</a> shows the request.</small>`,
  );
}

/**
 * Creates the function with which an operation for people answers a refusal: with a reason page under a title of its
 * own.
 */
export const refusedWith =
  (title: string) =>
  ({ message, fix, rule }: Refusal, explainUrl: string): Reply => ({
    status: rule.status,
    body: toReasonPage(title, { reasons: [message, fix.say], rule: rule.id, explainUrl }),
    headers: toPageHeaders(),
  });

/**
 * Headers of every page.
 * @param formTargets the targets of the page's form, as the content security policy names them; null if there is no
 *   form
 */
export function toPageHeaders(formTargets: string | null = null): { readonly [name: string]: string } {
  return {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': `default-src 'none'; style-src 'sha256-${styleHash}'; form-action ${formTargets ?? "'none'"}; base-uri 'none'; frame-ancestors 'none'`,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    'cross-origin-resource-policy': 'same-origin',
    'cache-control': 'no-store',
  };
}
