import { splitName } from '../../emulator/control/call.ts';
import { calls, streams } from '../../emulator/control/calls.ts';
import type { RefusalView } from '../../emulator/control/calls.ts';
import type { Violation } from './violation.ts';

interface Operation {
  readonly method: string;
  readonly path: string;
}

const ofControl: readonly Operation[] = [...Object.keys(calls), ...Object.keys(streams)].map(splitName);

/**
 * What is wrong with the place that a refusal names: it has to be in the request that was sent, or to be where something
 * that is missing would be. Null if nothing is.
 */
export function wrongPlace(
  { place: { in: kind, at }, value }: RefusalView,
  request: Violation['request'],
  operations: readonly Operation[],
): string | null {
  const isMissing = value === null;
  const lacks = (what: string): string => `The request has no ${what} "${at}".`;
  const { searchParams } = new URL(request.path, 'http://localhost');
  switch (kind) {
    case 'method':
      return at === '' ? null : 'A method has no places in it.';
    case 'path': {
      const names = [...operations, ...ofControl]
        .filter((one) => isAt(one, request))
        .flatMap(({ path }) => namesIn(path));
      return at === '' || names.includes(at) ? null : lacks('parameter of the path');
    }
    case 'query':
      return isMissing || searchParams.has(at) || at in (request.query ?? {}) ? null : lacks('parameter of the query');
    case 'header': {
      const key = 'key' in request && request.key === null ? {} : { authorization: '' };
      const names = Object.keys({ ...key, ...request.headers }).map((name) => name.toLowerCase());
      return isMissing || names.includes(at) ? null : lacks('header');
    }
    case 'form':
      return isMissing || toForm(request).has(at) ? null : lacks('field of the form');
    case 'body':
      return hasPointer(toBody(request), at) ? null : lacks('place in the body');
  }
}

function isAt({ method, path }: Operation, request: Violation['request']): boolean {
  const pattern = path.replaceAll(/\{[^}]+\}/g, '[^/]+');
  const { pathname } = new URL(request.path, 'http://localhost');
  return method === request.method && new RegExp(`^${pattern}$`).test(pathname);
}

function namesIn(path: string): readonly string[] {
  return [...path.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
}

function toForm({ form, raw }: Violation['request']): URLSearchParams {
  return new URLSearchParams(form ?? String(raw ?? ''));
}

function toBody({ json, raw }: Violation['request']): unknown {
  if (json !== undefined || raw === undefined) return json;
  try {
    return JSON.parse(String(raw)) as unknown;
  } catch {
    return undefined;
  }
}

/** Whether the value has the place, or its parent, in which the last name is missing. */
function hasPointer(root: unknown, pointer: string): boolean {
  if (pointer === '') return true;
  const names = pointer
    .slice(1)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  const last = names.pop() ?? '';
  let at = root;
  for (const name of names) {
    if (!isObject(at) || !Object.hasOwn(at, name)) return false;
    at = at[name];
  }
  return isObject(at) && (!Array.isArray(at) || Number(last) < at.length);
}

function isObject(value: unknown): value is { readonly [name: string]: unknown } {
  return typeof value === 'object' && value !== null;
}
