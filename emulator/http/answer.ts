import type { Context } from 'koa';
import type { Reply } from './endpoint.ts';

/** Writes a reply. Bodies other than text are sent as JSON; null is an empty body that keeps its status. */
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
