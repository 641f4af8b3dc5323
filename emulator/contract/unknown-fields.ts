import { distance } from 'fastest-levenshtein';
import type { Schema } from './schema.ts';
import { escapePointer } from './validate.ts';

/** A field of a value that its schema does not name. */
export interface UnknownField {
  /** JSON pointers to the field, and to the one that was probably meant; null if no name is similar. */
  readonly pointer: string;
  readonly nearest: string | null;
  readonly value: unknown;
}

interface Shape {
  readonly properties?: { readonly [name: string]: Shape };
  readonly additionalProperties?: boolean | Shape;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

/** More than a person reads. */
const most = 20;

/**
 * The fields of a value that its schema does not name, in the order of the value, at most 20. An object whose schema
 * names no field accepts any (custom properties).
 */
export function findUnknownFields(schema: Schema, value: unknown): readonly UnknownField[] {
  const found: UnknownField[] = [];
  walk(schema as Shape, value, '', found);
  return found;
}

function walk(shape: Shape, value: unknown, pointer: string, found: UnknownField[]): void {
  if (value === null || typeof value !== 'object' || found.length >= most) return;
  const shapes = toAlternatives(shape);
  if (Array.isArray(value)) {
    const items = shapes.flatMap((one) => (one.items ? [one.items] : []));
    if (!items.some(hasFields)) return;
    value.forEach((item, at) => walk({ anyOf: items }, item, `${pointer}/${at}`, found));
    return;
  }
  const objects = shapes.filter(({ properties, additionalProperties }) => properties ?? additionalProperties);
  const isOpen = objects.length === 0 || objects.some((one) => typeof one.additionalProperties === 'object');
  if (isOpen) return;
  const names = [...new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)))];
  for (const [name, inner] of Object.entries(value)) {
    const at = `${pointer}/${escapePointer(name)}`;
    if (!names.includes(name)) {
      const nearest = nearestOf(
        name,
        names.filter((one) => !Object.hasOwn(value, one)),
      );
      found.push({ pointer: at, nearest: nearest && `${pointer}/${escapePointer(nearest)}`, value: inner });
      continue;
    }
    const own = objects.flatMap(({ properties }) => (properties?.[name] ? [properties[name]] : []));
    walk({ anyOf: own }, inner, at, found);
  }
}

function toAlternatives(shape: Shape): readonly Shape[] {
  const inner = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].flatMap(toAlternatives);
  return [shape, ...inner];
}

function hasFields(shape: Shape): boolean {
  return toAlternatives(shape).some(({ properties, items }) => properties !== undefined || items !== undefined);
}

/** The most similar name, if no more than a third of its letters differ. */
function nearestOf(name: string, known: readonly string[]): string | null {
  const plain = name.toLowerCase().replaceAll(/[_-]/g, '');
  const far = (other: string): number => distance(plain, other.toLowerCase());
  const nearest = known.toSorted((one, other) => far(one) - far(other))[0];
  return nearest !== undefined && far(nearest) <= Math.ceil(nearest.length / 3) ? nearest : null;
}
