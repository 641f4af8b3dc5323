import type { IncomingMessage, ServerResponse } from 'node:http';
import Koa, { type Context } from 'koa';
import type { Deps } from '../deps.ts';
import { discardRest } from '../net/conversation.ts';
import { objectOperation, objectPrefix } from '../objects/presign.ts';
import type { ObjectState } from '../objects/router.ts';
import { inPath, refuse, type AnyRule } from '../rules.ts';
import { answer } from './answer.ts';
import { createAuthenticate } from './auth.ts';
import { createBodyReader } from './body/body.ts';
import { operationName, type Endpoint } from './endpoint.ts';
import { addNote, type Exchange } from './record/exchange.ts';
import { createExplain, type Explain } from './explain.ts';
import { faultHeader } from './faults/rules.ts';
import type { Faults } from './faults/faults.ts';
import { createGate, type Gated } from './gate.ts';
import { inputRules } from './input-rules.ts';
import type { Hosts } from '../net/host-guard.ts';
import { createRouter, toRoutePath } from './mount.ts';
import { emptyParameter, nearestOperation, operationBeyond, operationOfOAuth } from './nearest-path.ts';
import { toOperate, type Params } from './operation.ts';
import type { Passage, Step } from './passage.ts';
import { createPipeline } from './pipeline.ts';
import { isDecodable, pathOf } from './query.ts';
import type { RateLimits } from './rate-limit.ts';
import type { Recorder } from './record/recorder.ts';

export interface ApiAppOptions {
  readonly deps: Deps;
  readonly recorder: Recorder;
  readonly faults: Faults;
  readonly limits: RateLimits;
  /** Operations below `{base_url}`. */
  readonly operations: readonly Endpoint[];
  /** Operations on the server's root: the OAuth install page. */
  readonly rootOperations: readonly Endpoint[];
  readonly objectStore: (ctx: Context) => Promise<void>;
  readonly hosts: Hosts;
  readonly checkReplies: boolean;
  /** The registry of rules; with `checkReplies` a refusal by another rule is a bug. */
  readonly rules: readonly AnyRule[];
  /** Called with internal errors: each is a bug of the emulator, answered with 500. */
  readonly onOwnError: (error: unknown, exchange: Exchange) => void;
}

/** The emulated API as a Koa app: only what the platform's servers would answer. */
export function createApiApp(options: ApiAppOptions): Koa {
  const { deps, recorder, hosts, checkReplies, onOwnError, rules } = options;
  const { answers } = deps.choices;
  const explain = createExplain({ urls: deps.urls, answers, rules: checkReplies ? new Set(rules) : null, onOwnError });
  const route = createRoute(options, explain);
  const withoutOwnHeaders = answers === 'exact';
  return new ApiApp(createPipeline({ deps, recorder, explain, hosts, route, withoutOwnHeaders }));
}

/**
 * Koa with one function instead of middleware. The function sends each answer itself, so that Koa's own handler is not
 * needed: it takes a tenth of the CPU of `GET /me`, because it watches each response for its end.
 */
class ApiApp extends Koa {
  readonly #handle: (ctx: Context) => Promise<void>;

  constructor(handle: (ctx: Context) => Promise<void>) {
    super();
    this.#handle = handle;
    this.silent = true;
  }

  override callback(): ReturnType<Koa['callback']> {
    return (req, res) => {
      const ctx = this.createContext(req as IncomingMessage, res as ServerResponse) as Context;
      return this.#handle(ctx).catch((error: Error) => ctx.onerror(error));
    };
  }
}

/** Compiles every operation, and returns the step that finds the operation of a request. */
function createRoute(options: ApiAppOptions, explain: Explain): Step {
  const { deps, operations, rootOperations, checkReplies } = options;
  const readBody = createBodyReader(deps.clock);
  const gate = createGate({ ...options, clock: deps.clock, urls: deps.urls, readBody });
  const authenticate = createAuthenticate(deps.store);
  const router = createRouter();
  /** Operations without parameters, by path and method: most requests are found here. */
  const fixed = new Map<string, Map<string, Step>>();

  const add = (operation: Endpoint, prefix: string, limit: Gated['limit']): void => {
    const { method, dialect, body, access } = operation;
    const operate = toOperate(operation, { deps, authenticate, readBody, checkReplies });
    const gated: Gated = {
      name: operationName(operation),
      limit,
      bodyLimit: body?.limit ?? null,
      unauthorized: access === 'anyone' ? null : deps.choices.answers === 'exact' ? 'empty' : 'challenge',
      isPage: operation.forPeople,
    };
    const pass = gate(gated, ({ ctx, params, exchange }) => operate(ctx, params, exchange));
    const step: Step = (passage) => {
      passage.dialect = dialect;
      return pass(passage);
    };
    const path = prefix + operation.path;
    router.register(toRoutePath(path), [method], async (ctx) => {
      const { passage } = ctx.state as RouterState;
      passage.params = ctx['params'] as Params;
      (ctx.state as RouterState).reply = await step(passage);
    });
    if (path.includes('{')) return;
    const atPath = fixed.get(path) ?? new Map<string, Step>();
    fixed.set(path, atPath.set(method, step));
    if (method === 'GET') atPath.set('HEAD', step);
  };
  for (const operation of operations) add(operation, '/v1', operation.errors.includes(429) ? 'kept' : 'told');
  for (const operation of rootOperations) add(operation, '', 'none');

  const putObject = gate(
    {
      name: objectOperation,
      limit: 'none',
      bodyLimit: null,
      unauthorized: null,
      isPage: false,
      instead: ({ req, res }) => discardRest(req, res),
    },
    (passage) => toObjectStore(passage, options, explain),
  );
  const toObject: Step = (passage) => {
    passage.dialect = 's3';
    passage.req.toStream();
    return passage.req.method === 'PUT' ? putObject(passage) : toObjectStore(passage, options, explain);
  };

  // An operation that only browsers may call (405 for others) is not suggested to programs.
  const forBrowsers = new Set(
    operations.filter(({ errors }) => errors.includes(405)).map((one) => `${one.method} /v1${one.path}`),
  );
  const paths = [
    ...operations.map((one) => `${one.method} /v1${one.path}`),
    ...rootOperations.map(operationName),
  ].filter((path) => !forBrowsers.has(path));
  const dispatch = router.routes();
  const toRouter: Step = async (passage) => {
    const { ctx } = passage;
    const state = ctx.state as RouterState;
    state.passage = passage;
    // Checked before the router runs, which reads an invalid escape in a parameter as it is.
    if (!isDecodable(ctx.path)) refuse(inputRules.malformedPath, inPath(''), ctx.path, { path: ctx.path });
    await dispatch(ctx as never, async () => {
      noteFaultHeader(passage);
      refuseUnrouted(ctx, router, { paths, forBrowsers, inspector: deps.urls.inspector });
    });
    return state.reply ?? null;
  };

  return (passage) => {
    const path = pathOf(passage.req);
    const step = fixed.get(path)?.get(passage.req.method ?? '');
    if (step) return step(passage);
    return passage.ctx.path.startsWith(objectPrefix) ? toObject(passage) : toRouter(passage);
  };
}

