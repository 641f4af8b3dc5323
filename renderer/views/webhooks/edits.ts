import { escapePointer } from '../../../emulator/contract/pointer.ts';

/** A JSON object whose fields are compared. */
interface Fields {
  readonly [name: string]: unknown;
}

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The JSON pointers where payloads differ, as deep as both have the fields. Fields only in `before` do not count. */
export function changedPointers(before: unknown, after: unknown, pointer = ''): readonly string[] {
  if (isFields(before) && isFields(after))
    return Object.entries(after).flatMap(([name, value]) =>
      changedPointers(before[name], value, `${pointer}/${escapePointer(name)}`),
    );
  return JSON.stringify(before) === JSON.stringify(after) ? [] : [pointer];
}

/** Applies the edits of an old base to a new base, where the new base has the field too. */
export function withEdits(oldBase: unknown, edited: unknown, base: unknown): unknown {
  if (!isFields(base) || !isFields(edited) || !isFields(oldBase))
    return JSON.stringify(oldBase) === JSON.stringify(edited) ? base : edited;
  return Object.fromEntries(
    Object.entries(base).map(([name, value]) => [
      name,
      name in edited && name in oldBase ? withEdits(oldBase[name], edited[name], value) : value,
    ]),
  );
}
