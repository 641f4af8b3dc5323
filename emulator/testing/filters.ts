/** A filter as error messages name it. */
export function describeFilter(filter: object | ((one: never) => boolean)): string {
  if (typeof filter === 'function') return `for which ${filter.toString().replaceAll(/\s+/g, ' ').slice(0, 200)}`;
  const parts = Object.entries(filter).map(
    ([name, value]) => `${name} ${value instanceof RegExp ? String(value) : JSON.stringify(value)}`,
  );
  return parts.length === 0 ? 'of any kind' : `with ${parts.join(', ')}`;
}
