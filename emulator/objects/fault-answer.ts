import type { Context } from 'koa';
import { escapeXml } from './answers.ts';
import { discardRest } from './conversation.ts';

/** The S3 code that fits a status best. */
const codes: { readonly [status: number]: string } = {
  400: 'InvalidRequest',
  403: 'AccessDenied',
  404: 'NoSuchKey',
  405: 'MethodNotAllowed',
  408: 'RequestTimeout',
  409: 'OperationAborted',
  411: 'MissingContentLength',
  429: 'SlowDown',
  500: 'InternalError',
  501: 'NotImplemented',
  503: 'ServiceUnavailable',
};

/** Answers a PUT with a status that was asked for (see http/faults.ts), in the object store's dialect; no byte is kept. */
export function answerFault(ctx: Context, status: number, message: string): void {
  const code = codes[status] ?? (status < 500 ? 'InvalidRequest' : 'InternalError');
  ctx.status = status;
  ctx.type = 'application/xml';
  ctx.body = `<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>${code}</Code><Message>${escapeXml(message)}</Message></Error>`;
  discardRest(ctx.req, ctx.res);
}
