import { request as openRequest, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Urls } from '../../net/urls.ts';
import type { Feed } from '../../feed.ts';
import type { Exchange } from '../../http/record/exchange.ts';
import { headerOf } from '../../http/raw-headers.ts';
import { randomSecret } from '../../ids.ts';
import type { Clock } from '../../time/clock.ts';
import type { Reply } from '../calls.ts';
import { inBody, refuse } from '../../rules.ts';
import { requestRules } from '../rules/resource-rules.ts';

/**
 * Marks a request as sent from the inspector: `mark` or `mark req_…`, with the request that it repeats. The header is
 * recorded.
 */
export const sendHeader = 'x-sandbox-send';

/** Whether a request was sent from the inspector: by `POST /control/send`, as a file, or by a client that says so. */
export function isFromWindow({ requestHeaders }: Pick<Exchange, 'requestHeaders'>): boolean {
  return headerOf(requestHeaders, sendHeader) !== null;
}

/** The id of the request that this one repeats, as the inspector says; null for any other request. */
export function replayedBy({ requestHeaders }: Pick<Exchange, 'requestHeaders'>): string | null {
  return headerOf(requestHeaders, sendHeader)?.split(' ', 2)[1] ?? null;
}

/** The longest wait for a reply, because a fault may delay it. */
const longestWaitMs = 120_000;
/**
 * The longest wait for the record. It is closed before the reply is sent; a broken connection may be noticed earlier.
 */
export const recordWaitMs = 2_000;

/** Headers that are not copied from a recorded request: they belong to one connection, or count its hops. */
const ownHeaders = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-connection',
  'content-length',
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'x-sandbox-hops',
  sendHeader,
]);

export interface SendDeps {
  readonly clock: Clock;
  readonly feed: Feed;
  readonly urls: Urls;
}

/** The address at which this process listens for API requests, whatever its public address is. */
export function toOwnPort({ local }: Urls) {
  const { hostname, port } = new URL(local.auth);
  return { host: hostname.replace(/^\[|\]$/g, ''), port, agent: false } as const;
}

/** Calls `take` with the marked request once it is recorded. Returns a function that ends the watch. */
export function watchMarked(feed: Feed, mark: string, take: (exchange: Exchange) => void): () => void {
  return feed.subscribe((event) => {
    if (event.type === 'request' && event.exchange.requestHeaders.includes(mark)) take(event.exchange);
  });
}

/** Sends a request to the emulated API. Resolves with the recorded request and the status of the reply. */
export type Send = (wanted: {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly bytes: Buffer | null;
  /** The id of the recorded request that is sent again; null if it is none. */
  readonly replayOf: string | null;
}) => Promise<Reply<'POST /control/send'>>;

/** Refuses headers that HTTP does not allow. The message does not show a value: it may be a secret. */
function checkHeaders(headers: readonly (readonly [name: string, value: string])[]): void {
  for (const [at, [name, value]] of headers.entries()) {
    const [inName] = name === '' ? [''] : (/[^\w!#$%&'*+.^`|~-]/u.exec(name) ?? []);
    const [inValue] = /[^\t\x20-\x7e\x80-\xff]/u.exec(value) ?? [];
    if (inName === undefined && inValue === undefined) continue;
    refuse(requestRules.headers, inBody(`/headers/${at}`), undefined, { name, inName, inValue });
  }
}

/** Creates the function that sends requests to this emulator’s own API. It marks each, to find its record. */
export function createSend({ clock, feed, urls }: SendDeps): Send {
  return (wanted) => {
    checkHeaders(wanted.headers);
    const mark = [randomSecret(12), wanted.replayOf ?? []].flat().join(' ');
    return new Promise((resolve) => {
      let requestId: string | null = null;
      let answered: number | null | undefined;
      const done = (): void => {
        if (answered !== undefined && requestId !== null) finish();
      };
      const unsubscribe = watchMarked(feed, mark, ({ id }) => {
        requestId = id;
        done();
      });
      const finish = (): void => {
        unsubscribe();
        cancelWait();
        resolve({ requestId, status: answered ?? null });
      };
      let cancelWait = clock.afterWall(longestWaitMs, () => {
        request.destroy();
        finish();
      });
      const settle = (status: number | null): void => {
        if (answered !== undefined) return;
        answered = status;
        cancelWait();
        cancelWait = clock.afterWall(recordWaitMs, finish);
        done();
      };
      const { method, path } = wanted;
      const request = openRequest({ ...toOwnPort(urls), method: method.toUpperCase(), path });
      // For CONNECT, Node 26 would send the path as the host.
      request.setHeader('host', new URL(urls.local.auth).host);
      request.on('error', () => settle(null));
      // The answer to CONNECT, or an upgrade, has no body that ends: the connection is handed over.
      const cut = (response: IncomingMessage, socket: Duplex): void => {
        settle(response.statusCode ?? null);
        socket.destroy();
      };
      request.on('connect', cut);
      request.on('upgrade', cut);
      request.on('response', (response) => {
        response.on('error', () => settle(null));
        response.on('close', () => settle(response.statusCode ?? null));
        response.resume();
      });
      for (const [name, value] of wanted.headers) {
        if (!ownHeaders.has(name.toLowerCase())) request.appendHeader(name, value);
      }
      request.setHeader(sendHeader, mark);
      if (wanted.bytes) request.setHeader('content-length', wanted.bytes.length);
      request.end(wanted.bytes ?? undefined);
    });
  };
}
