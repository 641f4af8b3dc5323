import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { Context } from 'koa';
import type { Reply } from './endpoint.ts';

/** Writes a reply. Bodies other than text are sent as JSON; null is an empty body that keeps its status. */
export function answer(ctx: Context, { status, body, pieces, headers }: Reply): void {
  ctx.status = status;
  if (body === null) {
    ctx.body = status === 204 ? null : '';
    ctx.remove('content-type');
  } else if (typeof body === 'string') {
    ctx.body = body;
  } else {
    ctx.body = pieces ? Readable.from(inTurns(pieces)) : JSON.stringify(body);
    ctx.set('content-type', 'application/json; charset=utf-8');
  }
  if (headers) ctx.set(headers);
}

/** A socket that takes all at once would otherwise pull all pieces in one turn of the event loop. */
async function* inTurns(pieces: Iterable<string>): AsyncIterable<string> {
  for (const piece of pieces) {
    yield piece;
    await setImmediate();
  }
}
