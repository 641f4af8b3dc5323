/** The values that a person filled in for an operation, and the request made from them. Pure. */
import type { Draft } from '../../http-text/apply-fix.ts';
import { decodePart } from '../../http-text/decode-part.ts';
import { toHeaderBytes } from '../../http-text/header-text.ts';
import type { Contract, Operation } from './contract.ts';
import { exampleOf, hintOf } from './schema.ts';

export interface Filled {
  /** Texts by name, for the path and the query; '' is left out. */
  readonly path: { readonly [name: string]: string };
  readonly query: { readonly [name: string]: string };
  /** Further headers. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The body in the form; undefined sends none. */
  readonly body: unknown;
  /** The text in the editor, if that is used instead of the form. It is sent unchanged, even if it is not JSON. */
  readonly text: string | null;
}

/** A request that should be accepted, from the contract's examples. `known` has existing ids by parameter. */
export function toExample(
  { parameters, body, redirects }: Operation,
  known: { readonly [name: string]: string } = {},
): Filled {
  const path = parameters.filter((one) => one.in === 'path');
  // Optional query parameters are alternatives, so the first one is enough.
  const queries = parameters.filter((one) => one.in === 'query');
  const needed = queries.some(({ required }) => required)
    ? queries.filter(({ required }) => required)
    : queries.slice(0, 1);
  return {
    path: Object.fromEntries(path.map(({ name, schema }) => [name, known[name] ?? hintOf(schema)])),
    query: Object.fromEntries(needed.map(({ name, schema }) => [name, hintOf(schema)])),
    headers: redirects ? [['accept', 'text/html']] : [],
    body: body ? exampleOf(body.schema) : undefined,
    text: null,
  };
}

/**
 * Converts a recorded request for the form. A body that is not JSON stays text.
 * @param url with the root, such as `/v1/me`
 * @param exact whether a body also stays text if the form would write other bytes
 */
export function toSent(
  operation: Operation,
  root: string,
  { url, text, exact = false }: { readonly url: string; readonly text: string | null; readonly exact?: boolean },
): Filled {
  const { body } = operation;
  const { searchParams } = new URL(url, 'http://localhost');
  const filled = { path: pathOf(operation, root, url) ?? {}, query: Object.fromEntries(searchParams), headers: [] };
  if (!body || text === null) return { ...filled, body: undefined, text: null };
  try {
    const value = body.type === 'json' ? (JSON.parse(text) as unknown) : Object.fromEntries(new URLSearchParams(text));
    const inForm = { ...filled, body: value, text: null };
    return !exact || toBodyText(operation, inForm) === text ? inForm : { ...inForm, text };
  } catch {
    return { ...filled, body: undefined, text };
  }
}

/** The values of the path's parameters in a URL; null if it is not a URL of the operation. */
export function pathOf({ path: template }: Operation, root: string, url: string): Filled['path'] | null {
  const { pathname } = new URL(url, 'http://localhost');
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const pattern = template.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{[^}]+\}/g, '([^/]*)');
  const values = pathname.startsWith(`${root}/`) ? new RegExp(`^${pattern}$`).exec(pathname.slice(root.length)) : null;
  return values && Object.fromEntries(names.map((name, at) => [name, decodePart(values[at + 1] ?? '')]));
}

/** A sentence about a missing path parameter, without which the request cannot be sent; null if none is missing. */
export function missingOf({ parameters }: Operation, { path }: Filled): string | null {
  const missing = parameters.find(({ name, in: where }) => where === 'path' && (path[name] ?? '') === '');
  return missing ? `${missing.name} is part of the path, so it cannot be empty.` : null;
}

/** The content type of a body, unless a header of the input sets another one. */
export function contentTypeOf({ body }: Operation): string {
  return body?.type === 'form' ? 'application/x-www-form-urlencoded' : 'application/json';
}

/** The body as it is sent; null for none. */
export function toBodyText({ body }: Operation, { body: value, text }: Filled): string | null {
  if (!body) return null;
  if (text !== null) return text;
  if (value === undefined) return null;
  if (body.type === 'json') return JSON.stringify(value, null, 2);
  const pairs = Object.entries((value ?? {}) as { readonly [name: string]: unknown }).flatMap(([name, one]) =>
    (Array.isArray(one) ? one : [one]).map((each) => [name, String(each)]),
  );
  return new URLSearchParams(pairs).toString();
}

/** The path without the root. A parameter that is not filled in keeps its name: `/webhooks/{webhookId}`. */
export function toPath(operation: Operation, filled: Filled | null): string {
  return operation.path.replaceAll(/\{([^}]+)\}/g, (whole, name: string) => {
    const value = filled?.path[name] ?? '';
    return value === '' ? whole : encodeURIComponent(value);
  });
}

/** Makes the request. With a null `key` it has no authorization. */
export function toDraft({ root }: Contract, operation: Operation, filled: Filled, key: string | null): Draft {
  const query = new URLSearchParams(Object.entries(filled.query).filter(([, value]) => value !== '')).toString();
  const text = toBodyText(operation, filled);
  const own = filled.headers.filter(([name]) => name.trim() !== '');
  const has = (wanted: string): boolean => own.some(([name]) => name.trim().toLowerCase() === wanted);
  return {
    method: operation.method,
    url: `${root}${toPath(operation, filled)}${query === '' ? '' : `?${query}`}`,
    headers: [
      ...(key !== null && operation.takesKey && !has('authorization')
        ? [['authorization', `Bearer ${key}`] as const]
        : []),
      ...(text !== null && !has('content-type') ? [['content-type', contentTypeOf(operation)] as const] : []),
      ...own.map(([name, value]) => [name.trim(), toHeaderBytes(value)] as const),
    ],
    body: text === null ? null : { encoding: 'utf8', data: text },
  };
}
