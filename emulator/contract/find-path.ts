/** List items that are examined in one step. */
const itemsPerStep = 64;

/**
 * The keys that lead to the first wanted part of a value; null if there is none. Works in steps, because a list may
 * have millions of items. The path is put together only for a match.
 * @param isWanted called for each item of a list and each property, with its key, its value and the keys of its parents
 */
export function* findPath(
  value: object,
  isWanted: (key: string | number, value: unknown, parents: readonly (string | number)[]) => boolean,
  parents: (string | number)[] = [],
): Generator<void, readonly (string | number)[] | null, void> {
  // For a list, no array of keys is made: it may have millions of items.
  const keys = Array.isArray(value) ? null : Object.keys(value);
  const { length } = keys ?? (value as readonly unknown[]);
  for (let at = 0; at < length; at++) {
    if (keys !== null || at % itemsPerStep === 0) yield;
    const key = keys?.[at] ?? at;
    const inner = (value as { readonly [key: string | number]: unknown })[key];
    if (isWanted(key, inner, parents)) return [key];
    if (typeof inner !== 'object' || inner === null) continue;
    parents.push(key);
    const path = yield* findPath(inner, isWanted, parents);
    parents.pop();
    if (path !== null) return [key, ...path];
  }
  return null;
}
