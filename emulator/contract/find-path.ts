/** Items of a list that are looked at in one step. */
const itemsPerStep = 64;

/**
 * The keys that lead to the first part of a value that is wanted; null if there is none. In steps, because a list may have
 * millions of items; the keys are put together only for what is found.
 * @param isWanted asked for each item of a list and each property, with its key, and the keys that lead to what it is in
 */
export function* findPath(
  value: object,
  isWanted: (key: string | number, value: unknown, parents: readonly (string | number)[]) => boolean,
  parents: (string | number)[] = [],
): Generator<void, readonly (string | number)[] | null, void> {
  // A list of millions of items has no list of their keys.
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
