/** Uploads of catalog files from the inspector, sent to the API's own port as a client would, so that they are recorded. */
import { createReadStream } from 'node:fs';
import { request as openRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Middleware } from 'koa';
import type { Urls } from '../net/urls.ts';
import { toIncoming } from '../http/incoming.ts';
import { randomSecret } from '../ids.ts';
import { discardRest } from '../objects/conversation.ts';
import type { Credential } from '../records.ts';
import { toIso } from '../time/clock.ts';
import type { Store } from '../store/store.ts';
import { conflict, notFound } from './problems.ts';
import type { NewUploadView } from './contract/uploads.ts';
import { sendHeader } from './send.ts';

export interface FileSender {
  /** Initiates an upload by a call with a key of the company. Refused with 409 if it has none, or if the call fails. */
  initiate(companyId: string, validateOnly: boolean, now: number): Promise<NewUploadView>;
  /** Sends a body to an upload's URL, with limited memory. Refused with 409 and the reason if it is not accepted. */
  put(uploadId: string, body: Readable, bytes: number | null): Promise<void>;
}

const scope = 'product_catalogs:write';
const path = '/v1/product-catalog/uploads';
/** Characters of an answer that are read for its message. */
const answerLength = 64 * 1024;

export function createFileSender({
  store,
  urls,
  linkOf,
}: {
  readonly store: Store;
  readonly urls: Urls;
  /** The pre-signed URL of an upload. */
  readonly linkOf: (uploadId: string) => string;
}): FileSender {
  /** The reply's status and the beginning of its text; sending the body stops if the reply comes first. */
  function send(
    method: string,
    target: string,
    headers: OutgoingHttpHeaders,
    body: Readable | string,
  ): Promise<{ readonly status: number; readonly text: string }> {
    // Links name the public address; this process is where the API listens.
    const { pathname, search } = new URL(target, urls.auth);
    const { hostname, port } = new URL(urls.local.auth);
    return new Promise((resolve, reject) => {
      const request = openRequest({
        host: hostname.replace(/^\[|\]$/g, ''),
        port,
        method,
        path: pathname + search,
        agent: false,
        headers: { ...headers, [sendHeader]: randomSecret(12) },
      });
      const stream = typeof body === 'string' ? null : body;
      const breakOff = (): void => void request.destroy(new Error('the page stopped sending the file'));
      const settle = (): void => {
        stream?.unpipe(request);
        stream?.off('close', onClose).off('error', breakOff);
      };
      const onClose = (): void => {
        if (stream && !stream.readableEnded) breakOff();
      };
      request.on('response', (response: IncomingMessage) => {
        let text = '';
        response.setEncoding('utf8');
        response.on('data', (chunk: string) => (text += text.length < answerLength ? chunk : ''));
        response.on('error', reject);
        response.on('end', () => {
          settle();
          resolve({ status: response.statusCode ?? 0, text });
          request.destroy();
        });
      });
      request.on('error', (error) => {
        settle();
        reject(error);
      });
      if (stream === null) {
        request.end(body);
        return;
      }
      stream.on('close', onClose).on('error', breakOff);
      stream.pipe(request);
    });
  }

  const reach = async (...asked: Parameters<typeof send>): ReturnType<typeof send> => {
    try {
      return await send(...asked);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return conflict(`${asked[0]} ${new URL(asked[1]).pathname} got no answer: ${reason}.`);
    }
  };

  function keyOf(companyId: string, now: number): string {
    const isAlive = (one: Credential): boolean =>
      one.revokedAt === null && (one.expiresAt === null || one.expiresAt > toIso(now)) && one.scopes.includes(scope);
    const found = store.credentials.records().find((one) => one.companyId === companyId && isAlive(one));
    return (
      found?.secret ??
      conflict(`No key of this company has the scope ${scope}. Give one of its apps that scope, or make another app.`)
    );
  }

  return {
    async initiate(companyId, validateOnly, now) {
      const body = JSON.stringify({ validateOnly });
      const headers = {
        authorization: `Bearer ${keyOf(companyId, now)}`,
        'content-type': 'application/json',
        'content-length': body.length,
      };
      const { status, text } = await reach('POST', path, headers, body);
      if (status !== 200) return conflict(`POST ${path} was answered with ${status}: ${messageOf(text)}`);
      const { uploadId, uploadUrl, expires } = JSON.parse(text) as { [field: string]: string };
      return { id: uploadId ?? '', uploadUrl: uploadUrl ?? '', expiresAt: expires ?? '', validateOnly };
    },
    async put(uploadId, body, bytes) {
      const headers = bytes === null ? {} : { 'content-length': bytes };
      const { status, text } = await reach('PUT', linkOf(uploadId), headers, body);
      if (status !== 200) conflict(`The PUT was answered with ${status}: ${messageOf(text)}`);
    },
  };
}

/**
 * PUT /control/uploads/{id}/file: the body is the file, unchanged; it is passed to the upload's URL while it arrives.
 */
export function receiveFile({ store, sender }: { readonly store: Store; readonly sender: FileSender }): Middleware {
  return async (ctx) => {
    const { id = '' } = ctx['params'] as { readonly id?: string };
    const announced = Number(ctx.get('content-length') || Number.NaN);
    toIncoming(ctx.req).toStream();
    try {
      if (!store.uploads.get(id)) notFound(`There is no upload ${id}. "sandpiper records uploads" lists them.`);
      await sender.put(id, ctx.req, Number.isNaN(announced) ? null : announced);
      ctx.status = 204;
    } catch (error) {
      // A page that is still sending would see a broken connection instead of the reason.
      discardRest(ctx.req, ctx.res);
      throw error;
    }
  };
}

/** Sends a file of this machine. */
export function toBody(filePath: string): Readable {
  return createReadStream(filePath, { highWaterMark: 256 * 1024 });
}

/** The message of an error, in the API's JSON or in the XML of the object store. */
function messageOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Not JSON: the object store answers XML.
  }
  const said = /<Message>([^<]*)<\/Message>/.exec(text)?.[1];
  if (said === undefined) return text.slice(0, 500);
  const entities: { readonly [name: string]: string } = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' };
  return said.replaceAll(/&(lt|gt|quot|apos|amp);/g, (_whole, name: string) => entities[name] ?? '');
}
