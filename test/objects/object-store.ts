import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { createServer, request, type IncomingHttpHeaders } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Koa from 'koa';
import { onTestFinished } from 'vitest';

import { answer } from '../../emulator/http/answer.ts';
import { createExplain } from '../../emulator/http/explain.ts';
import type { Exchange } from '../../emulator/http/record/exchange.ts';
import { holdContinue } from '../../emulator/net/conversation.ts';
import { objectPrefix, presign } from '../../emulator/objects/presign.ts';
import {
  createObjectRouter,
  type Acceptance,
  type ObjectRouterOptions,
  type StoredObject,
} from '../../emulator/objects/router.ts';

export const secret = 'a secret of the sandbox';
export const key = 'catalog/UPLOAD1.ndjson';
export const start = Date.UTC(2025, 0, 1);
export const expiresAt = start + 3_600_000;

export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

type Overrides = Partial<Omit<ObjectRouterOptions<'uploads'>, 'blobs' | 'clock' | 'secret'>> & {
  readonly freeBytes?: () => number;
  readonly createTemp?: (folder: string) => string | Promise<string>;
};

/**
 * Starts a server with only the object router, on files in a new folder. Each key accepts one file. It is closed after
 * the test.
 */
export async function startObjectStore(overrides: Overrides = {}) {
  const { freeBytes = () => 1e12, createTemp, ...options } = overrides;
  const folder = await mkdtemp(join(tmpdir(), 'objects-'));
  await mkdir(join(folder, 'temp'));
  await mkdir(join(folder, 'uploads'));
  const stored: StoredObject[] = [];
  const failures: unknown[] = [];
  const rules: (string | null)[] = [];
  const handled: Promise<void>[] = [];
  const temps: string[] = [];
  const clock = { time: start, now: () => clock.time };

  const app = new Koa();
  app.on('error', (error) => failures.push(error));
  const urls = { inspector: 'http://127.0.0.1:4748' };
  const explain = createExplain({
    urls,
    answers: 'helpful',
    rules: null,
    onOwnError: (error) => void failures.push(error),
  });
  app.use(async (ctx, next) => {
    const exchange: Pick<Exchange, 'id' | 'sequence' | 'refusal' | 'failure'> = {
      id: 'req_1',
      sequence: 1,
      refusal: null,
      failure: null,
    };
    const answerError = (error: unknown): void => {
      const { req, res } = ctx;
      const reply = explain(error, { req, res, exchange: exchange as Exchange, dialect: 's3' });
      if (reply) answer(ctx, reply);
    };
    Object.assign(ctx.state, { answerError });
    const answered = (next() as Promise<void>).catch(answerError);
    const done = answered.then(() => void rules.push(exchange.refusal?.rule.id ?? null));
    handled.push(done);
    await done;
  });
  const router = createObjectRouter<'uploads'>({
    clock,
    secret,
    blobs: {
      async createTemp() {
        const path = (await createTemp?.(folder)) ?? join(folder, 'temp', String(temps.length));
        temps.push(path);
        return path;
      },
      keep: (temp, kind, id) => rename(temp, join(folder, kind, id)),
      path: (kind, id) => join(folder, kind, id),
      freeBytes,
    },
    accepts: (asked): Acceptance<'uploads'> =>
      stored.some((object) => object.key === asked)
        ? { ok: false, why: 'stored', id: 'UPLOAD1', state: 'validating' }
        : { ok: true, kind: 'uploads', id: 'UPLOAD1' },
    ...options,
    onStored(object) {
      options.onStored?.(object);
      stored.push(object);
    },
  });
  app.use((ctx) => {
    if (ctx.path.startsWith(objectPrefix)) return router(ctx);
    ctx.body = 'another route';
    return undefined;
  });
  const callback = app.callback();
  const server = createServer(callback);
  holdContinue(server, callback);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const baseUrl = `http://127.0.0.1:${port}`;
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  });

  return {
    port,
    baseUrl,
    folder,
    clock,
    stored,
    failures,
    rules,
    temps,
    url: presign({ baseUrl, key, method: 'PUT', expiresAt, secret }),
    /** Resolves when the server has finished all requests so far. */
    idle: () => Promise.allSettled(handled),
    handledCount: () => handled.length,
    /** Every existing file, with its folder. */
    async files(): Promise<string[]> {
      const names = await readdir(folder, { recursive: true, withFileTypes: true });
      return names.filter((entry) => !entry.isDirectory()).map((entry) => entry.name);
    },
  };
}

/** One request over a connection of its own. */
export function send(
  url: string,
  body: string | Buffer | null,
  options: { method?: string; headers?: Record<string, string>; chunked?: boolean } = {},
): Promise<Answer> {
  const length = body === null || options.chunked ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  return new Promise((resolve, reject) => {
    const req = request(url, {
      method: options.method ?? 'PUT',
      headers: { ...length, ...options.headers },
      agent: false,
    });
    req.on('error', reject);
    req.on('response', (res) => {
      let text = '';
      res.setEncoding('utf8').on('data', (part: string) => (text += part));
      res.on('end', () => resolve({ status: res.statusCode ?? 0, headers: res.headers, body: text }));
    });
    if (options.chunked && body !== null) req.write(body);
    req.end(options.chunked ? undefined : (body ?? undefined));
  });
}

/** A connection on which a test writes its own bytes. */
export function openSocket(port: number) {
  const socket: Socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const seen = { text: '', over: false };
  const waiting: (() => void)[] = [];
  const wake = (): void => waiting.splice(0).forEach((resolve) => resolve());
  const finish = (): void => {
    seen.over = true;
    wake();
  };
  socket.on('data', (part) => {
    seen.text += part.toString();
    wake();
  });
  socket.on('error', finish).on('end', finish).on('close', finish);
  const waitFor = async (isThere: () => boolean): Promise<string> => {
    while (!isThere() && !seen.over) await new Promise<void>((resolve) => waiting.push(resolve));
    return seen.text;
  };
  return {
    socket,
    /** Resolves with all received data when it contains `what`, or when the server has closed. */
    until: (what: string) => waitFor(() => seen.text.includes(what)),
    /** Resolves with all received data when the server has closed. */
    closed: () => waitFor(() => false),
  };
}

/** The head of a PUT to the path of `url`. */
export function head(url: string, ...lines: string[]): string {
  const { host, pathname, search } = new URL(url);
  return [`PUT ${pathname}${search} HTTP/1.1`, `Host: ${host}`, ...lines, '', ''].join('\r\n');
}

/** The raw text of an element of an XML error. */
export function element(xml: string, name: string): string | undefined {
  return new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1];
}
