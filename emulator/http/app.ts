import type { IncomingMessage } from 'node:http';
import type Router from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import type { Deps } from '../deps.ts';
import { hopsOf } from '../delivery/loop-count.ts';
import { toErrorText, type ErrorDialect } from '../errors.ts';
import { discardRest } from '../objects/conversation.ts';
import { inHeader, inPath, refuse, type AnyRule } from '../rules.ts';
import { readBody } from './body.ts';
import type { ObjectState } from '../objects/router.ts';
import { createAuthenticate } from './auth.ts';
import { createCrossSiteGuard } from './cross-site.ts';
import { operationName, type Endpoint } from './endpoint.ts';
import { explainErrors, referenceOf, type ExplainState } from './explain.ts';
import type { Faults } from './faults.ts';
import { createGate, type Gated } from './gate.ts';
import { hostProblem } from '../net/host-guard.ts';
import { inputRules } from './input-rules.ts';
import { createRouter, mount, waitForJournal } from './mount.ts';
import { isBeyond, nearestOperation } from './nearest-path.ts';
import type { RateLimits } from './rate-limit.ts';
import { keepRequestBody, type Exchange } from './exchange.ts';
import type { Recorder } from './recorder.ts';
import { objectPrefix } from '../objects/presign.ts';

export interface ApiAppOptions {
  readonly deps: Deps;
  readonly recorder: Recorder;
  readonly faults: Faults;
  readonly limits: RateLimits;
  /** Operations below `{base_url}`. */
  readonly operations: readonly Endpoint[];
  /** Operations on the server's root: the OAuth install page. */
  readonly rootOperations: readonly Endpoint[];
  readonly objectStore: Middleware;
  readonly allowHosts: readonly string[];
  readonly checkReplies: boolean;
  /** The registry of rules; with `checkReplies` a refusal by another rule is a bug. */
  readonly rules: readonly AnyRule[];
  /** Called with our own errors: each is a bug, answered with 500. */
  readonly onFault: (error: unknown, exchange: Exchange) => void;
}

/** The emulated API as a Koa app: only what the platform's servers would answer. */
export function createApiApp(options: ApiAppOptions): Koa {
  const { deps, recorder, operations, rootOperations, checkReplies } = options;
  const app = new Koa();
  app.silent = true;
  const router = createRouter();
  const authenticate = createAuthenticate(deps.store);
  const gate = createGate({ ...options, clock: deps.clock, urls: deps.urls });
  mount({
    router,
    prefix: '/v1',
    endpoints: operations,
    deps,
    authenticate,
    checkReplies,
    gate: (operation) => gateOf(operation, gate, operation.errors.includes(429) ? 'kept' : 'told'),
  });
  mount({
    router,
    prefix: '',
    endpoints: rootOperations,
    deps,
    authenticate,
    checkReplies,
    gate: (operation) => gateOf(operation, gate, 'none'),
  });
  const paths = [...operations.map((one) => `${one.method} /v1${one.path}`), ...rootOperations.map(operationName)];

  const crossSite = createCrossSiteGuard();
  app.use(crossSite.beforeRecord);
  app.use(record(recorder, deps.choices.answers === 'exact'));
  app.use(
    explainErrors({
      urls: deps.urls,
      answers: deps.choices.answers,
      rules: checkReplies ? new Set(options.rules) : null,
      onFault: options.onFault,
    }),
  );
  app.use(waitForJournal(deps.store));
  app.use(guardHost(options.allowHosts));
  app.use(crossSite.afterRecord);
  app.use(countHops(deps));
  app.use(toObjectStore(options, gate));
  app.use(router.routes());
  app.use((ctx) => refuseUnrouted(ctx, router, paths));
  return app;
}

/**
 * A request caused by one of our own deliveries continues its count, so that a loop ends (docs/security.md, Outgoing
 * webhooks).
 */
function countHops({ deliveries }: Deps): Middleware {
  return (ctx, next) => {
    const hops = hopsOf(ctx.req.headers);
    return hops === null ? next() : deliveries.withHops(hops, next);
  };
}

/** Opens the exchange when the headers have arrived, closes it when the reply is ready. */
function record(recorder: Recorder, isExact: boolean): Middleware {
  return async (ctx, next) => {
    const exchange = recorder.open(ctx.req);
    ctx.state['exchange'] = exchange;
    try {
      await next();
      await (ctx.state as { finish?: () => Promise<void> }).finish?.();
      if (isExact) removeOwnHeaders(ctx);
    } finally {
      await keepUnreadBody(ctx.req, exchange);
      const { clientLeft = false } = ctx.state as ExplainState;
      const unanswered = clientLeft || (ctx.respond === false && !ctx.res.headersSent);
      exchange.status = unanswered ? null : ctx.status;
      exchange.responseHeaders = unanswered ? {} : toTexts(ctx.response.headers);
      exchange.responseBody =
        !unanswered && (typeof ctx.body === 'string' || Buffer.isBuffer(ctx.body)) ? ctx.body : null;
      recorder.close(exchange);
    }
  };
}

