/** The facts about a schema that a form needs. Pure. */
import type { Schema } from '../../live/backend/api-document.ts';

/** One of the shapes that a value may have, with the word for it. */
export interface Variant {
  readonly word: string;
  readonly schema: Schema;
}

const words: { readonly [type: string]: string } = {
  array: 'list',
  object: 'object',
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
};

/** The shapes that a value may have, except null: one, unless the contract allows several. */
export function variantsOf(schema: Schema): readonly Variant[] {
  const alternatives = schema.oneOf ?? schema.anyOf;
  if (alternatives)
    return alternatives.flatMap((one) => variantsOf(one)).filter(({ schema: { type } }) => type !== 'null');
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length === 0) return [{ word: 'anything', schema }];
  return types.map((type) => ({ word: words[type] ?? type, schema: { ...schema, type } }));
}

/** Whether the schema allows null. */
export function takesNull(schema: Schema): boolean {
  return typesOf(schema).includes('null') || [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].some(takesNull);
}

function typesOf({ type }: Schema): readonly string[] {
  return type === undefined ? [] : typeof type === 'string' ? [type] : type;
}

/** The index of the variant that a value has; 0 if it has none of them. */
export function variantOf(variants: readonly Variant[], value: unknown): number {
  const type = Array.isArray(value) ? 'array' : typeof value;
  const found = variants.findIndex(
    ({ schema }) => schema.type === type || (type === 'number' && schema.type === 'integer'),
  );
  return Math.max(0, found);
}

/** The control for a value of one variant. `free` is the JSON editor, for a schema that says too little for fields. */
export type Control = 'choice' | 'switch' | 'number' | 'text' | 'lines' | 'list' | 'fields' | 'free';

export function controlOf(schema: Schema): Control {
  if (schema.enum) return 'choice';
  switch (schema.type) {
    case 'boolean':
      return 'switch';
    case 'integer':
    case 'number':
      return 'number';
    case 'string':
      return 'text';
    case 'array':
      return schema.items?.type === 'string' && !schema.items.enum ? 'lines' : schema.items ? 'list' : 'free';
    case 'object':
      return schema.properties ? 'fields' : 'free';
    default:
      return 'free';
  }
}

/** The smallest value that fits, made from the contract's examples. */
export function exampleOf(schema: Schema): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.examples && schema.examples.length > 0) return schema.examples[0];
  if (schema.enum) return schema.enum[0];
  if (schema.default !== undefined) return schema.default;
  const [variant] = variantsOf(schema);
  if (!variant) return null;
  if (variant.schema !== schema && typeof schema.type !== 'string') return exampleOf(variant.schema);
  const { type, required = [], properties = {}, items = {}, minItems = 0, minimum = 1 } = schema;
  if (type === 'object') return Object.fromEntries(required.map((name) => [name, exampleOf(properties[name] ?? {})]));
  if (type === 'array') return Array.from({ length: Math.max(1, minItems) }, () => exampleOf(items));
  if (type === 'integer' || type === 'number') return minimum;
  return type === 'boolean' ? true : 'example';
}

/** The example as a hint in an empty field; '' if there is none. */
export function hintOf({ examples, default: given }: Schema): string {
  const value = given ?? examples?.[0];
  return value === undefined || typeof value === 'object' ? '' : String(value);
}

/** What a pattern asks for, with an example that fits it. */
const kinds: readonly (readonly [word: string, example: string])[] = [
  ['a phone number', '+15555550100'],
  ['an email address', 'ada@example.com'],
];

/** Describes a pattern in words, because few read it at a glance; undefined if only the pattern says what is wanted. */
function sayPattern({ pattern, examples = [] }: Schema): string | undefined {
  if (pattern === undefined) return undefined;
  const fits = (text: string): boolean => new RegExp(pattern, 'u').test(text);
  const kind = fits('x') ? undefined : kinds.find(([, example]) => fits(example));
  if (kind) return `${kind[0]} such as ${kind[1]}`;
  return examples.length > 0 ? `such as ${String(examples[0])}` : undefined;
}

/** Describes the allowed values in a few words: `text, a phone number such as +15555550100`. */
export function sayType(schema: Schema): string {
  const shapes = [...variantsOf(schema).map(({ word }) => word), ...(takesNull(schema) ? ['null'] : [])];
  const limits = [
    schema.format,
    sayPattern(schema),
    schema.minimum === undefined ? undefined : `from ${schema.minimum}`,
    schema.maxLength === undefined ? undefined : `at most ${schema.maxLength} characters`,
    schema.minItems === undefined ? undefined : `at least ${schema.minItems}`,
  ];
  return [
    schema.enum ? 'one of' : [...new Set(shapes)].join(' or '),
    ...limits.filter((one) => one !== undefined),
  ].join(', ');
}
