/** Recorded exchanges as an HTTP archive, HAR 1.2 (http://www.softwareishard.com/blog/har-12-spec/). Pure. */
import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import { isUrl } from '../../contract/url.ts';
import { toIso } from '../../time/clock.ts';
import type { Exchange } from '../../http/record/exchange.ts';
import { toHeaderPairs } from '../../http/raw-headers.ts';
import type { Reply } from '../calls.ts';
import type { Mask } from './mask.ts';

export interface HarOptions {
  /** Root of the API's server, without a path. */
  readonly origin: string;
  readonly mask: Mask;
}

interface Pair {
  readonly name: string;
  readonly value: string;
}

/** The format uses -1 for sizes that are not known. */
const unknownSize = -1;

/**
 * @param entries oldest first
 * @param version of Sandpiper
 */
export function toHar(entries: readonly object[], version: string): Reply<'POST /control/requests/har'> {
  return { log: { version: '1.2', creator: { name: 'Sandpiper', version }, pages: [], entries } };
}

/** The entry of an exchange. */
export function toEntry(exchange: Exchange, { origin, mask }: HarOptions): object {
  const { id, requestBody, requestBytes, durationMs, refusal, failure, fault } = exchange;
  const httpVersion = exchange.httpVersion === '' ? 'unknown' : `HTTP/${exchange.httpVersion}`;
  const toPair = ([name, value]: readonly [string, string]): Pair => ({ name, value: mask.header(name, value) });
  const headers = toHeaderPairs(exchange.requestHeaders).map(toPair);
  const answered = Object.entries(exchange.responseHeaders).map(toPair);
  const url = mask.text(exchange.url);
  return {
    startedDateTime: toIso(exchange.wallAt),
    time: durationMs ?? 0,
    request: {
      method: exchange.method,
      url: toWholeUrl(url, origin),
      httpVersion,
      cookies: [],
      headers,
      queryString: toQuery(url),
      ...(requestBody !== null && requestBytes > 0
        ? { postData: { mimeType: typeOf(headers), ...toPosted(requestBody, exchange, mask) } }
        : {}),
      headersSize: unknownSize,
      bodySize: requestBytes,
    },
    response: {
      status: exchange.status ?? 0,
      statusText: STATUS_CODES[exchange.status ?? 0] ?? '',
      httpVersion,
      cookies: [],
      headers: answered,
      content: {
        size: sizeOf(exchange.responseBody),
        mimeType: typeOf(answered),
        ...(exchange.responseBody === null ? {} : toContent(Buffer.from(exchange.responseBody), mask, 'encoding')),
      },
      redirectURL: answered.find(({ name }) => name.toLowerCase() === 'location')?.value ?? '',
      headersSize: unknownSize,
      bodySize: sizeOf(exchange.responseBody),
    },
    cache: {},
    timings: { send: 0, wait: durationMs ?? 0, receive: 0 },
    ...(refusal ? { comment: `${refusal.rule.id}: ${mask.text(refusal.message)}` } : {}),
    _id: id,
    _virtualTime: toIso(exchange.at),
    _operation: exchange.operation,
    _rule: refusal?.rule.id ?? null,
    ...(failure === null ? {} : { _failure: failure }),
    ...(fault === null ? {} : { _fault: fault.says }),
  };
}

const sizeOf = (body: Exchange['responseBody']): number => (body === null ? 0 : Buffer.byteLength(body));

const typeOf = (headers: readonly Pair[]): string =>
  headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';

/** Only the content of a response has a field for base64; for a request, the comment says so. */
function toContent(body: Buffer, mask: Mask, tells: 'encoding' | 'comment'): { readonly [name: string]: string } {
  if (isUtf8(body)) return { text: mask.text(body.toString('utf8')) };
  // A binary body cannot be searched for secrets: it may be compressed.
  if (mask.hides) return { text: '', comment: 'No text, so it is left out while secrets are masked.' };
  return { text: body.toString('base64'), [tells]: 'base64' };
}

/** Like `toContent`, with a sentence for a body whose end is missing. */
function toPosted(
  body: Buffer,
  { requestBytes: size, requestBrokeOff }: Pick<Exchange, 'requestBytes' | 'requestBrokeOff'>,
  mask: Mask,
): { readonly [name: string]: string } {
  const content = toContent(body, mask, 'comment');
  if (size <= body.length && !requestBrokeOff) return content;
  const cut =
    size > body.length
      ? `Only the first ${body.length} of ${size} bytes were recorded.`
      : `Only the first ${size} bytes arrived.`;
  return { ...content, comment: content['comment'] === undefined ? cut : `${content['comment']} ${cut}` };
}

/**
 * Returns a URL for any request line. Nothing could be read of a line that is not HTTP, and `*` names the whole server.
 */
function toWholeUrl(url: string, origin: string): string {
  if (url.startsWith('/')) return origin + url;
  return isUrl(url) ? url : `${origin}/`;
}

function toQuery(url: string): readonly Pair[] {
  const at = url.indexOf('?');
  return at === -1 ? [] : [...new URLSearchParams(url.slice(at + 1))].map(([name, value]) => ({ name, value }));
}
