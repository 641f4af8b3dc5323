import type { Schema } from './schema.ts';

type Json = { readonly [key: string]: unknown };

/**
 * A schema as the contract shows it, in the form that code generators read correctly:
 * - `x-contract` instead of values that are only read so that a rule can refuse them;
 * - an object schema without members is open, because it would become a type without members;
 * - several types are alternatives, because converters to OpenAPI 3.0 read only one type, or one and null;
 * - a pattern instead of the format of a text that may also be empty, because validators would refuse an empty one;
 * - emails have the format of addresses in any script, because validators know the other one as one of ASCII;
 * - a default is described in words, because a member with a default would become a required member of requests.
 */
export function toContract(schema: Schema): Json {
  return toShown(schema) as Json;
}

/** Keywords whose value is one schema, a list of them, or a table of them by name. */
const inner = { one: ['items', 'additionalProperties'], list: ['anyOf', 'oneOf', 'allOf'], table: ['properties'] };

/** The texts of a format, roughly: the format itself is checked by a function. */
const forms: { readonly [format: string]: string } = {
  e164: String.raw`\+[1-9]\d{6,14}`,
  email: String.raw`[^\s@]+@[^\s@]+`,
  timestamp: String.raw`[+-]?\d[\d-]*[Tt]\d[\d:.,]*(?:[Zz]|[+-]\d[\d:]*)?`,
};

function toShown(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const { 'x-contract': shown, default: fallback, ...read } = value as Record<string, unknown>;
  const schema: Record<string, unknown> = { ...read, ...(shown as object | undefined) };
  if (fallback !== undefined)
    schema['description'] = [schema['description'], `Default: ${JSON.stringify(fallback)}.`].filter(Boolean).join(' ');
  const { format, 'x-or-empty': mayBeEmpty } = schema as { readonly format?: string; readonly 'x-or-empty'?: true };
  if (mayBeEmpty) {
    Object.assign(schema, { format: undefined, 'x-or-empty': undefined, 'x-format': format });
    schema['pattern'] ??= String.raw`^(?:\s*|${forms[format ?? '']})$`;
  } else if (format === 'email') schema['format'] = 'idn-email';
  for (const key of Object.keys(schema)) {
    if (schema[key] === undefined) delete schema[key];
    else if (inner.one.includes(key)) schema[key] = toShown(schema[key]);
    else if (inner.list.includes(key)) schema[key] = (schema[key] as unknown[]).map(toShown);
    else if (inner.table.includes(key)) schema[key] = mapValues(schema[key] as Json, toShown);
  }
  if (Array.isArray(schema['type']) && schema['type'].filter((type) => type !== 'null').length > 1) {
    const { type: types, ...rest } = schema as { readonly type: readonly string[] };
    return { ...rest, anyOf: types.map((type) => ({ type })) };
  }
  const isObject = schema['type'] === 'object' || (Array.isArray(schema['type']) && schema['type'].includes('object'));
  const isClosed = ['properties', 'additionalProperties', 'anyOf', 'oneOf', 'allOf'].some((key) => key in schema);
  return isObject && !isClosed ? { ...schema, additionalProperties: true } : schema;
}

/** The table with each of its values mapped. */
export function mapValues(table: Json, map: (value: unknown) => unknown): Json {
  return Object.fromEntries(Object.entries(table).map(([name, value]) => [name, map(value)]));
}
