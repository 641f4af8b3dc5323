import type { IncomingHttpHeaders } from 'node:http';
import type { Infer, Provenance, Schema } from '../contract/schema.ts';
import type { Deps } from '../deps.ts';
import type { Dialect } from './error-text.ts';
import type { Caller } from '../people/caller.ts';
import type { AnyRule, Refusal, Rule, ToldOrigin } from '../rules.ts';
import { scopes, type Scope } from './scopes.ts';

export { scopes, type Scope };

/**
 * Who may call: callers with a scope, with any bearer credential, or anyone. `optional`: it depends on the request, and
 * the handler checks the caller itself (`Input.authorize`).
 */
export type Access = Scope | 'bearer' | 'anyone' | 'optional';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

/** The input of a handler: validated input, the caller, and the one clock reading of this request. */
export interface Input<Params, Query, Body, Who = Caller> {
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** Null for access `anyone` and `optional`. */
  readonly caller: Who;
  /** Epoch milliseconds on the virtual clock. */
  readonly now: number;
  readonly method: string;
  /** The request's headers, names in lower case. */
  readonly headers: IncomingHttpHeaders;
  /** Adds a note to the recorded request, for input that was accepted although it is not as documented. */
  note(remark: string): void;
  /**
   * Runs a transaction whose changes belong to this request. Synchronous handlers already run in one; asynchronous ones
   * open theirs with it.
   */
  transact<R>(work: () => R): R;
  /** Returns the caller, checked as for an operation with that access. For operations with access `optional`. */
  authorize(access: Access): Caller;
  /** Returns a check that refuses values that do not fit a schema. For operations that contain the input of others. */
  toCheck(schema: Schema): Promise<(value: unknown) => void>;
}

type Replies = { readonly [status: number]: Schema | null };
type ReplyHeaders = { readonly [name: string]: Schema };

type ReplyOf<R extends Replies> = {
  [S in keyof R]: Omit<Reply, 'status' | 'body'> & {
    readonly status: S;
    readonly body: R[S] extends Schema ? Infer<R[S]> : null;
  };
}[keyof R];

export interface BodyContract {
  readonly type: 'json' | 'form';
  readonly schema: Schema;
  /** False if the body is optional; without a body the handler gets `{}`. */
  readonly required: boolean;
  /** The rule that refuses a request without a body; null for the rule of all operations. */
  readonly withoutBody: Rule<void> | null;
  /** Bytes, before and after decompression. */
  readonly limit: number;
}

export type Links = { readonly [operationId: string]: { readonly [parameter: string]: string } };

/** An operation as all code outside its own file sees it. */
export interface Endpoint {
  /** The operation's name in the platform's clients; null if none is known. */
  readonly operationId: string | null;
  readonly method: Method;
  /** In OpenAPI's form: `/webhooks/{webhookId}`. */
  readonly path: string;
  readonly access: Access;
  readonly dialect: Dialect;
  readonly summary: string;
  readonly section: string;
  readonly provenance: Provenance;
  /** Why it is assumed; empty if it is not. */
  readonly reason: string;
  readonly params: Schema | null;
  readonly query: Schema | null;
  readonly body: BodyContract | null;
  readonly replies: Replies;
  /** Headers that its replies may have; null if the document names none. */
  readonly replyHeaders: ReplyHeaders | null;
  /** Error statuses that the specification names for it, in addition to 401 and 403. */
  readonly errors: readonly number[];
  /** See `Definition`. */
  readonly rules: readonly AnyRule[] | null;
  /**
   * Operations that take a value from this operation's reply: `operationId` → parameter → JSON pointer into the reply.
   */
  readonly links: Links | null;
  readonly asynchronous: boolean;
  /** See `Definition`; null if the body replaces nothing. */
  readonly stored: ((input: Pick<Input<never, never, never>, 'params' | 'caller'>, deps: Deps) => object | null) | null;
  /** Whether a person opens it in a browser: a fault that replies instead is a page, too. */
  readonly forPeople: boolean;
  /** See `Definition`; null if refusals are written in the dialect. */
  readonly refused: ((refusal: Refusal, explainUrl: string) => Reply) | null;
  handle(input: Input<never, never, never>, deps: Deps): Reply | Promise<Reply>;
}

/** An answer. A null `body` is empty; a string is sent as it is, with the content type that `headers` names. */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: { readonly [name: string]: string };
  /** The body as JSON in pieces, between which other requests are answered. */
  readonly pieces?: Iterable<string>;
  /** A refusal that is part of the body (GraphQL): it is recorded like one that was thrown. */
  readonly refusal?: Refusal;
}

