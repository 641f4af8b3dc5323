import { distance } from 'fastest-levenshtein';
import type { Schema } from './schema.ts';
import { withSameWords } from './meant.ts';
import { escapePointer } from './pointer.ts';

/** A field of a value that its schema does not name. */
export interface UnknownField {
  /** JSON pointers to the field, and to the one that was probably meant; null if no name is similar. */
  readonly pointer: string;
  readonly nearest: string | null;
  /** The fields that its object may have. */
  readonly known: readonly string[];
  readonly value: unknown;
}

interface Shape {
  readonly type?: string | readonly string[];
  readonly properties?: { readonly [name: string]: Shape };
  readonly additionalProperties?: boolean | Shape;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

/** Reports at most this many fields: a person does not read more. */
export const mostUnknown = 20;

/** The fields that a schema names, put together from its alternatives. */
interface Known {
  /** The fields of an object; null if it may have any. */
  readonly fields: ReadonlyMap<string, Known> | null;
  /** The items of a list; null if they have no fields. */
  readonly items: Known | null;
  /** Whether the schema takes objects, and whether it takes anything else. */
  readonly takes: { readonly objects: boolean; readonly others: boolean };
}

const compiled = new WeakMap<object, Known>();

/**
 * The fields of a value that its schema does not name, in the order of the value, at most 20. An object whose schema
 * names no field accepts any (custom properties).
 */
export function findUnknownFields(schema: Schema, value: unknown): readonly UnknownField[] {
  let known = compiled.get(schema);
  if (!known) compiled.set(schema, (known = toKnown([schema as Shape])));
  const found: UnknownField[] = [];
  walk(known, value, null, found);
  return found;
}

function toKnown(of: readonly Shape[]): Known {
  const shapes = of.flatMap(toAlternatives);
  const items = shapes.flatMap((one) => (one.items ? [one.items] : []));
  const objects = shapes.filter(({ properties, additionalProperties }) => properties ?? additionalProperties);
  const isOpen = objects.length === 0 || objects.some((one) => typeof one.additionalProperties === 'object');
  const types = shapes.flatMap(({ type = [] }) => type).filter((type) => type !== 'null');
  const names = [...new Set(objects.flatMap(({ properties = {} }) => Object.keys(properties)))];
  const own = (name: string) => objects.flatMap(({ properties }) => (properties?.[name] ? [properties[name]] : []));
  return {
    fields: isOpen ? null : new Map(names.map((name) => [name, toKnown(own(name))])),
    items: items.some(hasFields) ? toKnown(items) : null,
    takes: {
      objects: types.length === 0 || types.includes('object'),
      others: types.length === 0 || types.some((type) => type !== 'object'),
    },
  };
}

/** The place of a value. It becomes a pointer only for an unknown field, which is rare. */
interface Place {
  readonly above: Place | null;
  readonly name: string;
}

function walk({ fields, items }: Known, value: unknown, place: Place | null, found: UnknownField[]): void {
  if (value === null || typeof value !== 'object' || found.length >= mostUnknown) return;
  if (Array.isArray(value)) {
    if (items) for (const [at, item] of value.entries()) walk(items, item, { above: place, name: String(at) }, found);
    return;
  }
  if (fields === null) return;
  const sent = value as { readonly [name: string]: unknown };
  for (const name of Object.keys(sent)) {
    const inner = sent[name];
    const known = fields.get(name);
    if (known) {
      if (typeof inner === 'object') walk(known, inner, { above: place, name }, found);
      continue;
    }
    if (found.length >= mostUnknown) return;
    const nearest = nearestOf(
      name,
      [...fields].filter(([one, { takes }]) => !isGiven(sent[one]) && canTake(takes, inner)).map(([one]) => one),
    );
    const pointer = toPointer({ above: place, name });
    found.push({
      pointer,
      nearest: nearest && toPointer({ above: place, name: nearest }),
      known: [...fields.keys()],
      value: inner,
    });
  }
}

/** Whether a value can be meant for a field: a text is not an object, and an object is not a text. */
function canTake({ objects, others }: Known['takes'], value: unknown): boolean {
  if (value === null) return true;
  return typeof value === 'object' && !Array.isArray(value) ? objects : others;
}

function toPointer(place: Place | null): string {
  return place === null ? '' : `${toPointer(place.above)}/${escapePointer(place.name)}`;
}

function toAlternatives(shape: Shape): readonly Shape[] {
  const inner = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].flatMap(toAlternatives);
  return [shape, ...inner];
}

function hasFields(shape: Shape): boolean {
  return toAlternatives(shape).some(({ properties, items }) => properties !== undefined || items !== undefined);
}

/** Whether a field has a value: some clients send null, or an empty text, for a field without one. */
export function isGiven(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() !== '' : value !== undefined && value !== null;
}

/** The longest name that is compared: the time grows with the length, and no known name is as long. */
const comparedLength = 200;

/**
 * The name that was probably meant: the most similar one, if at most a third of its letters differ, or one letter; else
 * the only one that begins or ends with the same words.
 */
export function nearestOf(name: string, known: readonly string[]): string | null {
  if (name.length > comparedLength) return null;
  const word = toPlain(name);
  let nearest: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const other of known) {
    const plain = toPlain(other);
    const found = mistakes(word, plain);
    if (found >= fewest || found > Math.max(1, Math.floor(plain.length / 3))) continue;
    [nearest, fewest] = [other, found];
  }
  return nearest ?? withSameWords(name, known);
}

const toPlain = (name: string): string => name.toLowerCase().replaceAll(/[_-]/g, '');

/** How many letters are wrong, missing or too many; two that changed places are one mistake. */
function mistakes(word: string, other: string): number {
  const far = distance(word, other);
  return far === 2 && [...word].toSorted().join('') === [...other].toSorted().join('') ? 1 : far;
}
