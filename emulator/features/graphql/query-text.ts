import {
  astFromValue,
  getLocation,
  getNullableType,
  isInputObjectType,
  isListType,
  print,
  type GraphQLInputType,
  type Location,
  type ObjectValueNode,
} from 'graphql';
import type { TextChange } from '../../contract/text-changes.ts';

/** The line and the column of a part of a query, as the facts by which the window and `explain` mark it. */
export function spotOf({ source, start }: Location): { readonly line: number; readonly column: number } {
  const { line, column } = getLocation(source, start);
  return { line, column };
}

export const replace = ({ start, end }: Location, text: string): TextChange => ({ start, end, text });
export const insert = (at: number, text: string): TextChange => ({ start: at, end: at, text });

/** Leaves out one of several parts, with what divides it from the one before it, or else from the next one. */
export function leaveOut(
  { start, end }: Location,
  all: readonly { readonly loc?: Location | undefined }[],
): TextChange {
  const before = all.findLast(({ loc }) => loc && loc.end <= start)?.loc;
  if (before) return { start: before.end, end, text: '' };
  const after = all.find(({ loc }) => loc && loc.start >= end)?.loc;
  return { start, end: after?.start ?? end, text: '' };
}

/** Adds a field to an object after its other fields. */
export function addField({ fields, loc }: ObjectValueNode, field: string): TextChange | null {
  const last = fields.at(-1)?.loc;
  if (last) return insert(last.end, `, ${field}`);
  return loc ? insert(loc.start + 1, field) : null;
}

/** A value as it is written in a query; null if it does not fit the type. */
export function toLiteral(value: unknown, type: GraphQLInputType): string | null {
  try {
    const node = astFromValue(value, type);
    return node ? print(node) : null;
  } catch {
    // A scalar that is an object, or an enum without such a value.
    return null;
  }
}

/** The type of a field or of an item of a value of this type; null if it has no such part. */
export function partType(type: GraphQLInputType | null, key: string): GraphQLInputType | null {
  const bare = type && getNullableType(type);
  if (isListType(bare)) return /^\d+$/.test(key) ? bare.ofType : partType(bare.ofType, key);
  return isInputObjectType(bare) ? (bare.getFields()[key]?.type ?? null) : null;
}
