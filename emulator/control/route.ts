import type { Schema } from '../contract/schema.ts';
import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { ownOrigin } from '../rules.ts';
import { toJsonPieces } from '../time/json-pieces.ts';
import {
  splitName,
  toParamsSchema,
  type BodyOf,
  type Call,
  type CallTable,
  type ParamsOf,
  type QueryOf,
  type ReplyOf,
} from './call.ts';
import { undoHeaderShapes } from './contract/parts.ts';

/** The input of a handler: it fits the call's contract, and includes the one clock reading of the request. */
export interface ControlInput<Name extends string, C> {
  readonly params: ParamsOf<Name>;
  readonly query: QueryOf<C>;
  readonly body: BodyOf<C>;
  /** Epoch milliseconds on the virtual clock. */
  readonly now: number;
}

/** Returns the reply body of a call, or throws a refusal. A handler that changes records opens its own transaction. */
export type Handler<Name extends string, C> = (input: ControlInput<Name, C>) => ReplyOf<C> | Promise<ReplyOf<C>>;

/** A handler of any call: the types of all calls at once are too much for the compiler. */
export type AnyHandler = (input: ControlInput<string, Call>) => unknown;

/** A handler for each call of a table. A missing or additional handler does not compile. */
export type Handlers<Table extends CallTable> = {
  readonly [Name in keyof Table & string]: Handler<Name, Table[Name]>;
};

/** The handlers by the names of their calls. */
function byName(handlers: object): { readonly [name: string]: AnyHandler } {
  return handlers as { readonly [name: string]: AnyHandler };
}

/**
 * Returns the handler of a call.
 * @throws Error if there is none: no other handler may answer instead
 */
export function handlerOf(handlers: object, name: string): AnyHandler {
  const found = byName(handlers)[name];
  if (!found) throw new Error(`${name} has no handler.`);
  return found;
}

/** Returns the handlers, each wrapped by `wrap`. */
export function wrapEach<All extends object>(
  handlers: All,
  wrap: (name: string, handle: AnyHandler) => AnyHandler,
): All {
  const wrapped = Object.entries(byName(handlers)).map(([name, handle]) => [name, wrap(name, handle)]);
  return Object.fromEntries(wrapped) as All;
}

/** Functions that write the reply of a call in pieces, for calls whose reply is not written like all others. */
export type Writers<Table extends CallTable> = {
  readonly [Name in keyof Table & string]?: Writer;
};

type Writer = (body: never) => Iterable<string>;

/** Creates the operations of a table of calls. All of them require the token, see guard.ts. */
export function toRoutes<Table extends CallTable>(
  calls: Table,
  handlers: Handlers<NoInfer<Table>>,
  writers: Writers<NoInfer<Table>>,
): readonly Endpoint[] {
  return Object.entries(calls).map(([name, call]) =>
    toRoute(name, call, handlerOf(handlers, name), writers[name as keyof Table & string]),
  );
}

function toRoute(name: string, call: Call, handle: AnyHandler, write: Writer = toJsonPieces): Endpoint {
  const { method, path } = splitName(name);
  const status = call.status ?? (call.reply === null ? 204 : 200);
  const toReply = (body: unknown) =>
    ({ status, body, ...(body !== null && { pieces: write(body as never) }) }) as never;
  return endpoint({
    access: 'bearer',
    dialect: 'control',
    ...ownOrigin,
    method,
    path,
    summary: call.summary,
    params: toParamsSchema(path, call.params) ?? undefined,
    query: call.query as Schema | undefined,
    body: call.body as Schema | undefined,
    bodyRequired: call.bodyRequired ?? true,
    ...(call.bodyLimit === undefined ? {} : { bodyLimit: call.bodyLimit }),
    replies: { [status]: call.reply as Schema | null },
    ...(call.changes && { replyHeaders: undoHeaderShapes }),
    errors: [400, 404, 409, 500, 507],
    rules: null,
    asynchronous: true,
    handle(input) {
      const body = handle(input as never);
      return body instanceof Promise ? body.then(toReply) : toReply(body);
    },
  });
}
