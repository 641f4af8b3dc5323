import type { FromSchema, JSONSchema } from 'json-schema-to-ts';

/** A JSON Schema value (draft 2020-12 subset that Ajv and OpenAPI 3.1 share). `Infer` gives its static type. */
export type Schema = JSONSchema & object;

/** The static type of the values that a schema accepts. */
export type Infer<S> = S extends Schema ? FromSchema<S, { keepDefaultedPropertiesOptional: true }> : undefined;

/**
 * Where a shape comes from. `documented`: the specification says it; `observed`: public clients and the platform's
 * public descriptions show it; `assumed`: our own choice, with a reason.
 */
export const provenances = ['documented', 'observed', 'assumed'] as const;
export type Provenance = (typeof provenances)[number];

/** Where a shape or a rule comes from. `reason` says why it is assumed, and is empty if it is not. */
export interface Origin {
  readonly provenance: Provenance;
  readonly reason: string;
}

/** Tags a schema as stated by the specification. */
export function documented<const S extends Schema>(schema: S): S {
  return { ...schema, 'x-provenance': 'documented' };
}

/** Tags a schema as seen in public descriptions or working clients, not in the specification. */
export function observed<const S extends Schema>(schema: S): S {
  return { ...schema, 'x-provenance': 'observed' };
}

/** Tags a schema as our own choice; `reason` says why this one. */
export function assumed<const S extends Schema>(schema: S, reason: string): S {
  return { ...schema, 'x-provenance': 'assumed', 'x-reason': reason };
}

/** The origin of some keywords of a schema that limit its values. */
export interface Limits extends Origin {
  readonly keywords: readonly string[];
}

/**
 * Adds keywords that limit the values of a schema, such as minLength, and that come from elsewhere than the schema
 * itself. `reason` says why they are our own choice; without it they are observed.
 */
export function withLimits<const S extends Schema, const L extends Schema>(schema: S, limits: L, reason = ''): S & L {
  const provenance = reason === '' ? 'observed' : 'assumed';
  return { ...schema, ...limits, 'x-limits': { keywords: Object.keys(limits), provenance, reason } satisfies Limits };
}

/**
 * Tags a schema that accepts more than the contract, so that a rule can refuse the rest with its own message.
 * `contract` replaces keywords of the schema in the documents; undefined removes a keyword.
 */
export function readsMore<const S extends Schema>(schema: S, contract: { readonly [keyword: string]: unknown }): S {
  return { ...schema, 'x-contract': contract };
}

/** The same for a text that has a format, or is empty, which counts as left out. */
export function orEmpty<const S extends Schema>(
  schema: S,
  contract: { readonly format: string; readonly [keyword: string]: unknown },
): S {
  return readsMore(schema, { ...contract, 'x-or-empty': true });
}

/** A schema as it is in the contract, without the values that are read only so that a rule can refuse them. */
export function contractOf(schema: Schema): Schema {
  return { ...schema, ...(schema as { readonly 'x-contract'?: object })['x-contract'] } as Schema;
}

/** The keywords of a schema that values are made from. */
export interface Shape {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly items?: Shape;
  readonly minItems?: number;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: Shape };
}

/** The smallest value that a schema accepts, taken from its examples if it has any. For documents and messages. */
export function exampleOf(schema: Schema | Shape): unknown {
  const shape = schema as Shape;
  if (shape.const !== undefined) return shape.const;
  if (shape.examples?.length) return shape.examples[0];
  if (shape.enum) return shape.enum[0];
  if (shape.default !== undefined) return shape.default;
  const alternative = shape.anyOf?.[0] ?? shape.oneOf?.[0];
  if (alternative) return exampleOf(alternative);
  const type = typeof shape.type === 'string' ? shape.type : shape.type?.[0];
  switch (type) {
    case 'object':
      return Object.fromEntries(
        (shape.required ?? []).map((name) => [name, exampleOf(shape.properties?.[name] ?? {})]),
      );
    case 'array':
      return Array.from({ length: shape.minItems ?? 0 }, () => exampleOf(shape.items ?? {}));
    case 'integer':
    case 'number':
      return shape.minimum ?? 1;
    case 'boolean':
      return true;
    case 'null':
      return null;
    default:
      return exampleText(shape);
  }
}

const exampleTexts: { readonly [format: string]: string } = {
  e164: '+15555550100',
  email: 'ada@example.com',
  timestamp: '2026-12-01T00:00:00Z',
  'date-time': '2026-12-01T00:00:00.000Z',
  'http-url': 'https://example.com/',
};

function exampleText(shape: Shape): string {
  return exampleTexts[shape.format ?? ''] ?? 'example'.padEnd(shape.minLength ?? 0, 'x');
}
