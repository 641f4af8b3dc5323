import Koa, { type Middleware } from 'koa';
import type { Deps } from '../../deps.ts';
import { toValidator } from '../../contract/validate.ts';
import { toErrorText } from '../../http/error-text.ts';
import { IllegalMove } from '../../machine/table.ts';
import { createBodyReader } from '../../http/body/body.ts';
import type { Endpoint } from '../../http/endpoint.ts';
import type { Caller } from '../../people/caller.ts';
import { createRouter, mount, waitForJournal } from '../../http/mount.ts';
import { innermost, toMisfitText } from '../../http/check-reply.ts';
import type { Hosts } from '../../net/host-guard.ts';
import { Refusal, inBody, inPath, refuse, toRefusal } from '../../rules.ts';
import { undoHeaders, versionHeader } from '../call.ts';
import { controlError, type IllegalMoveView } from '../contract/refusals.ts';
import { storeProblem } from '../../store/errors.ts';
import type { Undo } from '../../world/undo.ts';
import { guardOrigin, requireToken } from './guard.ts';
import type { EmulatorParts } from '../handler-deps.ts';
import { readMoment } from '../look-back.ts';
import { welcomePage } from './page.ts';
import { allRules } from '../rules/rule-registry.ts';
import { controlRules } from '../rules/rules.ts';
import { createStream } from './stream.ts';
import { serveUi } from './ui-files.ts';
import { toControlRefusalView } from '../views.ts';

export interface ControlAppParts extends Pick<
  EmulatorParts,
  'recorder' | 'undo' | 'ownErrors' | 'options' | 'version'
> {
  readonly deps: Deps;
  readonly token: string;
  readonly hosts: Hosts;
  readonly routes: readonly Endpoint[];
  /** Receives the bytes of a catalog file, and passes them on. */
  readonly receiveFile: Middleware;
  /** Answers with the fixed copy of a catalog file. */
  readonly sendFixedFile: Middleware;
}

/** The control port: the control API, its stream, and the page for people. */
export function createControlApp(parts: ControlAppParts): Koa {
  const { deps, recorder, ownErrors, routes } = parts;
  const { checkReplies, uiDir } = parts.options;
  const check = checkReplies ? ownErrors.watch : null;
  const app = new Koa();
  app.silent = true;
  const router = createRouter();
  const readBody = createBodyReader(deps.clock);
  mount({ router, endpoints: routes, deps, authenticate: () => ({}) as Caller, readBody, checkReplies });
  router.put('/control/uploads/:id/file', parts.receiveFile);
  router.get('/control/uploads/:id/fixed', parts.sendFixedFile);
  router.get('/control/stream', createStream({ ...deps, recorder, check }));

  app.use((ctx, next) => {
    ctx.set(versionHeader, parts.version);
    return next();
  });
  app.use(explain(check, ownErrors.tell));
  app.use(waitForJournal(deps.store));
  app.use(guardOrigin(parts.hosts));
  app.use(serveUi(uiDir) ?? welcomePage(deps.urls));
  app.use(requireToken({ token: parts.token, urls: deps.urls }));
  // The records of earlier processes are read while the servers already answer.
  app.use(async (_ctx, next) => {
    await recorder.loaded;
    return next();
  });
  app.use(readMoment);
  app.use(nameUndo(parts.undo));
  app.use(router.routes());
  app.use(router.allowedMethods());
  app.use(({ method, path }) => {
    return refuse(controlRules.unknownPath, inPath(''), path, { method, path });
  });
  return app;
}

/** Names in the reply's headers what the request did, if it can be undone. */
function nameUndo(undo: Pick<Undo, 'during'>): Middleware {
  return async (ctx, next) => {
    // Calls that only read are not watched, because watching slows each promise of the process (async-context.ts).
    if (ctx.method === 'GET' || ctx.method === 'HEAD') return next();
    const { edit } = await undo.during(next);
    if (edit) ctx.set({ [undoHeaders.id]: edit.id, [undoHeaders.code]: edit.code });
  };
}

/** @param check runs the checks of a refusal beside the request; null if it is not checked */
function explain(check: ((work: Promise<void>) => void) | null, onOwnError: (error: unknown) => void): Middleware {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      let refusal = toControlRefusal(error);
      if (refusal && check && !allRules.includes(refusal.rule)) {
        onOwnError(new Error(`The rule ${refusal.rule.id} that refused a control request is not in the registry.`));
        refusal = null;
      } else if (!refusal && (error as { code?: string }).code !== 'ECONNRESET') onOwnError(error);
      const status = refusal?.rule.status ?? 500;
      const message = refusal?.message ?? 'Internal error; the emulator’s own log says more.';
      const { type, text } = toErrorText('control', {
        status,
        message,
        reference: 0,
        refusal: refusal ? toControlRefusalView(refusal) : undefined,
        move: toIllegalMove(error),
      });
      check?.(checkError(`${ctx.method} ${ctx.path}`, text));
      ctx.status = status;
      ctx.body = text;
      ctx.set('content-type', type);
      if (refusal) ctx.set({ ...refusal.headers, 'x-sandbox-rule': refusal.rule.id });
    }
  };
}

/** The refusal for a request that cannot be carried out; null for an internal error. */
function toControlRefusal(error: unknown): Refusal | null {
  if (error instanceof Refusal) return error;
  if (error instanceof IllegalMove) return toRefusal(controlRules.move, inBody('/event'), error.event, error);
  const problem = storeProblem(error);
  if (problem !== null) return toRefusal(controlRules.store, inPath(''), undefined, problem);
  return null;
}

/** The state of the record, the refused move, and the moves that a client may make instead. */
function toIllegalMove(error: unknown): Omit<IllegalMoveView, 'message' | 'refusal'> | undefined {
  if (!(error instanceof IllegalMove)) return undefined;
  const { state, event, open } = error;
  return { state, event, open };
}

/** @throws Error if the text is not an error of the contract */
async function checkError(call: string, text: string): Promise<void> {
  const misfit = innermost((await toValidator(controlError))(JSON.parse(text)));
  if (misfit) throw new Error(`${call} was refused outside the contract at ${toMisfitText(misfit)}`);
}
