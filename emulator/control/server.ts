import Koa, { type Middleware } from 'koa';
import type { Deps } from '../deps.ts';
import type { Feed } from '../feed.ts';
import { UserError, toErrorBody } from '../errors.ts';
import { IllegalMove } from '../machine/table.ts';
import type { Caller, Endpoint } from '../http/endpoint.ts';
import { createRouter, mount } from '../http/mount.ts';
import type { Recorder } from '../http/recorder.ts';
import { Refusal } from '../rules.ts';
import { guardOrigin, requireToken } from './guard.ts';
import { welcomePage } from './page.ts';
import { createStream } from './stream.ts';
import { serveUi } from './ui-files.ts';

export interface ControlAppOptions {
  readonly deps: Deps;
  readonly feed: Feed;
  readonly recorder: Recorder;
  readonly routes: readonly Endpoint[];
  readonly token: string;
  readonly allowHosts: readonly string[];
  readonly checkReplies: boolean;
  /** The folder of the built inspector; null serves a plain page in its place. */
  readonly uiDir: string | null;
  /** Takes the bytes of a catalog file, and sends them on. */
  readonly receiveFile: Middleware;
  readonly onFault: (error: unknown) => void;
}

/** The control port: the control API, its stream, and the page for people. */
export function createControlApp(options: ControlAppOptions): Koa {
  const { deps, feed, recorder, routes, checkReplies } = options;
  const app = new Koa();
  app.silent = true;
  const router = createRouter();
  mount({ router, prefix: '', endpoints: routes, deps, authenticate: () => ({}) as Caller, checkReplies });
  router.put('/control/uploads/:id/file', options.receiveFile);
  router.get('/control/stream', createStream({ feed, recorder, clock: deps.clock }));

  app.use(guardOrigin(options));
  app.use(explain(options.onFault));
  app.use(serveUi(options.uiDir) ?? welcomePage(deps.urls));
  app.use(requireToken({ token: options.token, urls: deps.urls }));
  // What earlier processes recorded is read while the servers already answer.
  app.use(async (_ctx, next) => {
    await recorder.loaded;
    return next();
  });
  app.use(router.routes());
  app.use(router.allowedMethods());
  app.use((ctx) => {
    ctx.status = 404;
    ctx.body = {
      message: `There is nothing at ${ctx.method} ${ctx.path}. GET /control/control-openapi.json describes the control API.`,
    };
  });
  return app;
}

function explain(onFault: (error: unknown) => void): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      const refused = error instanceof Refusal;
      // What a developer asked for and cannot be done is told as it is.
      const impossible = error instanceof UserError || error instanceof IllegalMove;
      if (!refused && !impossible && (error as { code?: string }).code !== 'ECONNRESET') onFault(error);
      ctx.status = refused ? error.rule.status : error instanceof IllegalMove ? 409 : impossible ? 400 : 500;
      ctx.body = toErrorBody(
        'control',
        ctx.status,
        refused || impossible ? error.message : 'Internal error; the emulator’s own log says more.',
        0,
        'control',
      );
      if (refused) ctx.set(error.headers);
    }
  };
}
