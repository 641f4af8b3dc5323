import { request as openRequest, type IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Urls } from '../../net/urls.ts';
import type { Feed } from '../../feed.ts';
import type { Exchange } from '../../http/exchange.ts';
import { randomSecret } from '../../ids.ts';
import type { Clock } from '../../time/clock.ts';
import type { Reply } from '../calls.ts';
import { inBody, refuse } from '../../rules.ts';
import { requestRules } from '../rules/resource-rules.ts';

/** Marks a request as sent from the inspector, with its id. It is among the recorded headers. */
export const sendHeader = 'x-sandbox-send';

/** Whether a request was sent from the inspector: by `POST /control/send`, as a file, or by a client that says so. */
export function isFromWindow({ requestHeaders }: Pick<Exchange, 'requestHeaders'>): boolean {
  return requestHeaders.some((name, at) => at % 2 === 0 && name.toLowerCase() === sendHeader);
}

/** The longest wait, because a fault may delay the reply. */
const longestWaitMs = 120_000;
/** The record is closed before the reply is sent; a broken connection may be noticed earlier. */
export const recordWaitMs = 2_000;

/** Not copied from a recorded request: they belong to one connection, or count its hops. */
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

/** Sends a request to the emulated API; resolves with the recorded request, and the status that came back. */
export type Send = (wanted: {
  readonly method: string;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly bytes: Buffer | null;
}) => Promise<Reply<'POST /control/send'>>;

export function createSend({ clock, feed, urls }: SendDeps): Send {
  return (wanted) => {
    const mark = randomSecret(12);
    const { hostname, port } = new URL(urls.local.auth);
    return new Promise((resolve) => {
      let requestId: string | null = null;
      let answered: number | null | undefined;
      const done = (): void => {
        if (answered === undefined || requestId === null) return;
        finish();
      };
      const unsubscribe = feed.subscribe((event) => {
        if (event.type !== 'request' || !event.exchange.requestHeaders.includes(mark)) return;
        requestId = event.id;
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
      const request = openRequest({
        host: hostname.replace(/^\[|\]$/g, ''),
        port,
        method: wanted.method.toUpperCase(),
        path: wanted.path,
        agent: false,
      });
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
      try {
        for (const [name, value] of wanted.headers) {
          if (!ownHeaders.has(name.toLowerCase())) request.appendHeader(name, value);
        }
      } catch (error) {
        request.destroy();
        unsubscribe();
        cancelWait();
        const problem = error instanceof Error ? error.message : String(error);
        return refuse(requestRules.headers, inBody('/headers'), undefined, { problem });
      }
      request.setHeader(sendHeader, mark);
      if (wanted.bytes) request.setHeader('content-length', wanted.bytes.length);
      request.end(wanted.bytes ?? undefined);
    });
  };
}