/**
 * The state of Koa's context: the passage that the pipeline hands to the router, and the reply that the router returns.
 */
interface RouterState {
  passage: Passage;
  reply?: Awaited<ReturnType<Step>>;
}

/** The names of operations that faults and filters may have: those of `operations`, and that of the object store. */
export function operationNames(operations: readonly Endpoint[]): readonly string[] {
  return [...operations.map(operationName), objectOperation];
}

/** How much of an uploaded file is recorded; the file itself is in the blobs. */
const keptUploadBytes = 64 * 1024;

/**
 * Runs the object store, for which the body stays a stream. It answers into Koa's context, from which the reply is
 * read.
 */
async function toObjectStore(
  passage: Passage,
  { objectStore, deps }: ApiAppOptions,
  explain: Explain,
): ReturnType<Step> {
  const { ctx, exchange } = passage;
  const state = ctx.state as ObjectState;
  state.transact = (work) => {
    exchange.changes = deps.store.transact(work).changes;
  };
  state.onChunk = (chunk) => {
    exchange.requestBytes += chunk.length;
    const kept = exchange.requestBody ?? Buffer.alloc(0);
    if (kept.length >= keptUploadBytes) return;
    exchange.requestBody = Buffer.concat([kept, chunk.subarray(0, keptUploadBytes - kept.length)]);
  };
  state.answerError = (error) => {
    const reply = explain(error, passage);
    if (reply) answer(ctx, reply);
  };
  await objectStore(ctx);
  const headers = Object.entries(ctx.response.headers).map(([name, value]) => [name, String(value)]);
  return { status: ctx.status, body: null, headers: Object.fromEntries(headers) as Record<string, string> };
}

function noteFaultHeader({ req, exchange }: Passage): void {
  if (req.headers[faultHeader] === undefined) return;
  addNote(exchange, `The header ${faultHeader} was ignored: a fault needs an operation.`);
}

/** 404 with the nearest path, or 405 with the methods that the path allows. */
function refuseUnrouted(
  { path, method }: Context,
  router: ReturnType<typeof createRouter>,
  {
    paths,
    forBrowsers,
    inspector,
  }: { readonly paths: readonly string[]; readonly forBrowsers: ReadonlySet<string>; readonly inspector: string },
): never {
  const beyond = operationBeyond(method, path);
  const refuseBeyond = (known: string): never => refuse(inputRules.beyond, inPath(''), path, { path, method, known });
  if (beyond === `${method} ${path}`) return refuseBeyond(beyond);
  const allowed = [...new Set(router.match(path, method).path.flatMap((layer) => layer.methods))].filter(
    (one) => one !== 'HEAD' && !forBrowsers.has(`${one} ${path}`),
  );
  if (allowed.length > 0) {
    const above = path.slice(0, path.lastIndexOf('/'));
    // Where a record can only be changed or deleted, a GET asks for what the list above it has.
    const isRead = method === 'GET' && !allowed.includes('GET') && !allowed.includes('POST');
    const list = isRead && router.match(above, method).route ? above : null;
    return refuse(
      inputRules.wrongMethod,
      { in: 'method', at: '' },
      method,
      { path, method, allowed, list },
      { allow: allowed.join(', ') },
    );
  }
  const nearest = operationOfOAuth(path) ?? nearestOperation(method, path, paths);
  if (nearest === null && beyond !== null) return refuseBeyond(beyond);
  const empty = nearest && emptyParameter(nearest, path);
  return refuse(inputRules.unknownPath, inPath(''), path, { path, method, nearest, empty, inspector });
}
