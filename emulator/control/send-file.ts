/**
 * Uploads catalog files from the inspector. They go to the API's own port as a client's would, so that they are
 * recorded.
 */
import { createReadStream } from 'node:fs';
import { request as openRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Middleware } from 'koa';
import { reasonOf } from '../errors.ts';
import type { Exchange } from '../http/record/exchange.ts';
import { toIncoming } from '../http/body/incoming.ts';
import { randomSecret } from '../ids.ts';
import { discardRest, letContinue } from '../net/conversation.ts';
import { inPath, noSuch, refuse } from '../rules.ts';
import type { Store } from '../store/store.ts';
import { uploadRules } from './rules/file-rules.ts';
import type { NewUploadView } from './contract/uploads.ts';
import { recordWaitMs, sendHeader, toOwnPort, watchMarked, type SendDeps } from './requests/send.ts';

export interface FileSender {
  /** Initiates an upload with a key. Refused with `uploads.refused` if the API does not accept it. */
  initiate(key: string, validateOnly: boolean): Promise<NewUploadView>;
  /**
   * Sends a body to an upload's URL, with limited memory. Refused with `uploads.refused` if the API does not accept it.
   */
  put(uploadId: string, body: Readable, bytes: number | null): Promise<void>;
}

const path = '/v1/product-catalog/uploads';
/** How many characters of an answer are read. */
const answerLength = 64 * 1024;

interface Answer {
  readonly status: number;
  readonly text: string;
  /** The recorded call; null if it was not seen in time. An accepted call does not wait for it. */
  readonly exchange: Exchange | null;
}

/** Refuses the request to the inspector with the reason that the API gave to its call. */
function refuseBy(call: string, { status, exchange }: Answer): never {
  const refusal = exchange?.refusal ?? null;
  return refuse(uploadRules.refused, inPath(''), undefined, {
    call,
    status,
    reason: refusal?.message ?? exchange?.fault?.says ?? 'its recorded request has no reason.',
    requestId: exchange?.id ?? null,
    rule: refusal?.rule.id ?? null,
    fix:
      refusal?.fix.say ??
      (exchange?.fault ? 'Remove the fault, or wait until it has ended.' : 'Read the recorded request.'),
  });
}

export interface FileSenderDeps extends SendDeps {
  /** The pre-signed URL of an upload. */
  readonly linkOf: (uploadId: string) => string;
}

/** Creates the sender of upload files, which calls this emulator’s own API as a client would. */
export function createFileSender({ clock, feed, urls, linkOf }: FileSenderDeps): FileSender {
  /** Resolves with the answer to a call. Sending the body stops if the answer comes first. */
  function send(
    method: string,
    target: string,
    headers: OutgoingHttpHeaders,
    body: Readable | string,
  ): Promise<Answer> {
    // Links name the public address.
    const { pathname, search } = new URL(target, urls.auth);
    const mark = randomSecret(12);
    return new Promise((resolve, reject) => {
      const request = openRequest({
        ...toOwnPort(urls),
        method,
        path: pathname + search,
        headers: { ...headers, [sendHeader]: mark },
      });
      const stream = typeof body === 'string' ? null : body;
      const breakOff = (): void => void request.destroy(new Error('the page stopped sending the file'));
      let exchange: Exchange | null = null;
      let onRecorded: (() => void) | null = null;
      const unsubscribe = watchMarked(feed, mark, (recorded) => {
        exchange = recorded;
        onRecorded?.();
      });
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
        response.on('error', fail);
        response.on('end', () => {
          settle();
          const status = response.statusCode ?? 0;
          const answer = (): void => {
            cancelWait();
            unsubscribe();
            resolve({ status, text, exchange });
          };
          // A reply that comes before the whole body may arrive earlier than its record.
          const cancelWait = clock.afterWall(status === 200 || exchange ? 0 : recordWaitMs, answer);
          onRecorded = answer;
          request.destroy();
        });
      });
      const fail = (error: Error): void => {
        settle();
        unsubscribe();
        reject(error);
      };
      request.on('error', fail);
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
      const reason = reasonOf(error);
      const call = `${asked[0]} ${new URL(asked[1], urls.auth).pathname}`;
      return refuse(uploadRules.noAnswer, inPath(''), undefined, { call, reason });
    }
  };

  return {
    async initiate(key, validateOnly) {
      const body = JSON.stringify({ validateOnly });
      const headers = {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'content-length': body.length,
      };
      const answer = await reach('POST', path, headers, body);
      if (answer.status !== 200) return refuseBy(`POST ${path}`, answer);
      const { uploadId, uploadUrl, expires } = JSON.parse(answer.text) as { [field: string]: string };
      return { id: uploadId ?? '', uploadUrl: uploadUrl ?? '', expiresAt: expires ?? '', validateOnly };
    },
    async put(uploadId, body, bytes) {
      const headers = bytes === null ? {} : { 'content-length': bytes };
      const answer = await reach('PUT', linkOf(uploadId), headers, body);
      if (answer.status !== 200) refuseBy('The PUT', answer);
    },
  };
}

/**
 * PUT /control/uploads/{id}/file: the body is the file, unchanged. It is passed to the upload's URL while it arrives.
 */
export function receiveFile({ store, sender }: { readonly store: Store; readonly sender: FileSender }): Middleware {
  return async (ctx) => {
    const { id = '' } = ctx['params'] as { readonly id?: string };
    const announced = Number(ctx.get('content-length') || Number.NaN);
    toIncoming(ctx.req).toStream();
    try {
      if (!store.uploads.get(id)) noSuch('upload', id);
      letContinue(ctx.req);
      await sender.put(id, ctx.req, Number.isNaN(announced) ? null : announced);
      ctx.status = 204;
    } catch (error) {
      // A page that is still sending would see a broken connection instead of the reason.
      discardRest(ctx.req, ctx.res);
      throw error;
    }
  };
}

/** Opens a file of this machine as a body to send. */
export function toBody(filePath: string): Readable {
  return createReadStream(filePath, { highWaterMark: 256 * 1024 });
}
