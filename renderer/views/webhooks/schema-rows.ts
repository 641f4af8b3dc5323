import { escapePointer } from '../../../emulator/contract/pointer.ts';
import type { RefusalView } from '../../../emulator/control/calls.ts';

/** The part of JSON Schema that payloads use. */
export interface PayloadSchema {
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly examples?: readonly unknown[];
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: { readonly [name: string]: PayloadSchema };
  readonly additionalProperties?: boolean | PayloadSchema;
  readonly items?: PayloadSchema;
  readonly 'x-provenance'?: RefusalView['provenance'];
  readonly 'x-reason'?: string;
}

/** A field of a payload, as a row of its schema. */
export interface SchemaRow {
  readonly pointer: string;
  readonly name: string;
  readonly depth: number;
  /** `text`, `whole number`, `object`. */
  readonly type: string;
  readonly required: boolean;
  readonly provenance: RefusalView['provenance'] | null;
  /** The reason, if it is our choice; else the description. */
  readonly says: string;
  /** The allowed values, or examples. */
  readonly values: readonly string[];
  readonly closed: boolean;
}

const words: { readonly [type: string]: string } = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  array: 'list',
  object: 'object',
};

/** The fields that a schema names, in its order, objects before their own fields. */
export function toSchemaRows(schema: PayloadSchema, pointer = '', depth = 0): readonly SchemaRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const at = `${pointer}/${escapePointer(name)}`;
    const allowed = field.const !== undefined ? [field.const] : field.enum;
    const row: SchemaRow = {
      pointer: at,
      name,
      depth,
      type: toType(field),
      required: schema.required?.includes(name) ?? false,
      provenance: field['x-provenance'] ?? null,
      says: field['x-reason'] ?? field.description ?? '',
      values: (allowed ?? field.examples ?? []).map((value) =>
        typeof value === 'string' ? value : JSON.stringify(value),
      ),
      closed: allowed !== undefined,
    };
    return [row, ...toSchemaRows(field, at, depth + 1)];
  });
}

function toType({ type, const: only, items, additionalProperties }: PayloadSchema): string {
  if (type === 'array') return `list of ${words[String(items?.type)] ?? 'values'}`;
  if (type === 'object' && typeof additionalProperties === 'object')
    return `object of ${words[String(additionalProperties.type)] ?? 'values'}`;
  const types = (Array.isArray(type) ? type : [type ?? typeof only]) as readonly string[];
  return types.map((one) => words[one] ?? one).join(' or ');
}
