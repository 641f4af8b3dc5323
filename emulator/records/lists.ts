/**
 * Lists in stored records, of which there may be hundreds of thousands. V8 makes a list by spreading
 * (`[...list, item]`) with room for 17 more items, and each `[]` is a separate object.
 */

/** The empty list, which all records share. */
export const none: readonly never[] = [];

/** The list with one more item, without spare room. */
export function withItem<T>(list: readonly T[], item: T): readonly T[] {
  return list.concat([item]);
}
