import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Context } from 'koa';
import type { ErrorDialect } from './error-text.ts';
import { send, type Answer } from './answer.ts';
import type { Reply } from './endpoint.ts';
import type { Exchange } from './record/exchange.ts';
import { toIncoming, type Incoming } from './body/incoming.ts';
import type { Params } from './operation.ts';

/** A request on its way through the pipeline. */
export interface Passage {
  readonly ctx: Context;
  readonly req: Incoming;
  readonly res: ServerResponse;
  readonly exchange: Exchange;
  /** The parameters of the path, if the operation has some. */
  params: Params;
  /** The form of error bodies: that of the operation. */
  dialect: ErrorDialect;
  /** The headers of the answer so far: rate limits, the fault. */
  readonly headers: Record<string, string>;
  /** Applies a fault to the finished answer; null without a fault. */
  finish: ((answer: Answer | null) => Promise<Answer | null>) | null;
  /** How the answer is sent: whole, or as a fault demands. `cut`: half of its body, or that many bytes of it. */
  sending: 'whole' | 'nothing' | 'reset' | { readonly cut: true | number };
}

/** Replies to a request, or refuses it by throwing; null if there is nothing to send. */
export type Step = (passage: Passage) => Promise<Reply | null>;

/** Creates the passage of a request that has just arrived. Its answer is sent whole unless something changes that. */
export function toPassage(ctx: Context, exchange: Exchange): Passage {
  return {
    ctx,
    req: toIncoming(ctx.req),
    res: ctx.res,
    exchange,
    params: {},
    dialect: 'message',
    headers: {},
    finish: null,
    sending: 'whole',
  };
}

/** Whether there is no longer anyone to answer. */
export function isGone({ ctx, req, res, sending }: Passage): boolean {
  return sending === 'nothing' || ctx.respond === false || res.closed || req.socket.destroyed;
}

/** The part of an answer that reaches the client; null if nothing does. */
export function toSent({ req, sending }: Passage, answer: Answer | null): Answer | null {
  if (answer === null || sending === 'nothing' || sending === 'reset') return null;
  if (sending === 'whole') return answer;
  const whole = Buffer.from(answer.body ?? '');
  if (whole.length === 0 || req.method === 'HEAD') return null;
  const end = Math.min(sending.cut === true ? Math.floor(whole.length / 2) : sending.cut, whole.length - 1);
  return { ...answer, body: whole.subarray(0, end) };
}

/** Why not all of an answer reaches the client; null if all of it does. */
export function toFailure({ sending }: Passage, answer: Answer | null, sent: Answer | null): string | null {
  if (sending === 'reset') return 'A fault reset the connection.';
  if (answer === null || typeof sending === 'string') return null;
  if (sent === null) return 'A fault cut the reply in its headers: it has no body.';
  return `A fault cut the reply after ${sent.body?.length} of its ${answer.headers['content-length']} bytes.`;
}

/** Sends the answer, or the part of it that a fault leaves. */
export function deliver({ ctx, req, res, sending }: Passage, answer: Answer | null, sent: Answer | null): void {
  // An upload that was cut short was answered while the connection was still half open.
  if (ctx.respond === false) return;
  ctx.respond = false;
  const { socket } = req;
  const hangUp = (): void => void socket.destroySoon();
  if (sending === 'reset') socket.resetAndDestroy();
  else if (answer === null) res.end();
  else if (sending === 'whole') send(req, res, answer);
  else if (sent === null)
    socket.write(`HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}\r\ncontent-le`, hangUp);
  else {
    res.writeHead(sent.status, sent.headers);
    res.flushHeaders();
    if (sent.body?.length === 0) hangUp();
    else res.write(sent.body, hangUp);
  }
}
