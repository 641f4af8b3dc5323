import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { nextTurn } from '../globals.ts';
import type { Reply } from './endpoint.ts';

/** A reply as it is sent, with all headers except those that Node adds. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer | string | null;
}

/**
 * Converts a reply to its sent form. Bodies other than text are sent as JSON; null is an empty body that keeps its
 * status.
 * @param before headers that come before the reply's own
 */
export function toAnswer({ status, body, headers }: Reply, before: Readonly<Record<string, string>>): Answer {
  // Not by spreading, which left half a kilobyte of each answer in the old generation of the heap.
  const all: Record<string, string> = {};
  Object.assign(all, before);
  const text = body === null || typeof body === 'string' ? body : JSON.stringify(body);
  if (text !== null) all['content-type'] = 'application/json; charset=utf-8';
  if (text !== null || status !== 204) all['content-length'] = text === null ? '0' : String(Buffer.byteLength(text));
  if (headers) Object.assign(all, headers);
  return { status, headers: all, body: text };
}

/** Sends a whole answer. */
export function send({ method }: IncomingMessage, res: ServerResponse, { status, headers, body }: Answer): void {
  res.writeHead(status, headers);
  res.end(method === 'HEAD' ? null : body);
}

/** Puts a reply into Koa's context, from which other code continues. */
export function answer(ctx: Context, { status, body, pieces, headers }: Reply): void {
  ctx.status = status;
  if (body === null) {
    ctx.body = status === 204 ? null : '';
    ctx.remove('content-type');
  } else if (typeof body === 'string') {
    ctx.body = body;
  } else {
    ctx.body = pieces ? inTurns(pieces) : JSON.stringify(body);
    ctx.set('content-type', 'application/json; charset=utf-8');
  }
  if (headers) ctx.set(headers);
}

/**
 * More than one piece as a stream that takes a turn of the event loop for each. Otherwise a socket that accepts
 * everything would pull all pieces in one turn.
 */
function inTurns(pieces: Iterable<string>): string | Readable {
  const left = pieces[Symbol.iterator]();
  const take = (): string | undefined => {
    const next = left.next();
    return next.done ? undefined : next.value;
  };
  const [first = '', second] = [take(), take()];
  return second === undefined ? first : Readable.from(send());

  async function* send(): AsyncIterable<string> {
    yield first;
    for (let piece = second; piece !== undefined; piece = take()) {
      await nextTurn();
      yield piece;
    }
  }
}
