/**
 * Assigns each drawn row to an element. A row that was drawn before keeps its element; a new one gets the element of a
 * row that is no longer drawn. Reusing an element is faster than creating one.
 * @param rows the keys of the drawn rows, in order
 * @param before the previous result
 */
export function toSlots(
  rows: readonly PropertyKey[],
  before: ReadonlyMap<PropertyKey, number> = new Map(),
): ReadonlyMap<PropertyKey, number> {
  const drawn = new Set(rows);
  const free = [...before].filter(([row]) => !drawn.has(row)).map(([, slot]) => slot);
  let next = Math.max(-1, ...before.values()) + 1;
  return new Map(rows.map((row) => [row, before.get(row) ?? free.shift() ?? next++]));
}
