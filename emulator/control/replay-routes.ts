import { request as openRequest } from 'node:http';
import type { Clock } from '../time/clock.ts';
import type { Urls } from '../deps.ts';
import type { Feed } from '../feed.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { keptBodyBytes, type Exchange, type Recorder } from '../http/recorder.ts';
import { randomSecret } from '../ids.ts';
import { badRequest } from './problems.ts';
import type { SentView } from './protocol.ts';

export interface ReplayRouteDeps {
  readonly clock: Clock;
  readonly feed: Feed;
  readonly recorder: Recorder;
  readonly urls: Urls;
}

/** Marks a request as sent from the inspector, and tells which one it is. It stands among the recorded headers. */
export const sendHeader = 'x-sandbox-send';

/** A request with a delay as its fault answers late; nobody waits longer than this. */
const longestWaitMs = 120_000;
/** The record is closed before the answer goes out; a broken connection may be noticed earlier than that. */
const recordWaitMs = 2_000;

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

const shared = { access: 'anyone', dialect: 'control', section: 'control API', provenance: 'assumed' } as const;

/** Sending requests from the inspector, and searching the bodies of recorded ones. */
export function createReplayRoutes({ clock, feed, recorder, urls }: ReplayRouteDeps): readonly Endpoint[] {
  return [
    endpoint({
      ...shared,
      method: 'POST',
      path: '/control/send',
      summary:
        'Send a request to the emulated API, through the same port as every other one; for replays and first steps',
      body: {
        type: 'object',
        required: ['method', 'path'],
        properties: {
          method: { type: 'string', pattern: '^[A-Za-z]{1,20}$', examples: ['GET'] },
          path: { type: 'string', pattern: '^/[\\x21-\\xff]*$', maxLength: 16_000, examples: ['/v1/me'] },
          headers: {
            type: 'array',
            maxItems: 200,
            items: { type: 'array', minItems: 2, maxItems: 2, items: { type: 'string' } },
            examples: [[['authorization', 'Bearer sandpiper-demo-key']]],
          },
          body: {
            type: 'object',
            required: ['encoding', 'data'],
            properties: { encoding: { type: 'string', enum: ['utf8', 'base64'] }, data: { type: 'string' } },
          },
        },
      },
      bodyLimit: 2 * keptBodyBytes,
      replies: { 200: { type: 'object' } },
      asynchronous: true,
      async handle({ body: { method, path, headers = [], body } }) {
        const bytes = body ? Buffer.from(body.data, body.encoding) : null;
        const pairs = headers.map(([name = '', value = '']) => [name, value] as const);
        const sent = await send({ method, path, headers: pairs, bytes });
        return { status: 200, body: { ...sent } };
      },
    }),
    endpoint({
      ...shared,
      method: 'GET',
      path: '/control/body-search',
      summary:
        'The ids of recorded requests whose request or response body holds a text, in any case; `upTo` is the last one that was looked into',
      query: {
        type: 'object',
        required: ['text'],
        properties: {
          text: { type: 'string', minLength: 1, maxLength: 500, examples: ['+1555'] },
          after: { type: 'string', pattern: '^[0-9]{1,15}$', examples: ['0'] },
        },
      },
      replies: { 200: { type: 'object' } },
      asynchronous: true,
      async handle({ query: { text, after = '0' } }) {
        const wanted = text.toLowerCase();
        const looked = recorder.all(Number(after));
        const ids: string[] = [];
        let bytes = 0;
        for (const exchange of looked) {
          if (holds(exchange, wanted)) ids.push(exchange.id);
          bytes += (exchange.requestBody?.length ?? 0) + (exchange.responseBody?.length ?? 0) + 100;
          if (bytes < bytesATurn) continue;
          // Requests are answered in between.
          bytes = 0;
          await new Promise(setImmediate);
        }
        return { status: 200, body: { ids, upTo: looked.at(-1)?.sequence ?? Number(after) } };
      },
    }),
  ];

  function send(wanted: {
    readonly method: string;
    readonly path: string;
    readonly headers: readonly (readonly [string, string])[];
    readonly bytes: Buffer | null;
  }): Promise<SentView> {
    const mark = randomSecret(12);
    const { hostname, port } = new URL(urls.auth);
    return new Promise((resolve) => {
      let requestId: string | null = null;
      let answered: number | null | undefined;
      const done = (): void => {
        if (answered === undefined || requestId === null) return;
        finish();
      };
      const unsubscribe = feed.subscribe((event) => {
        const exchange = event.type === 'request' ? recorder.get(event.id) : undefined;
        if (!exchange?.requestHeaders.includes(mark)) return;
        requestId = exchange.id;
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
        return badRequest(`The headers cannot be sent: ${error instanceof Error ? error.message : String(error)}`);
      }
      request.setHeader(sendHeader, mark);
      if (wanted.bytes) request.setHeader('content-length', wanted.bytes.length);
      request.end(wanted.bytes ?? undefined);
    });
  }
}

/** So much of the bodies is searched at a stretch, which takes some milliseconds. */
const bytesATurn = 1024 * 1024;

function holds({ requestBody, responseBody }: Exchange, wanted: string): boolean {
  return [requestBody, responseBody].some(
    (body) => body !== null && body.toString('utf8').toLowerCase().includes(wanted),
  );
}
