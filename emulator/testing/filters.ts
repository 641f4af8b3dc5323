import { types } from 'node:util';
import { UserError } from '../errors.ts';
import type { Expected } from './checks.ts';

/** A path that filters accept. */
export const anyPath = {
  takes: 'a path such as /me, or a RegExp',
  fits: (value: unknown) => types.isRegExp(value) || (typeof value === 'string' && value.startsWith('/')),
} satisfies Expected;

/** The URL of a request without its query. */
export function withoutQuery(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

/**
 * Whether a request has the path of a filter. A text with a query must match the query; without one, any query matches.
 */
export function fitsPath(url: string, path: string | RegExp): boolean {
  if (typeof path !== 'string') return withoutQuery(url).search(path) >= 0;
  return path === (path.includes('?') ? url : withoutQuery(url));
}

/**
 * Wraps the function of a filter, and checks what it returns.
 * @throws UserError for a result that is neither true nor false: the promise of an async function would fit everything
 */
export function toPredicate<One>(given: (one: One) => boolean): (one: One) => boolean {
  return (one) => {
    const answer: unknown = given(one);
    if (typeof answer === 'boolean') return answer;
    throw new UserError(
      types.isPromise(answer)
        ? 'The function of a filter answered a promise, which would fit everything. It cannot be async: make it return true or false.'
        : `The function of a filter answered ${answer === null ? 'null' : `a value of type ${typeof answer}`}. Make it return true or false.`,
    );
  };
}

/** Describes a filter in error messages. */
export function describeFilter(filter: object | ((one: never) => boolean)): string {
  if (typeof filter === 'function') return `for which ${filter.toString().replaceAll(/\s+/g, ' ').slice(0, 200)}`;
  const parts = Object.entries(filter).map(
    ([name, value]) => `${name} ${value instanceof RegExp ? String(value) : JSON.stringify(value)}`,
  );
  return parts.length === 0 ? 'of any kind' : `with ${parts.join(', ')}`;
}
