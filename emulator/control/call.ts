import type { Schema } from '../contract/schema.ts';
import type { View } from '../contract/shape.ts';
import type { UndoCode, UndoRef } from '../world/edits.ts';

export type { UndoRef };

/** Members that reading and changing calls share. */
interface AnyCall {
  readonly summary: string;
  /** Schemas of path parameters that do not accept every text. */
  readonly params?: { readonly [name: string]: object };
  readonly query?: object;
  /** The schema of the JSON body; without it the call takes no body. */
  readonly body?: object;
  /** False if the body is optional; then it is `{}` by default. */
  readonly bodyRequired?: false;
  /** The largest body in bytes; a megabyte by default. */
  readonly bodyLimit?: number;
  /** The status of a success. Default: 200, or 204 if the reply has no body. */
  readonly status?: 201 | 202;
  /**
   * The schema of the reply body; null if there is none. Refusals are the same everywhere: see contract/refusals.ts.
   */
  readonly reply: object | null;
}

interface ReadingCall extends AnyCall {
  readonly changes?: undefined;
  /**
   * What the call answers to a request that looks at an earlier moment.
   * `moment`: the records as they were then. For calls that read only records.
   * `now`: the present. For calls that read files, are about possible next steps or the running emulator, list the past
   * by time, or answer the same at any moment.
   */
  readonly asOf: 'moment' | 'now';
}

interface ChangingCall extends AnyCall {
  /**
   * The call changes something: records, settings, the clock, files, or what another program receives. Headers of its
   * reply name what can be undone (`undoHeaders`).
   */
  readonly changes: true;
  /** For a call that takes the moment in its input. Without it, a request that looks at an earlier moment is refused. */
  readonly asOf?: 'now';
}

/** The contract of one control API call. Its name is `METHOD /control/path/{parameter}`. */
export type Call = ReadingCall | ChangingCall;

export type CallTable = { readonly [name: string]: Call };

/** `POST /control/webhooks/{id}` → `{ id: string }`. */
export type ParamsOf<Name extends string> = { readonly [Param in ParamNames<Name>]: string };

type ParamNames<Name extends string> = Name extends `${string}{${infer Param}}${infer Rest}`
  ? Param | ParamNames<Rest>
  : never;

export type QueryOf<C> = C extends { readonly query: infer Q } ? View<Q> : Nothing;
export type BodyOf<C> = C extends { readonly body: infer B } ? View<B> : Nothing;
export type ReplyOf<C> = C extends { readonly reply: infer R extends object } ? View<R> : null;

type Nothing = Readonly<Record<never, never>>;

/** The input of a call: only the members that it has. */
export type RequestOf<Name extends string, C> = (ParamNames<Name> extends never
  ? { readonly params?: undefined }
  : { readonly params: ParamsOf<Name> }) &
  (C extends { readonly query: object } ? Optional<'query', QueryInput<QueryOf<C>>> : { readonly query?: undefined }) &
  (C extends { readonly body: object }
    ? C extends { readonly bodyRequired: false }
      ? { readonly body?: BodyInput<BodyOf<C>> }
      : { readonly body: BodyInput<BodyOf<C>> }
    : { readonly body?: undefined });

/** A query as a caller writes it: undefined members are left out. */
type QueryInput<Q> = { readonly [K in keyof Q]: Q[K] | undefined };

/** A body as a caller writes it: an optional member may be undefined, and JSON leaves it out. */
type BodyInput<B> = B extends readonly unknown[]
  ? B
  : B extends object
    ? { readonly [K in keyof B]: BodyInput<B[K]> | (Nothing extends Pick<B, K> ? undefined : never) }
    : B;

type Optional<Name extends string, Value> = Nothing extends Value
  ? { readonly [K in Name]?: Value }
  : { readonly [K in Name]: Value };

/** The request and reply types of a call, for its callers. */
export interface Signature<Request, Reply> {
  readonly request: Request;
  readonly reply: Reply;
}

/** The signature of each call of a table. */
export type Signatures<Table extends CallTable> = {
  readonly [Name in keyof Table & string]: Signature<RequestOf<Name, Table[Name]>, ReplyOf<Table[Name]>>;
};

/** Splits the name of a call into its method and path. */
export function splitName(name: string): { readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'; readonly path: string } {
  const [method = '', path = ''] = name.split(' ');
  return { method: method as 'GET', path };
}

/** The request of any call, as its sender writes it. */
export interface AnyRequest {
  readonly params?: { readonly [name: string]: string } | undefined;
  readonly query?: { readonly [name: string]: string | number | undefined } | undefined;
  readonly body?: unknown;
}

/** Returns the path of a call with its parameters and query filled in. */
export function toUrlPath(name: string, { params = {}, query = {} }: AnyRequest = {}): string {
  const path = splitName(name).path.replaceAll(/\{([^}]+)\}/g, (_all, param: string) =>
    encodeURIComponent(params[param] ?? ''),
  );
  const given = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/**
 * The header with Sandpiper's version, in each reply of the control port. A reply without it comes from another server.
 */
export const versionHeader = 'x-sandbox-version';

/** The headers in which a reply names what the call did, if it can be undone. */
export const undoHeaders = { id: 'x-sandbox-undo', code: 'x-sandbox-undo-code' } as const;

/** Reads the undo headers of a reply; undefined if the call did nothing that can be undone. */
export function toUndoRef(headers: Headers): UndoRef | undefined {
  const [id, code] = [headers.get(undoHeaders.id), headers.get(undoHeaders.code)];
  return id === null || code === null ? undefined : { id, code: code as UndoCode };
}

/** Returns the schema of the parameters in a path; null if the path has none. */
export function toParamsSchema(path: string, own: Call['params'] = {}): Schema | null {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return null;
  return {
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, own[name] ?? { type: 'string' }])),
  };
}
