import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { HttpMethodEnum } from 'koa-body';

/** Far more than any operation reads: what is beyond would be ignored without a word. */
const mostFields = 100_000;

/**
 * Parses a form-urlencoded body with koa-body. The bytes were already read (for the recorder), so koa-body gets them as
 * a stream. A repeated name gives a list.
 */
export async function parseForm(ctx: Context, bytes: Buffer): Promise<unknown> {
  const { koaBody } = await import('koa-body');
  const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(bytes.length) };
  const request = Object.assign(Readable.from([bytes]), { headers, method: ctx.method, url: ctx.url });
  const parse = koaBody({
    json: false,
    text: false,
    multipart: false,
    formLimit: bytes.length + 1,
    parsedMethods: [ctx.method as HttpMethodEnum],
    queryString: { allowDots: false, depth: 0, parameterLimit: mostFields, arrayLimit: mostFields },
  });
  await parse(Object.create(ctx, { req: { value: request } }) as Context, () => Promise.resolve());
  const { body } = ctx.request as { body?: unknown };
  return { ...(body as object | undefined) };
}
