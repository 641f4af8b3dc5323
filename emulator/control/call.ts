import type { Schema } from '../contract/schema.ts';
import type { View } from '../contract/shape.ts';
import type { UndoCode, UndoRef } from '../world/edits.ts';

export type { UndoRef };

/** What reading and changing calls have in common. */
interface AnyCall {
  readonly summary: string;
  /** Schemas of parameters of the path that are not any text. */
  readonly params?: { readonly [name: string]: object };
  readonly query?: object;
  /** JSON; without it the call takes no body. */
  readonly body?: object;
  /** False if the body is optional; then it is `{}` by default. */
  readonly bodyRequired?: false;
  /** Bytes; a megabyte if not given. */
  readonly bodyLimit?: number;
  /** Where it is not 200, or 204 for a call that answers nothing. */
  readonly status?: 201 | 202;
  /** The body of the answer; null if there is none. Refusals are the same everywhere: see contract/refusals.ts. */
  readonly reply: object | null;
}

interface ReadingCall extends AnyCall {
  readonly changes?: undefined;
  /**
   * As of when it answers a request that looks at an earlier moment: `moment` where it reads records only, which are known
   * as they were. `now` where it reads files, is about what can be done next or about the running emulator, lists the past
   * by time, or answers the same at any moment.
   */
  readonly asOf: 'moment' | 'now';
}

interface ChangingCall extends AnyCall {
  /**
   * It changes something: records, settings, the clock, files, or what another program is sent. Its reply names in headers
   * what can be undone (`undoHeaders`).
   */
  readonly changes: true;
  /** For a call that takes the moment in its input. Without it, a request that looks at an earlier moment is refused. */
  readonly asOf?: 'now';
}

/** What one call of the control API takes and answers. Its name is `METHOD /control/path/{parameter}`. */
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
      ? { readonly body?: BodyOf<C> }
      : { readonly body: BodyOf<C> }
    : { readonly body?: undefined });

/** A query as a caller writes it: numbers as such, and what is undefined is left out. */
type QueryInput<Q> = { readonly [K in keyof Q]: Q[K] | undefined | (string extends Q[K] ? number : never) };

type Optional<Name extends string, Value> = Nothing extends Value
  ? { readonly [K in Name]?: Value }
  : { readonly [K in Name]: Value };

/** A call as its callers see it. */
export interface Signature<Request, Reply> {
  readonly request: Request;
  readonly reply: Reply;
}

/** The signature of each call of a table. */
export type Signatures<Table extends CallTable> = {
  readonly [Name in keyof Table & string]: Signature<RequestOf<Name, Table[Name]>, ReplyOf<Table[Name]>>;
};

/** The method and the path of a call. */
export function splitName(name: string): { readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'; readonly path: string } {
  const [method = '', path = ''] = name.split(' ');
  return { method: method as 'GET', path };
}

/** A request as its sender sees it, for any call. */
export interface AnyRequest {
  readonly params?: { readonly [name: string]: string } | undefined;
  readonly query?: { readonly [name: string]: string | number | undefined } | undefined;
  readonly body?: unknown;
}

/** The path of a call with its parameters and its query in place. */
export function toUrlPath(name: string, { params = {}, query = {} }: AnyRequest = {}): string {
  const path = splitName(name).path.replaceAll(/\{([^}]+)\}/g, (_all, param: string) =>
    encodeURIComponent(params[param] ?? ''),
  );
  const given = Object.entries(query).flatMap(([key, value]): [string, string][] =>
    value === undefined ? [] : [[key, String(value)]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given)}`;
}

/** The header in which each reply of the control port names its Sandpiper's version: what answers without it is another server. */
export const versionHeader = 'x-sandbox-version';

/** The headers in which a reply names what the call did, where that can be undone. */
export const undoHeaders = { id: 'x-sandbox-undo', code: 'x-sandbox-undo-code' } as const;

/** What the headers of a reply name; undefined if the call did nothing that can be undone. */
export function toUndoRef(headers: Headers): UndoRef | undefined {
  const [id, code] = [headers.get(undoHeaders.id), headers.get(undoHeaders.code)];
  return id === null || code === null ? undefined : { id, code: code as UndoCode };
}

/** The schema of the parameters in a path; null if it has none. */
export function toParamsSchema(path: string, own: Call['params'] = {}): Schema | null {
  const names = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  if (names.length === 0) return null;
  return {
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, own[name] ?? { type: 'string' }])),
  };
}
