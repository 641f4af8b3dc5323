import { Router } from '@koa/router';
import Koa, { type Context, type Middleware } from 'koa';
import { distance } from 'fastest-levenshtein';
import type { Deps } from '../deps.ts';
import { toErrorBody } from '../errors.ts';
import { Refusal, inPath, refuse } from '../rules.ts';
import { createAuthenticate } from './auth.ts';
import { operationName, type Endpoint } from './endpoint.ts';
import { hostProblem } from './host-guard.ts';
import { inputRules } from './input-rules.ts';
import { mount } from './mount.ts';
import type { Exchange, Recorder } from './recorder.ts';

export interface ApiAppOptions {
  readonly deps: Deps;
  readonly recorder: Recorder;
  /** Operations below `{base_url}`. */
  readonly operations: readonly Endpoint[];
  /** Operations on the server's root: the OAuth install page. */
  readonly rootOperations: readonly Endpoint[];
  readonly objectStore: Middleware;
  readonly allowHosts: readonly string[];
  readonly checkReplies: boolean;
  /** Hears of faults of our own: each is a 500 and a bug. */
  readonly onFault: (error: unknown, exchange: Exchange) => void;
}

/** The emulated API as a Koa app: what the platform's servers would answer, and nothing else. */
export function createApiApp(options: ApiAppOptions): Koa {
  const { deps, recorder, operations, rootOperations, checkReplies } = options;
  const app = new Koa();
  app.silent = true;
  const router = new Router();
  const authenticate = createAuthenticate(deps.store);
  mount({ router, prefix: '/v1', endpoints: operations, deps, authenticate, checkReplies });
  mount({ router, prefix: '', endpoints: rootOperations, deps, authenticate, checkReplies });
  const paths = [...operations.map((one) => `${one.method} /v1${one.path}`), ...rootOperations.map(operationName)];

  app.use(record(recorder));
  app.use(explainFailures(deps, options.onFault));
  app.use(guardHost(options.allowHosts));
  app.use(options.objectStore);
  app.use(router.routes());
  app.use((ctx) => refuseUnrouted(ctx, router, paths));
  return app;
}

/** Opens the exchange when the head has come, closes it when the answer is ready. */
function record(recorder: Recorder): Middleware {
  return async (ctx, next) => {
    const exchange = recorder.open(ctx.req);
    ctx.state['exchange'] = exchange;
    try {
      await next();
    } finally {
      exchange.status = exchange.failure === clientLeft ? null : ctx.status;
      exchange.responseHeaders = ctx.response.headers as Record<string, string>;
      exchange.responseBody = typeof ctx.body === 'string' || Buffer.isBuffer(ctx.body) ? ctx.body : null;
      recorder.close(exchange);
    }
  };
}

const clientLeft = 'The client closed the connection before its request was complete.';

function explainFailures({ urls }: Deps, onFault: ApiAppOptions['onFault']): Middleware {
  return async (ctx, next) => {
    const { exchange, operation } = ctx.state as { exchange: Exchange; operation?: Endpoint };
    try {
      await next();
    } catch (error) {
      const dialect = (ctx.state as { operation?: Endpoint }).operation?.dialect ?? operation?.dialect ?? 'message';
      const reference = 100_000_000 + exchange.sequence;
      if (error instanceof Refusal) {
        exchange.refusal = error;
        ctx.status = error.rule.status;
        ctx.body = JSON.stringify(toErrorBody(dialect, error.rule.status, error.message, reference, error.rule.id));
        ctx.set({
          ...error.headers,
          'x-sandbox-rule': error.rule.id,
          'x-sandbox-explain': `${urls.inspector}/#/requests/${exchange.id}`,
        });
      } else if ((error as { code?: string }).code === 'ECONNRESET') {
        exchange.failure = clientLeft;
      } else {
        exchange.failure = error instanceof Error ? (error.stack ?? error.message) : String(error);
        ctx.status = 500;
        ctx.body = JSON.stringify(toErrorBody(dialect, 500, 'Internal Server Error', reference, 'fault'));
        onFault(error, exchange);
      }
      ctx.set('content-type', 'application/json; charset=utf-8');
    }
  };
}

function guardHost(allowHosts: readonly string[]): Middleware {
  return (ctx, next) => {
    const problem = hostProblem(ctx.req, allowHosts);
    if (problem === null) return next();
    ctx.status = 403;
    ctx.body = JSON.stringify({ message: problem });
    ctx.set({ 'content-type': 'application/json; charset=utf-8', 'x-sandbox-rule': 'request.host' });
    const { exchange } = ctx.state as { exchange: Exchange };
    exchange.failure = problem;
    return undefined;
  };
}

/** 404 with the nearest path, or 405 with the methods that the path takes. */
function refuseUnrouted(ctx: Context, router: Router, paths: readonly string[]): Promise<void> | void {
  const { path, method } = ctx;
  try {
    decodeURIComponent(path);
  } catch {
    return refuse(inputRules.malformedPath, inPath(''), path, { path });
  }
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
  const asked = `${method} ${path}`;
  const nearest = paths.toSorted((one, other) => distance(one, asked) - distance(other, asked))[0] ?? '';
  return refuse(inputRules.unknownPath, inPath(''), path, { path, method, nearest });
}
