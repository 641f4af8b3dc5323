/**
 * Short forms of the JSON Schema values that replies are made of. Objects are closed: a member that is misspelt, missing
 * or too many is a misfit. They are plain schemas, so Ajv, the OpenAPI documents and `Infer` read them like any other.
 */
import type { Infer, Schema } from './schema.ts';

type Properties = { readonly [name: string]: object };

/** What a schema accepts, as whoever receives it sees it: nothing in it can be changed. */
export type View<S> = Frozen<Infer<S>>;

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

export const text = { type: 'string' } as const;
export const integer = { type: 'integer' } as const;
export const number = { type: 'number' } as const;
export const boolean = { type: 'boolean' } as const;
/** ISO 8601 in UTC. */
export const time = { type: 'string', format: 'timestamp' } as const;
/** Any value, null too. */
export const anyValue = {} as const;

/** An object of exactly these members; the second ones may be left out. */
export function object<const P extends Properties, const O extends Properties = Record<never, never>>(
  required: P,
  optional?: O,
): {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly required: readonly (keyof P & string)[];
  readonly properties: P & O;
} {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(required),
    properties: { ...required, ...(optional as O) },
  };
}

/** The same object, whose further members a check of its own refuses, with a better sentence. */
export function checkedLater<S extends object>(schema: S): S {
  return { ...schema, additionalProperties: true };
}

/** An object of which nothing is said here; `reason` says why. */
export function free(reason: string): { readonly type: 'object'; readonly 'x-reason': string } {
  return { type: 'object', 'x-reason': reason };
}

/** Any names, each with a value of the schema. */
export function map<const S extends object>(values: S): { readonly type: 'object'; readonly additionalProperties: S } {
  return { type: 'object', additionalProperties: values };
}

export function list<const S extends object>(items: S): { readonly type: 'array'; readonly items: S } {
  return { type: 'array', items };
}

/** A list of exactly these, in this order. */
export function tuple<const S extends readonly object[]>(...items: S): Tuple<S> {
  const schema = { type: 'array', prefixItems: items, minItems: items.length, items: false };
  return schema as unknown as Tuple<S>;
}

/** As drafts before 2020-12 wrote it, which is what types are inferred from. */
interface Tuple<S extends readonly object[]> {
  readonly type: 'array';
  readonly items: S;
  readonly additionalItems: false;
  readonly minItems: S['length'];
}

export function nullable<const S extends object>(
  schema: S,
): { readonly anyOf: readonly [S, { readonly type: 'null' }] } {
  return { anyOf: [schema, { type: 'null' }] };
}

export function oneOf<const V extends readonly string[]>(...values: V): { readonly type: 'string'; readonly enum: V } {
  return { type: 'string', enum: values };
}

export function either<const S extends readonly object[]>(...schemas: S): { readonly anyOf: S } {
  return { anyOf: schemas };
}

/** The same schema with what it means. */
export function described<const S extends Schema>(
  description: string,
  schema: S,
): S & { readonly description: string } {
  return { ...schema, description };
}

/** The same schema without its formats: for what was checked by other ones when it came in. */
export function withoutFormats<S extends object>(schema: S): S {
  const entries = Object.entries(schema).flatMap(([name, value]: [string, unknown]) =>
    name === 'format' && typeof value === 'string' ? [] : [[name, isObject(value) ? withoutFormats(value) : value]],
  );
  return (Array.isArray(schema) ? schema : Object.fromEntries(entries)) as S;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
