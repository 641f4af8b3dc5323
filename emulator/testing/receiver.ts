import {
  createServer,
  validateHeaderName,
  validateHeaderValue,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { eventTypes } from '../contract/event-schemas.ts';
import { jsonOf } from '../contract/json-of.ts';
import type { Clock } from '../time/clock.ts';
import { UserError } from '../errors.ts';
import { listen } from '../net/listen.ts';
import { toPrintableLine } from '../contract/printable.ts';
import type { ReceivedFilter, ReceivedRequest, ReceiverAnswer, SandboxReceiver } from './api.ts';
import { checkFields, checkFilter, method, milliseconds, type Fields } from './checks.ts';
import { anyPath, describeFilter, fitsPath, toPredicate } from './filters.ts';
import { createWaiting, toTimeout } from './waiting.ts';

/** Only values that can be sent: an answer that fails on its way would not be the one in `received`. */
const answerFields: Fields = {
  status: {
    takes: 'a status from 200 to 599',
    fits: (value) => Number.isInteger(value) && Number(value) >= 200 && Number(value) <= 599,
  },
  headers: {
    takes: 'an object of header names and texts',
    fits: (value) => typeof value === 'object' && value !== null && Object.entries(value).every(isHeader),
  },
  body: { takes: 'a text, such as JSON.stringify gives', fits: (value) => typeof value === 'string' },
  delayMs: milliseconds,
};

/**
 * Starts a receiver on a free port. It replies with 200 until configured otherwise.
 * @param storyOf says which events the sandbox sends to a port, and which were not delivered
 */
export async function startReceiver(
  clock: Pick<Clock, 'afterWall' | 'sleepWall'>,
  storyOf: (port: number) => string,
): Promise<SandboxReceiver> {
  const waiting = createWaiting(clock, 'receiver');
  const received: ReceivedRequest[] = [];
  const taken = new Set<ReceivedRequest>();
  let answers: readonly ReceiverAnswer[] = [{}];
  let isClosed = false;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const raw = Buffer.concat(await request.toArray());
    const { status = 200, headers = {}, body = '', delayMs = 0 } = answers[0] ?? {};
    if (answers.length > 1) answers = answers.slice(1);
    received.push(toReceived(request, raw, status));
    waiting.news();
    if (delayMs > 0) await clock.sleepWall(delayMs);
    response.writeHead(status, { ...headers });
    response.end(body);
  };

  const server = createServer((request, response) => {
    // The sender disconnected: there is no client to reply to.
    answer(request, response).catch(() => response.destroy());
  });
  const listening = await listen(server, { host: '127.0.0.1', port: 0, flag: 'port 0', keepsAlive: false });

  return {
    url: `http://127.0.0.1:${listening.port}`,
    received,
    next: (filter = {}, options) =>
      waiting.until(() => {
        const matches = toMatcher(filter);
        return {
          what: `request ${describeFilter(filter)} to the receiver`,
          timeoutMs: toTimeout(options),
          check() {
            const next = received.find((one) => !taken.has(one) && matches(one));
            if (next) taken.add(next);
            return next;
          },
          explain: () => `${toStory(received, taken)}\n${storyOf(listening.port)}`,
        };
      }),
    answerWith(...wanted) {
      if (isClosed) throw new UserError('The receiver is closed. Start another one with sandbox.receiver().');
      if (wanted.length === 0) throw new UserError('answerWith takes an answer or several, such as { status: 500 }.');
      for (const one of wanted) checkFields('an answer of answerWith', one, answerFields);
      answers = wanted;
    },
    async close() {
      isClosed = true;
      waiting.close();
      await listening.close();
    },
  };
}

function toMatcher(filter: ReceivedFilter): (request: ReceivedRequest) => boolean {
  if (typeof filter === 'function') return toPredicate(filter);
  checkFilter('a filter of a receiver', filter, { method, path: anyPath, type: eventTypes });
  const { method: wanted, path, type } = filter;
  return (request) =>
    (wanted === undefined || request.method === wanted.toUpperCase()) &&
    (path === undefined || fitsPath(request.path, path)) &&
    (type === undefined || (request.json as { type?: unknown } | null | undefined)?.type === type);
}

function isHeader([name, value]: readonly [string, unknown]): boolean {
  try {
    validateHeaderName(name);
    validateHeaderValue(name, value as string);
    return typeof value === 'string';
  } catch {
    return false;
  }
}

function toReceived(request: IncomingMessage, raw: Buffer, status: number): ReceivedRequest {
  const body = raw.toString('utf8');
  const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)] as const);
  return {
    method: request.method ?? '',
    path: request.url ?? '',
    headers: Object.fromEntries(headers),
    raw,
    body,
    json: jsonOf(body),
    status,
  };
}

function toStory(received: readonly ReceivedRequest[], taken: ReadonlySet<ReceivedRequest>): string {
  if (received.length === 0) return 'It received nothing at all.';
  const lines = received.slice(-5).map((one) => {
    const line = `${one.status}  ${one.method} ${one.path}  ${one.body.slice(0, 100)}${taken.has(one) ? '  (taken by an earlier next)' : ''}`;
    return `\n  ${toPrintableLine(line)}`;
  });
  return `It received ${received.length}, the last of them:${lines.join('')}`;
}
