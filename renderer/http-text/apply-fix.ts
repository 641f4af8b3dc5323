import { applyEdits, modify, parse, type JSONPath } from 'jsonc-parser';
import { toNames } from '../../emulator/contract/pointer.ts';
import type { BytesView, EditView, PlaceView, RequestView } from '../../emulator/control/calls.ts';
import { decodePart } from './decode-part.ts';
import { nameOfField } from './form-lines.ts';
import { unlessTooDeep } from './json-lines.ts';

/** A request that can be sent: as it was recorded, or as the person edited it. */
export interface Draft {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Pick<BytesView, 'encoding' | 'data'> | null;
}

/** @param view the request with its credentials revealed; otherwise the copy would contain the mask */
export function toDraft(view: RequestView): Draft {
  const { body, headers } = view.request;
  const own = headers.filter(([name]) => !ofTheConnection.has(name.toLowerCase()));
  return {
    method: view.method,
    url: view.url,
    headers: own,
    body: body && body.bytes > 0 ? { encoding: body.encoding, data: body.data } : null,
  };
}

/** Returns why a recorded request cannot be sent again as it was, as a sentence; null if it can. */
export function bodyProblem({ request: { body, headers } }: RequestView): string | null {
  if (body?.truncated)
    return 'The end of the body was not recorded, so it cannot be sent again. Send the request from your app.';
  const valueOf = (wanted: string): string | undefined => headers.find(([name]) => name.toLowerCase() === wanted)?.[1];
  const isWhole = (body?.bytes ?? 0) >= Number(valueOf('content-length') ?? 0);
  return !isWhole || (body === null && valueOf('transfer-encoding') !== undefined)
    ? 'The body was not read to its end, so it cannot be sent again. Send the request from your app.'
    : null;
}

/** Headers that the sender sets again. */
const ofTheConnection = new Set(['host', 'connection', 'content-length', 'transfer-encoding', 'x-sandbox-send']);

/**
 * Returns the request after a fix, edit by edit. Everything else stays as it was; the body is kept to the byte.
 * @param refused the refused value, which tells which path segment an edit of a path parameter means
 */
export function applyFix(draft: Draft, edits: readonly EditView[], refused: unknown = null): Draft {
  return edits.reduce((changed, edit) => applyEdit(changed, edit, refused), draft);
}

function applyEdit(draft: Draft, edit: EditView, refused: unknown): Draft {
  if (edit.op === 'replace-body') return withBody(draft, edit.text, draft.headers);
  const { place } = edit;
  const value = edit.op === 'set' ? edit.value : undefined;
  switch (place.in) {
    case 'method':
      return { ...draft, method: String(value) };
    case 'header':
      return { ...draft, headers: withHeader(draft.headers, place.at, value === undefined ? null : String(value)) };
    case 'path':
      return { ...draft, url: withPath(draft.url, place, String(value), refused) };
    case 'query': {
      const [path = '', query = ''] = splitOnce(draft.url, '?');
      const changed = withParameter(query, place.at, value);
      return { ...draft, url: changed === '' ? path : `${path}?${changed}` };
    }
    case 'form':
      return withBody(draft, withParameter(textOf(draft), place.at, value), draft.headers, formType);
    case 'body':
      return withBody(draft, withPointer(textOf(draft), place.at, value), draft.headers);
  }
}

const formType = 'application/x-www-form-urlencoded';

function withBody(draft: Draft, data: string, headers: Draft['headers'], type = 'application/json'): Draft {
  const typed = headers.some(([name]) => name.toLowerCase() === 'content-type');
  // The new text is not compressed, even if the old one was.
  const plain = headers.filter(([name]) => name.toLowerCase() !== 'content-encoding');
  return { ...draft, headers: typed ? plain : [...plain, ['content-type', type]], body: { encoding: 'utf8', data } };
}

function withHeader(headers: Draft['headers'], name: string, value: string | null): Draft['headers'] {
  const at = headers.findIndex(([one]) => one.toLowerCase() === name.toLowerCase());
  const others = headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
  if (value === null) return others;
  return others.toSpliced(at === -1 ? others.length : at, 0, [headers[at]?.[0] ?? name, value]);
}

/** Replaces the whole path if the place has no name, else the refused segment. */
function withPath(url: string, { at }: PlaceView, value: string, refused: unknown): string {
  const [path = '', query] = splitOnce(url, '?');
  const tail = query === undefined ? '' : `?${query}`;
  if (at === '') return value.includes('?') ? value : value + tail;
  const segments = path.split('/');
  const index = segments.findLastIndex((segment) => [segment, decodePart(segment)].includes(String(refused)));
  return segments.with(index === -1 ? segments.length - 1 : index, encodeURIComponent(value)).join('/') + tail;
}

/** Sets or removes one field of a query or form. The other fields stay as they were written. */
function withParameter(text: string, name: string, value: unknown): string {
  const fields = text === '' ? [] : text.split('&');
  const first = fields.findIndex((field) => nameOfField(field) === name);
  const others = fields.filter((field) => nameOfField(field) !== name);
  if (value === undefined) return others.join('&');
  const own = new URLSearchParams([[name, typeof value === 'string' ? value : JSON.stringify(value)]]);
  return others.toSpliced(first === -1 ? others.length : first, 0, own.toString()).join('&');
}

/** Sets or removes the value of a pointer. A body that is nested too deeply for the stack stays as it is. */
function withPointer(text: string, pointer: string, value: unknown): string {
  return unlessTooDeep(() => setPointer(text, pointer, value), text);
}

function setPointer(text: string, pointer: string, value: unknown): string {
  const root = text.trim() === '' ? '{}' : text;
  const tree = parse(root) as unknown;
  const path = toJsonPath(tree, pointer);
  if (path.length === 0) return value === undefined ? '{}' : JSON.stringify(value);
  const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };
  // Format like the rest: a body on one line stays on one line.
  const edits = modify(
    root,
    path,
    likeBefore(valueAt(tree, path), value),
    /\n/.test(root) ? { formattingOptions } : {},
  );
  return applyEdits(root, edits);
}

/**
 * Writes a time like the previous value: without milliseconds if it had none, so that an equal time stays unchanged.
 */
function likeBefore(before: unknown, value: unknown): unknown {
  if (typeof before !== 'string' || typeof value !== 'string') return value;
  if (!/^\d{4}-\d\d-\d\dT[\d:]+Z$/.test(before) || !/^\d{4}-\d\d-\d\dT[\d:]+\.000Z$/.test(value)) return value;
  return value.replace('.000Z', 'Z');
}

function valueAt(tree: unknown, path: JSONPath): unknown {
  return path.reduce(
    (here, step) =>
      typeof here === 'object' && here !== null ? (here as { readonly [key: string]: unknown })[step] : undefined,
    tree,
  );
}

/** `/codes/0` → `['codes', 0]`: a segment is an index if its parent is an array. */
function toJsonPath(root: unknown, pointer: string): JSONPath {
  let here = root;
  return toNames(pointer).map((name) => {
    const step = Array.isArray(here) && /^(?:\d+|-)$/.test(name) ? (name === '-' ? here.length : Number(name)) : name;
    here = typeof here === 'object' && here !== null ? (here as { [key: string]: unknown })[step] : undefined;
    return step;
  });
}

/** Returns the body as text; '' if it is missing or not recorded as text. */
function textOf({ body }: Draft): string {
  return body?.encoding === 'utf8' ? body.data : '';
}

function splitOnce(text: string, at: string): readonly [string, string | undefined] {
  const index = text.indexOf(at);
  return index === -1 ? [text, undefined] : [text.slice(0, index), text.slice(index + 1)];
}
