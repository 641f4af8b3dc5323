import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { createClock } from '../../time/clock.ts';

/** The reply of a server; its `body` is not read yet. */
export interface Received {
  readonly status: number;
  readonly headers: Headers;
  readonly body: IncomingMessage;
}

interface Sent {
  readonly method?: string;
  readonly headers?: { readonly [name: string]: string };
  readonly body?: string | undefined;
  readonly signal?: AbortSignal;
}

// Taken when this file is loaded: a test that replaces them later must not stop the sandbox (globals.ts).
// Each request has its own connection: the server may close a kept connection just when it is used again.
const plain = { request: http.request, agent: new http.Agent() };
const secure = { request: https.request, agent: new https.Agent() };

/**
 * Sends a request without following redirects. It does not use `fetch`, which gives up after five minutes: an advance
 * or an import may take longer, and a stream may be silent for longer. In a test process, `fetch` may also be that of a
 * page, which calls no other origin.
 * @throws the signal's reason once the signal aborts, else the error of the connection
 */
export function ask(url: string, { method, headers: given, body, signal }: Sent = {}): Promise<Received> {
  return new Promise((resolve, reject) => {
    const { request, agent } = url.startsWith('https:') ? secure : plain;
    // Node sends no length with the body of a DELETE, so a server would read the body as the next request.
    const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method, headers: { ...given, ...length }, agent, signal }, (answer) => {
      const headers = new Headers();
      for (const [name, values = []] of Object.entries(answer.headersDistinct))
        for (const value of values) headers.append(name, value);
      resolve({ status: answer.statusCode ?? 0, headers, body: answer });
    });
    sent.on('error', (error) => reject(signal?.aborted ? (signal.reason as Error) : error));
    sent.end(body);
  });
}

/** How long a call waits for a server, in milliseconds. */
export interface Patience {
  /** How long to wait for the reply before each check that the server still answers. */
  readonly quietMs: number;
  /** How long to wait for the answer to that check. */
  readonly answerMs: number;
}

/** Many times the longest time for which a server blocks its event loop. */
export const defaultPatience: Patience = { quietMs: 5_000, answerMs: 15_000 };

/**
 * Runs work that may take long, for as long as its server answers other requests.
 * @param knock sends any request to the server; settles once the server has answered or is gone
 * @param work its signal aborts with a `TimeoutError` when the server has not answered in time
 */
export async function whileAnswering<R>(
  { quietMs, answerMs }: Patience,
  knock: (signal: AbortSignal) => Promise<unknown>,
  work: (signal: AbortSignal) => Promise<R>,
): Promise<R> {
  const { afterWall } = createClock();
  const ended = new AbortController();
  const silence = new AbortController();
  let cancel = (): void => {};
  const look = (): void => {
    cancel = afterWall(answerMs, () => silence.abort(new DOMException('It does not answer.', 'TimeoutError')));
    // If the server is gone, the connection that `work` uses is broken, too.
    knock(ended.signal).then(wait, wait);
  };
  const wait = (): void => {
    cancel();
    if (!ended.signal.aborted) cancel = afterWall(quietMs, look);
  };
  wait();
  try {
    return await work(silence.signal);
  } catch (error) {
    silence.signal.throwIfAborted();
    throw error;
  } finally {
    ended.abort();
    cancel();
  }
}
