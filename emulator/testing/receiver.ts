import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Clock } from '../time/clock.ts';
import { UserError } from '../errors.ts';
import { listen } from '../net/listen.ts';
import { toPrintable } from '../control/printable.ts';
import type { ReceivedFilter, ReceivedRequest, ReceiverAnswer, SandboxReceiver } from './api.ts';
import { describeFilter } from './filters.ts';
import { createWaiting, defaultTimeoutMs } from './waiting.ts';

const fields: readonly string[] = ['method', 'path', 'type'];

/** Starts a receiver on a free port. It replies with 200 until configured otherwise. */
export async function startReceiver(clock: Pick<Clock, 'afterWall' | 'sleepWall'>): Promise<SandboxReceiver> {
  const waiting = createWaiting(clock, 'receiver');
  const received: ReceivedRequest[] = [];
  const taken = new Set<ReceivedRequest>();
  let answers: readonly ReceiverAnswer[] = [{}];

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
  const listening = await listen(server, { host: '127.0.0.1', port: 0, flag: 'port 0' });

  return {
    url: `http://127.0.0.1:${listening.port}`,
    received,
    next: (filter = {}, { timeoutMs = defaultTimeoutMs } = {}) =>
      waiting.until(() => {
        const matches = toMatcher(filter);
        return {
          what: `request ${describeFilter(filter)} to the receiver`,
          timeoutMs,
          check() {
            const next = received.find((one) => !taken.has(one) && matches(one));
            if (next) taken.add(next);
            return next;
          },
          explain: () => toStory(received, taken),
        };
      }),
    answerWith(...wanted) {
      answers = wanted;
    },
    async close() {
      waiting.close();
      await listening.close();
    },
  };
}

function toMatcher(filter: ReceivedFilter): (request: ReceivedRequest) => boolean {
  if (typeof filter === 'function') return filter;
  const unknown = Object.keys(filter).find((name) => !fields.includes(name));
  if (unknown !== undefined)
    throw new UserError(`A filter of a receiver has no "${unknown}". It takes ${fields.join(', ')}, or a function.`);
  const { method, path, type } = filter;
  return (request) =>
    (method === undefined || request.method === method.toUpperCase()) &&
    (path === undefined || request.path === path) &&
    (type === undefined || (request.json as { type?: unknown } | null | undefined)?.type === type);
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
    json: parse(body),
    status,
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function toStory(received: readonly ReceivedRequest[], taken: ReadonlySet<ReceivedRequest>): string {
  if (received.length === 0) return 'It received nothing at all.';
  const lines = received.slice(-5).map((one) => {
    const line = `${one.status}  ${one.method} ${one.path}  ${one.body.slice(0, 100)}${taken.has(one) ? '  (taken by an earlier next)' : ''}`;
    return `\n  ${toPrintable(line)}`;
  });
  return `It received ${received.length}, the last of them:${lines.join('')}`;
}
