import { toContract } from './contract-form.ts';
import { provenances, type Limits, type Provenance, type Schema } from './schema.ts';
import { boolean, described, nullable, object, oneOf, text, type View } from './shape.ts';

/** One field of a shape, as a table for readers lists it. */
export const field = object({
  name: described('The name with those of the fields around it: `user.email`, `subscriptions[].type`.', text),
  type: described('The type, such as `string`, `one of "TEXT", "EMAIL"`, `list of strings`.', text),
  required: boolean,
  provenance: described(
    'The source of the field; null for fields of records, which are Sandpiper’s own.',
    nullable(oneOf(...provenances)),
  ),
  says: described('The meaning of the field, its bounds, its default, or why it is assumed; may be empty.', text),
});
export type Field = View<typeof field>;

interface Shape {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly format?: string;
  readonly 'x-format'?: string;
  readonly description?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly additionalProperties?: boolean | Shape;
  readonly properties?: { readonly [name: string]: Shape };
  readonly required?: readonly string[];
  readonly 'x-provenance'?: Provenance;
  readonly 'x-reason'?: string;
  readonly 'x-limits'?: Limits;
}

/** The fields of an object, or of the objects in a list, with all fields inside them, in the order of the schema. */
export function toFields(schema: Schema): readonly Field[] {
  return fieldsOf(toContract(schema) as Shape, '');
}

function fieldsOf(shape: Shape, inside: string): readonly Field[] {
  if (shape.items) return fieldsOf(shape.items, `${inside}[]`);
  const own = Object.entries(shape.properties ?? {}).flatMap(([key, field]): readonly Field[] => {
    const name = inside === '' ? key : `${inside}.${key}`;
    return [toField(field, name, (shape.required ?? []).includes(key)), ...fieldsOf(field, name)];
  });
  const others = [...(shape.anyOf ?? []), ...(shape.oneOf ?? [])].flatMap((one) => fieldsOf(one, inside));
  const isNew = ({ name }: Field, at: number): boolean =>
    ![...own, ...others.slice(0, at)].some((one) => one.name === name);
  return [...own, ...others.filter(isNew)];
}

function toField(shape: Shape, name: string, required: boolean): Field {
  const { 'x-provenance': provenance = null, 'x-reason': reason = '', 'x-limits': limits } = shape;
  const says = [shape.description ?? '', ...toBounds(shape), limits?.reason ?? '', reason]
    .filter((text) => text !== '')
    .map(toSentence);
  return { name, type: toType(shape), required, provenance, says: says.join(' ') };
}

function toBounds({ minLength, maxLength, minimum, 'x-format': own, format = own }: Shape): readonly string[] {
  return [
    minLength === undefined || minLength === 0 ? '' : `At least ${toCharacters(minLength)}.`,
    maxLength === undefined ? '' : `At most ${toCharacters(maxLength)}.`,
    minimum === undefined ? '' : `${minimum} or more.`,
    format === undefined ? '' : `Format: ${formats[format] ?? format}.`,
  ];
}

const formats: { readonly [format: string]: string } = {
  e164: 'E.164',
  'date-time': 'ISO 8601 in UTC',
  timestamp: 'ISO 8601',
  uri: 'URL',
  'http-url': 'an http or https URL',
  email: 'an email address',
  'idn-email': 'an email address',
};

function toType(shape: Shape): string {
  if (shape.const !== undefined) return JSON.stringify(shape.const);
  if (shape.enum) return `one of ${shape.enum.map((value) => JSON.stringify(value)).join(', ')}`;
  const alternatives = shape.anyOf ?? shape.oneOf;
  if (alternatives) return [...new Set(alternatives.map(toType))].join(' or ');
  if (shape.type === undefined) return 'any';
  const types = typeof shape.type === 'string' ? [shape.type] : shape.type;
  return types.map((type) => (type === 'array' && shape.items ? `list of ${toMany(shape.items)}` : type)).join(' or ');
}

function toMany(items: Shape): string {
  const type = toType(items);
  return /^[a-z]+$/.test(type) ? `${type}s` : type;
}

function toCharacters(count: number): string {
  return `${count} character${count === 1 ? '' : 's'}`;
}

function toSentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}
