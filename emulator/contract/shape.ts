/**
 * Short forms of the JSON Schema values that stored records and the control API's replies are made of. Objects are
 * closed: a misspelt, missing or additional member is an error. They are plain schemas, so Ajv, the OpenAPI documents
 * and `Infer` read them like any other.
 */
import type { Infer, Schema } from './schema.ts';

type Properties = { readonly [name: string]: object };

/** The type of the values that a schema accepts, as the receiver sees them: read-only at every depth. */
export type View<S> = S extends Typed<infer T> ? T : Frozen<Infer<S>>;

declare const accepted: unique symbol;

/** A schema that is put together at run time, with the type of the values that it accepts. */
export interface Typed<T> {
  /** Carries the type; never present at run time. */
  readonly [accepted]: T;
}

type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;

export const text = { type: 'string' } as const;
export const integer = { type: 'integer' } as const;
/** A whole number from 0. */
export const count = { type: 'integer', minimum: 0, maximum: Number.MAX_SAFE_INTEGER } as const;
export const number = { type: 'number' } as const;
export const boolean = { type: 'boolean' } as const;
/** ISO 8601 in UTC, as this program writes it. */
export const time = { type: 'string', format: 'date-time' } as const;
/** Any value, null too. */
export const anyValue = {} as const;

/** An object with exactly these members; the second ones are optional. */
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

/** An object with a whole number under each of these names. */
export function counts<const Name extends string>(names: readonly Name[]): Counts<Name> {
  return object(Object.fromEntries(names.map((name) => [name, integer]))) as unknown as Counts<Name>;
}

interface Counts<Name extends string> {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly required: readonly Name[];
  readonly properties: { readonly [N in Name]: typeof integer };
}

/** The same object, open to unknown members, because a separate check refuses them with a better message. */
export function checkedLater<S extends object>(schema: S): S {
  return { ...schema, additionalProperties: true };
}

/** An object whose members are not described; `reason` says why. */
export function free(reason: string): { readonly type: 'object'; readonly 'x-reason': string } {
  return { type: 'object', 'x-reason': reason };
}

/** An object with any member names, whose values fit the schema. */
export function map<const S extends object>(values: S): { readonly type: 'object'; readonly additionalProperties: S } {
  return { type: 'object', additionalProperties: values };
}

/** A list of any length, also empty. */
export function list<const S extends object>(items: S): { readonly type: 'array'; readonly items: S } {
  return { type: 'array', items };
}

/** A list of exactly two items, which both fit the schema. OpenAPI 3.0 can say this too, unlike `prefixItems`. */
export function pair<const S extends object>(item: S): Pair<S> {
  return { type: 'array', items: item, minItems: 2, maxItems: 2 } as unknown as Pair<S>;
}

/** The form used before draft 2020-12, from which the types are inferred. */
interface Pair<S extends object> {
  readonly type: 'array';
  readonly items: readonly [S, S];
  readonly additionalItems: false;
  readonly minItems: 2;
}

/** The same schema, which also accepts null. */
export function nullable<const S extends object>(schema: S): Nullable<S> {
  const { type, enum: values } = schema as { readonly type?: string; readonly enum?: readonly unknown[] };
  const whole =
    typeof type === 'string'
      ? { ...schema, type: [type, 'null'], ...(values && { enum: [...values, null] }) }
      : { anyOf: [schema, { type: 'null' }] };
  return whole as unknown as Nullable<S>;
}

/**
 * A schema with a type stays one schema, so a misfit names what was expected; `anyOf` would only say that nothing fits.
 */
type Nullable<S extends object> = S extends { readonly type: infer T extends string }
  ? { readonly [K in keyof S]: K extends 'type' ? readonly [T, 'null'] : K extends 'enum' ? WithNull<S[K]> : S[K] }
  : { readonly anyOf: readonly [S, { readonly type: 'null' }] };

type WithNull<V> = V extends readonly unknown[] ? readonly [...V, null] : V;

/** One of these texts; case counts. */
export function oneOf<const V extends readonly string[]>(...values: V): { readonly type: 'string'; readonly enum: V } {
  return { type: 'string', enum: values };
}

/** Any value that at least one of the schemas accepts. */
export function either<const S extends readonly object[]>(...schemas: S): { readonly anyOf: S } {
  return { anyOf: schemas };
}

/** The same schema with a description, which is part of its type: the declarations of the test library show it. */
export function described<const D extends string, const S extends Schema>(description: D, schema: S): Described<D, S> {
  return { ...schema, description } as Described<D, S>;
}

/** Not an intersection: two different descriptions would make it `never`. */
type Described<D extends string, S> = {
  readonly [K in keyof S | 'description']: K extends 'description' ? D : S[K & keyof S];
};

/** The same schema without its formats: for values that were already checked when they came in. */
export function withoutFormats<S extends object>(schema: S): S {
  const entries = Object.entries(schema).flatMap(([name, value]: [string, unknown]) =>
    name === 'format' && typeof value === 'string' ? [] : [[name, isObject(value) ? withoutFormats(value) : value]],
  );
  return (Array.isArray(schema) ? schema : Object.fromEntries(entries)) as S;
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}