/** The platform does not send our headers; the recorded request still has its rule. */
function removeOwnHeaders(ctx: Context): void {
  for (const name of Object.keys(ctx.response.headers)) if (name.startsWith('x-sandbox-')) ctx.remove(name);
}

/**
 * A request may be refused before its body is read. A small body is recorded anyway, so that the request can be
 * replayed.
 */
async function keepUnreadBody(request: IncomingMessage, exchange: Exchange): Promise<void> {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (!exchange.refusal || exchange.requestBody || request.readableDidRead || !(announced > 0)) return;
  if (announced > smallBody || request.url?.startsWith(objectPrefix)) return;
  try {
    await readBody(request, smallBody, (raw) => keepRequestBody(exchange, raw), 250);
  } catch {
    // Does not wait longer for the body: the reply is ready.
  }
}

const smallBody = 64 * 1024;

function gateOf(operation: Endpoint, gate: ReturnType<typeof createGate>, limit: Gated['limit']): Middleware {
  const pass = gate({
    name: operationName(operation),
    limit,
    bodyLimit: operation.body?.limit ?? null,
    answerStatus: (ctx, status, message) => answerFault(ctx, operation.dialect, status, message),
  });
  return (ctx, next) => {
    (ctx.state as ExplainState).dialect = operation.dialect;
    return pass(ctx, next);
  };
}

/** Replies with the status of a fault (see faults.ts). */
function answerFault(ctx: Context, dialect: ErrorDialect, status: number, message: string): void {
  const { exchange } = ctx.state as ExplainState;
  const { type, text } = toErrorText(dialect, { status, message, reference: referenceOf(exchange) });
  ctx.status = status;
  ctx.body = text;
  ctx.set('content-type', type);
}

/** How much of an uploaded file is recorded; the file itself is in the blobs. */
const keptUploadBytes = 64 * 1024;

function recordUpload(ctx: Context, store: Deps['store']): void {
  const { exchange } = ctx.state as { exchange: Exchange };
  const state = ctx.state as ObjectState;
  state.transact = (work) => {
    exchange.changes = store.transact(work).changes;
  };
  state.onChunk = (chunk) => {
    exchange.requestBytes += chunk.length;
    const kept = exchange.requestBody ?? Buffer.alloc(0);
    if (kept.length >= keptUploadBytes) return;
    exchange.requestBody = Buffer.concat([kept, chunk.subarray(0, keptUploadBytes - kept.length)]);
  };
}

function toObjectStore({ objectStore, deps }: ApiAppOptions, gate: ReturnType<typeof createGate>): Middleware {
  const pass = gate({
    name: objectOperation,
    limit: 'none',
    bodyLimit: null,
    answerStatus(ctx, status, message) {
      answerFault(ctx, 's3', status, message);
      discardRest(ctx.req, ctx.res);
    },
  });
  return (ctx, next) => {
    if (!ctx.path.startsWith(objectPrefix)) return next();
    (ctx.state as ExplainState).dialect = 's3';
    if (ctx.method !== 'PUT') return objectStore(ctx, next);
    recordUpload(ctx, deps.store);
    return pass(ctx, () => objectStore(ctx, next) as Promise<void>);
  };
}

/** The name of the object store's one operation in faults and filters. */
export const objectOperation = `PUT ${objectPrefix}{key}`;

function guardHost(allowHosts: readonly string[]): Middleware {
  return (ctx, next) => {
    const problem = hostProblem(ctx.req, allowHosts);
    if (problem !== null) refuse(inputRules.host, inHeader('host'), ctx.req.headers.host, { problem });
    return next();
  };
}

/** 404 with the nearest path, or 405 with the methods that the path allows. */
function refuseUnrouted(ctx: Context, router: Router, paths: readonly string[]): Promise<void> | void {
  const { path, method } = ctx;
  try {
    decodeURIComponent(path);
  } catch {
    return refuse(inputRules.malformedPath, inPath(''), path, { path });
  }
  if (isBeyond(method, path)) return refuse(inputRules.beyond, inPath(''), path, { path, method });
  const allowed = [...new Set(router.match(path, method).path.flatMap((layer) => layer.methods))].filter(
    (one) => one !== 'HEAD',
  );
  if (allowed.length > 0) {
    return refuse(
      inputRules.wrongMethod,
      { in: 'method', at: '' },
      method,
      { path, method, allowed },
      { allow: allowed.join(', ') },
    );
  }
  const nearest = nearestOperation(method, path, paths);
  return refuse(inputRules.unknownPath, inPath(''), path, { path, method, nearest });
}

/** Koa keeps numbers as numbers, and repeated headers as lists. */
function toTexts(headers: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const texts: Record<string, string> = {};
  for (const name in headers) texts[name] = String(headers[name]);
  return texts;
}
