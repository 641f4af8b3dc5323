import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { HttpMethodEnum } from 'koa-body';
import { inForm, refuse } from '../../rules.ts';
import { bodyRules } from './rules.ts';
import { count } from './count-bytes.ts';
import { refuseNotUtf8 } from './refuse-json.ts';

/**
 * Far more fields than any operation reads. If a name is repeated more often than this, qs copies its list each time.
 */
const mostFields = 1_000;
const ampersand = 0x26;

/**
 * Parses a form-urlencoded body with koa-body. The bytes were already read (for the recorder), so koa-body gets them as
 * a stream. A repeated name gives a list.
 * @param isDecompressed whether the bytes are the content of a compressed body
 */
export async function parseForm(ctx: Context, bytes: Buffer, isDecompressed: boolean): Promise<unknown> {
  if (!isUtf8(bytes)) return refuseNotUtf8(bytes, isDecompressed);
  if (count(bytes, ampersand, mostFields) >= mostFields)
    refuse(bodyRules.tooManyFields, inForm(''), undefined, { limit: mostFields });
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