/**
 * An operation as its file defines it. `provenance` says whether the platform has it. It has no default, so that no
 * operation counts as documented by an omission.
 */
type Definition<
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  R extends Replies,
  A extends Access,
> = Parts<P, Q, B, R, A> & ToldOrigin;

interface Parts<
  P extends Schema | undefined,
  Q extends Schema | undefined,
  B extends Schema | undefined,
  R extends Replies,
  A extends Access,
> {
  readonly operationId?: string;
  readonly method: Method;
  readonly path: string;
  readonly access: A;
  readonly dialect?: Dialect;
  readonly summary: string;
  /** A place of the specification, a topic (`docs/platform.md, Webhooks`), or `sandbox` for what only Sandpiper has. */
  readonly section: string;
  readonly params?: P;
  readonly query?: Q;
  readonly body?: B;
  readonly bodyType?: 'json' | 'form';
  readonly bodyRequired?: boolean;
  /** The rule that refuses a request without a body, if the specification has an answer of its own for it. */
  readonly withoutBody?: Rule<void>;
  readonly bodyLimit?: number;
  readonly replies: R;
  readonly replyHeaders?: ReplyHeaders;
  readonly errors?: readonly number[];
  /**
   * The rules by which it refuses, besides those of all operations (http/common-rules.ts); null for the control API,
   * whose documents do not list them.
   */
  readonly rules: readonly AnyRule[] | null;
  readonly links?: Links;
  /** True if the handler is asynchronous: it then does not run in a transaction. */
  readonly asynchronous?: boolean;
  /**
   * The record that the body replaces, in the form of the body; null if there is none. Fixes take omitted values from
   * it, because examples would overwrite them.
   */
  stored?(
    input: Pick<
      Input<Infer<P>, undefined, undefined, A extends 'anyone' | 'optional' ? null : Caller>,
      'params' | 'caller'
    >,
    deps: Deps,
  ): Infer<B> | null;
  /** Whether a person opens it in a browser. Default: false. */
  readonly forPeople?: boolean;
  /**
   * Answers a refusal whose status is among the replies, instead of an error body: a page for the person who reads it.
   * `explainUrl`: the inspector's page about the request.
   */
  readonly refused?: (refusal: Refusal, explainUrl: string) => Reply;
  handle(
    input: Input<Infer<P>, Infer<Q>, Infer<B>, A extends 'anyone' | 'optional' ? null : Caller>,
    deps: Deps,
  ): ReplyOf<R> | Promise<ReplyOf<R>>;
}

const megabyte = 1024 * 1024;

/**
 * One operation: contract and behaviour in one value. Handlers that change records are synchronous, because a
 * transaction is one synchronous call (see store/). They never see the request or the response.
 */
export function endpoint<
  const R extends Replies,
  const P extends Schema | undefined = undefined,
  const Q extends Schema | undefined = undefined,
  const B extends Schema | undefined = undefined,
  const A extends Access = Access,
>(definition: Definition<P, Q, B, R, A>): Endpoint {
  const { body } = definition;
  return {
    operationId: definition.operationId ?? null,
    method: definition.method,
    path: definition.path,
    access: definition.access,
    dialect: definition.dialect ?? 'message',
    summary: definition.summary,
    section: definition.section,
    provenance: definition.provenance,
    reason: definition.reason ?? '',
    params: definition.params ?? null,
    query: definition.query ?? null,
    body: body
      ? {
          type: definition.bodyType ?? 'json',
          schema: body,
          required: definition.bodyRequired ?? true,
          withoutBody: definition.withoutBody ?? null,
          limit: definition.bodyLimit ?? megabyte,
        }
      : null,
    replies: definition.replies,
    replyHeaders: definition.replyHeaders ?? null,
    errors: definition.errors ?? [400, 404, 429, 500],
    rules: definition.rules,
    links: definition.links ?? null,
    asynchronous: definition.asynchronous ?? false,
    forPeople: definition.forPeople ?? false,
    refused: definition.refused ?? null,
    stored: (definition.stored as Endpoint['stored'] | undefined) ?? null,
    handle: definition.handle as Endpoint['handle'],
  };
}

/** The name of an operation in records, faults, filters and documents. */
export function operationName(operation: { readonly method: string; readonly path: string }): string {
  return `${operation.method} ${operation.path}`;
}
