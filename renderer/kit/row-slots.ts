/**
 * In which element each drawn row is: one that was drawn before stays in its own, one that was not gets that of a row
 * which is no longer drawn. To fill an element again takes less time than to make one.
 * @param rows the keys of the drawn rows, in order
 * @param before what this returned for the rows that were drawn before
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
