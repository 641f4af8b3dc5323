import { escapeHtml } from '../contract/html.ts';
import type { ErrorText } from './error-text.ts';

/**
 * What a person sees in the browser where a fault replies instead of a page: the status, and why.
 * @param fault.says what the fault does, as a sentence
 * @param fault.explainUrl the recorded request in the inspector
 */
export function toFaultPage(
  status: number,
  message: string,
  { says, explainUrl }: { readonly says: string; readonly explainUrl: string },
): ErrorText {
  const title = escapeHtml(`${status} ${message}`);
  const reason = `A fault of this sandbox answers instead of the page: ${escapeHtml(says)}`;
  const where = `<a href="${escapeHtml(explainUrl)}">Sandpiper’s inspector</a> shows the request.`;
  return {
    type: 'text/html; charset=utf-8',
    text: `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>${title}</title></head><body><main><h1>${title}</h1><p>${reason}</p><p>${where}</p></main></body></html>`,
  };
}

/** Its headers beside the type: it takes nothing from anywhere, and nothing keeps it. */
export const faultPageHeaders = {
  'content-security-policy': "default-src 'none'; base-uri 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
};
