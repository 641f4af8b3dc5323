/** One POST to a receiver: limited in time, bytes and targets. Never follows a redirect. */
import http, { type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import https from 'node:https';
import { isIP } from 'node:net';
import { isUnsafeName } from '../contract/unsafe-names.ts';
import { nextTurn } from '../globals.ts';
import { closedCodes } from '../net/closed-codes.ts';
import type { Clock } from '../time/clock.ts';
import type { ConnectionFailure, DeliveryAttempt, Reach } from '../records.ts';
import { toAnswerBody } from './answer-text.ts';
import { tooSlow, toProblem, toSentence, unresolved, unroutable, type FailedAt, type Phase } from './failure-words.ts';
import { createResolve } from './resolve.ts';
import type { DeliverySettings } from './settings.ts';
import { TargetRefused, toTarget, type Resolve, type Target } from './target.ts';

export interface ToSend {
  readonly url: string;
  readonly body: string;
  /** Includes the `content-length` of the body. */
  readonly headers: { readonly [name: string]: string };
  readonly reach: Reach;
  /** Closes the connection after this share (0 to 1) of the body, as a broken sender would. */
  readonly cutAt?: number;
}

/** The result of a send. `error` is null for a 2xx. */
export interface Outcome {
  readonly durationMs: number;
  readonly response: DeliveryAttempt['response'];
  readonly error: string | null;
  /** Refused before anything was sent: another try would be refused too. */
  readonly refused: boolean;
  /** Why an attempt got no answer, if known. */
  readonly reason?: Pick<DeliveryAttempt, 'asksReach' | 'connectionFailure'>;
}

export interface Sender {
  send(what: ToSend): Promise<Outcome>;
  /** Cancels all running sends; each ends with an error. */
  abort(): void;
  /** Like `abort`, and ends every connection. */
  close(): void;
}

export interface SenderOptions {
  readonly clock: Pick<Clock, 'afterWall' | 'monotonic'>;
  readonly settings: DeliverySettings;
  readonly ownPorts: () => readonly number[];
  readonly resolve?: Resolve | undefined;
}

type Answer = NonNullable<DeliveryAttempt['response']>;

/**
 * How long an unused connection is kept: less than receivers keep theirs, so that an event is hardly ever sent on a
 * connection that is being closed. Such an event is not sent again in the same attempt, because it may have been
 * received.
 */
const idleMs = 1_000;

// Taken when this file is loaded: a test that replaces them later must not stop the webhooks of its sandbox
// (globals.ts).
const { Agent: HttpAgent, request: httpRequest } = http;
const { Agent: HttpsAgent, request: httpsRequest } = https;

/** Creates a sender with its own pool of kept connections. */
export function createSender({ clock, settings, ownPorts, resolve = createResolve() }: SenderOptions): Sender {
  const pool = { keepAlive: true, maxFreeSockets: settings.concurrency, timeout: idleMs } as const;
  const plain = new HttpAgent(pool);
  const secure = new HttpsAgent(pool);
  const underWay = new Set<ClientRequest>();
  let aborts = 0;

  /**
   * Connects by address, not by name: to the address that was checked. Kept connections are identified by it too.
   */
  const toOptions = ({ url }: Target, address: string, what: ToSend): RequestOptions => ({
    agent: url.protocol === 'https:' ? secure : plain,
    method: 'POST',
    host: address,
    port: url.port,
    path: url.pathname + url.search,
    headers: { host: url.host, ...what.headers },
    ...(url.protocol === 'https:' && isIP(url.hostname) === 0 && !url.hostname.startsWith('[')
      ? { servername: url.hostname }
      : {}),
  });

  const post = (target: Target, address: string, what: ToSend, leftMs: number): Promise<Answer> =>
    new Promise((answered, failed) => {
      const start = target.url.protocol === 'https:' ? httpsRequest : httpRequest;
      const request = start(toOptions(target, address, what));
      underWay.add(request);
      let status: number | undefined;
      const failedAt = (): FailedAt =>
        status === undefined ? { phase: phaseOf(request) } : { phase: 'answering', answered: status };
      const fail = (error: Error): void => {
        stopWaiting();
        underWay.delete(request);
        failed(error);
      };
      const failHere = (error: Error): void => fail(Object.assign(error, failedAt()));
      const succeed = (answer: Answer): void => {
        stopWaiting();
        underWay.delete(request);
        answered(answer);
      };
      const giveUp = (): void => {
        if (!underWay.has(request)) return;
        fail(new Error(tooSlow(what.url, failedAt(), settings.timeoutMs)));
        request.destroy();
      };
      // The whole process may have paused, in a debugger or while the machine slept: first read an answer that came
      // meanwhile.
      const stopWaiting = clock.afterWall(leftMs, () => void nextTurn().then(giveUp));
      request.on('response', (response) => {
        status = response.statusCode;
        readAnswer(response, settings, succeed, failHere);
      });
      // After a 101, another protocol follows. Without this listener, Node closes the connection and reports nothing.
      request.on('upgrade', ({ statusCode = 0, rawHeaders }, socket) => {
        socket.destroy();
        succeed({ status: statusCode, headers: toHeaders(rawHeaders), body: '' });
      });
      request.on('error', failHere);
      if (what.cutAt === undefined) request.end(what.body);
      else cut(request, what.body, what.cutAt);
    });

  /** Tries the next address only if nothing listened at the one before, or if there was no route to it. */
  const deliver = async (target: Target, what: ToSend, leftMs: () => number): Promise<Answer> => {
    for (let at = 0; ;) {
      const address = target.addresses[at] ?? target.addresses[0];
      try {
        return await post(target, address, what, leftMs());
      } catch (error) {
        const { code = '' } = error as NodeJS.ErrnoException;
        if ((code === 'ECONNREFUSED' || unroutable.has(code)) && at + 1 < target.addresses.length) at += 1;
        else throw error;
      }
    }
  };

  const within = async <T>(ms: number, work: Promise<T>, late: string): Promise<T> => {
    let stopWaiting = (): void => {};
    const limit = new Promise<never>((_, failed) => {
      stopWaiting = clock.afterWall(ms, () => failed(new Error(late)));
    });
    try {
      return await Promise.race([work, limit]);
    } finally {
      stopWaiting();
    }
  };

  const abort = (): void => {
    aborts += 1;
    for (const request of underWay) request.destroy(new Error(brokenOff));
  };

  return {
    async send(what) {
      const started = clock.monotonic();
      // The limit is for the whole delivery: the time of the name lookup counts.
      const leftMs = (): number => Math.max(1, settings.timeoutMs - (clock.monotonic() - started));
      const abortsBefore = aborts;
      try {
        const policy = { reach: what.reach, ownPorts: ownPorts(), resolve };
        const target = await within(leftMs(), toTarget(what.url, policy), unresolved(what.url, settings.timeoutMs));
        if (aborts !== abortsBefore) throw new Error(brokenOff);
        const response = await deliver(target, what, leftMs);
        return {
          durationMs: clock.monotonic() - started,
          response,
          error: toProblem(response, what.url),
          refused: false,
        };
      } catch (error) {
        const refused = error instanceof TargetRefused;
        const durationMs = clock.monotonic() - started;
        return { durationMs, response: null, error: toSentence(error, what.url), refused, reason: toReason(error) };
      }
    },
    abort,
    close() {
      abort();
      plain.destroy();
      secure.destroy();
    },
  };
}

const brokenOff = 'It was broken off: Sandpiper was stopped, or its records were replaced.';

const connectionFailures: ReadonlyMap<string, ConnectionFailure> = new Map([
  ['ECONNREFUSED', 'refused'],
  ...[...closedCodes].map((code) => [code, 'reset'] as const),
]);

/** The phase of a request that has no answer yet. */
function phaseOf({ socket }: ClientRequest): Phase {
  if (socket === null || socket.connecting) return 'connecting';
  return 'secureConnecting' in socket && socket.secureConnecting ? 'securing' : 'waiting';
}

function readAnswer(
  response: IncomingMessage,
  { readBytes, keptBytes }: DeliverySettings,
  answered: (answer: Answer) => void,
  failed: (error: Error) => void,
): void {
  const chunks: Buffer[] = [];
  let bytes = 0;
  let ended = false;
  const end = (): void => {
    if (ended) return;
    ended = true;
    const status = response.statusCode ?? 0;
    const headers = toHeaders(response.rawHeaders);
    if (chunks.length === 0) answered({ status, headers, body: '' });
    else
      void toAnswerBody(Buffer.concat(chunks), response.headers, { limit: keptBytes, arrived: bytes }).then(
        ({ body, binaryBytes }) =>
          answered(binaryBytes === undefined ? { status, headers, body } : { status, headers, body, binaryBytes }),
      );
  };
  response.on('data', (chunk: Buffer) => {
    if (bytes < keptBytes) chunks.push(chunk);
    bytes += chunk.length;
    if (bytes <= readBytes) return;
    end();
    response.destroy();
  });
  response.on('end', end);
  // A status arrived, but the reply was cut off: it is not known whether the event was accepted, so it counts as not
  // accepted.
  response.on('error', (error) => {
    if (!ended) failed(error);
  });
}

function toHeaders(raw: readonly string[]): { readonly [name: string]: string } {
  const headers: { [name: string]: string } = {};
  for (let at = 0; at + 1 < raw.length && at < 128; at += 2) {
    const name = (raw[at] ?? '').toLowerCase();
    // A snapshot refuses such names.
    if (isUnsafeName(name)) continue;
    const value = raw[at + 1] ?? '';
    headers[name] = headers[name] === undefined ? value : `${headers[name]}, ${value}`;
  }
  return headers;
}

function cut(request: ClientRequest, body: string, share: number): void {
  const bytes = Buffer.from(body);
  request.write(bytes.subarray(0, Math.floor(bytes.length * share)), () =>
    request.destroy(new Error('The connection was cut in the middle of the body, on purpose.')),
  );
}

function toReason(error: unknown): NonNullable<Outcome['reason']> {
  if (error instanceof TargetRefused) return error.asksReach === null ? {} : { asksReach: error.asksReach };
  const connectionFailure = connectionFailures.get((error as NodeJS.ErrnoException).code ?? '');
  return connectionFailure === undefined ? {} : { connectionFailure };
}
