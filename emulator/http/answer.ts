import type { Context } from 'koa';
import type { Urls } from '../deps.ts';
import type { Refusal } from '../rules.ts';
import type { Reply } from './endpoint.ts';
import type { Exchange } from './recorder.ts';

/** Writes a reply. Bodies that are no text go out as JSON; null is an empty body with its status kept. */
export function answer(ctx: Context, { status, body, headers }: Reply): void {
  ctx.status = status;
  if (body === null) {
    ctx.body = status === 204 ? null : '';
    ctx.remove('content-type');
  } else if (typeof body === 'string') {
    ctx.body = body;
  } else {
    ctx.body = JSON.stringify(body);
    ctx.set('content-type', 'application/json; charset=utf-8');
  }
  if (headers) ctx.set(headers);
}

/** What a refused request is told beside the platform's own answer: the rule, and where it is explained. */
export function toRefusalHeaders(
  refusal: Refusal,
  exchange: Exchange,
  urls: Urls,
): { readonly [name: string]: string } {
  return { 'x-sandbox-rule': refusal.rule.id, 'x-sandbox-explain': `${urls.inspector}/#/requests/${exchange.id}` };
}
