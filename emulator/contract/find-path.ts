/** Items of a list that are looked at in one step. */
const itemsPerStep = 64;

/**
 * The keys that lead to the first part of a value that is wanted; null if there is none. In steps, because a list may have
 * millions of items; the keys are put together only for what is found.
 * @param isWanted asked for each item of a list and each property, with its key, and how many keys lead to it
 */
export function* findPath(
  value: object,
  isWanted: (key: string | number, value: unknown, depth: number) => boolean,
  depth = 1,
): Generator<void, readonly (string | number)[] | null, void> {
  // A list of millions of items has no list of their keys.
  const keys = Array.isArray(value) ? null : Object.keys(value);
  const { length } = keys ?? (value as readonly unknown[]);
  for (let at = 0; at < length; at++) {
    if (keys !== null || at % itemsPerStep === 0) yield;
    const key = keys?.[at] ?? at;
    const inner = (value as { readonly [key: string | number]: unknown })[key];
    if (isWanted(key, inner, depth)) return [key];
    if (typeof inner !== 'object' || inner === null) continue;
    const path = yield* findPath(inner, isWanted, depth + 1);
    if (path !== null) return [key, ...path];
  }
  return null;
}
