import type { EditView } from '../../emulator/control/calls.ts';
import type { Violation } from './violation.ts';

type Request = Violation['request'];

/**
 * Applies a fix to a request, edit by edit, like the inspector's button.
 * @param template the path with the names of its parameters, such as `/webhooks/{webhookId}`, if it is known
 */
export function applyFix(request: Request, edits: readonly EditView[], template?: string): Request {
  return edits.reduce((changed, edit) => applyEdit(changed, edit, template), request);
}

function applyEdit(request: Request, edit: EditView, template: string | undefined): Request {
  if (edit.op === 'replace-body') {
    const { json: _json, raw: _raw, form: _form, ...rest } = request;
    return { ...rest, raw: edit.text, headers: { 'content-type': 'application/json', ...request.headers } };
  }
  const value = edit.op === 'set' ? edit.value : undefined;
  switch (edit.place.in) {
    case 'method':
      return { ...request, method: String(value) };
    case 'path':
      return {
        ...request,
        path:
          edit.place.at === ''
            ? stripBase(String(value))
            : replaceSegment(request.path, edit.place.at, String(value), template),
      };
    case 'header':
      return withHeader(request, edit.place.at, value === undefined ? undefined : String(value));
    case 'query':
      return { ...request, ...withQuery(request, edit.place.at, value) };
    case 'form':
      return {
        ...request,
        form: without(
          { ...request.form, ...(value === undefined ? {} : { [edit.place.at]: String(value) }) },
          value === undefined ? edit.place.at : null,
        ),
      };
    case 'body': {
      const { raw: _raw, ...rest } = request;
      const before = request.json ?? (request.raw === undefined ? {} : JSON.parse(request.raw.toString()));
      return { ...rest, json: withPointer(before, edit.place.at, edit) };
    }
  }
}

const stripBase = (path: string): string => path.replace(/^\/v1/, '');

/** A path parameter has no name in a concrete path: without a template, replaces the segment that is not one of the usual words. */
function replaceSegment(path: string, name: string, value: string, template: string | undefined): string {
  const segments = path.split('/');
  const names = template?.split('/');
  if (names) return segments.map((one, at) => (names[at] === `{${name}}` ? encodeURIComponent(value) : one)).join('/');
  const words = new Set([
    '',
    'v1',
    'webhooks',
    'coupons',
    'coupon-pool',
    'create',
    'product-catalog',
    'uploads',
    'privacy',
    'delete-request',
  ]);
  return segments.map((segment) => (words.has(segment) ? segment : encodeURIComponent(value))).join('/');
}

function withHeader(request: Request, name: string, value: string | undefined): Request {
  if (name === 'authorization')
    return {
      ...request,
      key: value === undefined ? null : value.replace(/^Bearer /, ''),
      headers: without({ ...request.headers }, 'authorization'),
    };
  return {
    ...request,
    headers: value === undefined ? without({ ...request.headers }, name) : { ...request.headers, [name]: value },
  };
}

function withQuery(request: Request, name: string, value: unknown): Partial<Request> {
  const [path = '', text = ''] = request.path.split('?');
  const query = { ...Object.fromEntries(new URLSearchParams(text)), ...request.query };
  return { path, query: value === undefined ? without(query, name) : { ...query, [name]: String(value) } };
}

function without(record: Record<string, string>, name: string | null): Record<string, string> {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key.toLowerCase() !== name?.toLowerCase()));
}

function withPointer(root: unknown, pointer: string, edit: EditView): unknown {
  if (pointer === '') return edit.op === 'set' ? edit.value : {};
  const copy = structuredClone(root ?? {});
  const keys = pointer
    .slice(1)
    .split('/')
    .map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = keys.pop() ?? '';
  let at = copy as Record<string, unknown>;
  for (const key of keys) at = (at[key] ??= {}) as Record<string, unknown>;
  if (edit.op === 'set') at[last] = edit.value;
  else if (Array.isArray(at)) at.splice(Number(last), 1);
  else delete at[last];
  return copy;
}
