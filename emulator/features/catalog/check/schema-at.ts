import type { FormatName } from './formats.ts';
import { Product } from './product-schema.ts';

export interface SchemaNode {
  readonly type: string;
  readonly properties?: { readonly [name: string]: SchemaNode };
  readonly required?: readonly string[];
  readonly items?: SchemaNode;
  readonly format?: FormatName;
}

/** The part of the product schema for the value at a place; empty for a field that the schema does not name. */
export function schemaAt(pointer: string): Partial<SchemaNode> {
  return pointer
    .split('/')
    .slice(1)
    .reduce<Partial<SchemaNode>>(({ properties = {}, items }, name) => {
      return items ?? (Object.hasOwn(properties, name) ? properties[name] : undefined) ?? {};
    }, Product);
}
