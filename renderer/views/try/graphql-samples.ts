/** Operations and variables that fit the schema and the existing records. Pure. */
import {
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
  isRequiredArgument,
  isRequiredInputField,
  isScalarType,
  parse,
  typeFromAST,
  type GraphQLInputType,
  type GraphQLOutputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';

/** The existing records that inputs can name; null for those that do not exist. */
export interface World {
  /** Phone and email are of one person. */
  readonly phone: string | null;
  readonly email: string | null;
  readonly unitId: string | null;
  readonly webhookId: string | null;
  readonly companyId: string | null;
  /** ISO 8601, on the virtual clock. */
  readonly now: string;
}

/** Sample values by the name of a member, whatever type contains it. */
const texts: { readonly [name: string]: string } = {
  amount: '19.99',
  country: 'US',
  language: 'en',
  productId: 'SKU-1',
  productName: 'Field notebook',
  productVariantId: 'SKU-1-GREEN',
  type: 'Order Shipped',
  url: 'http://localhost:3000/webhooks',
};
const listed: { readonly [name: string]: readonly unknown[] } = { events: ['sms.subscribed'] };
/** Optional members without which an input makes little sense. */
const wanted = new Set(['phone', 'email', 'signupSourceId', 'products', 'productPrices', 'currency', 'properties']);

/** The operations of a document; [] while it is half typed. */
export function operationsOf(document: string): readonly OperationDefinitionNode[] {
  try {
    return parse(document).definitions.filter((one) => one.kind === 'OperationDefinition');
  } catch {
    return [];
  }
}

/** Sample values for the variables of an operation. */
export function toVariables(
  schema: GraphQLSchema,
  operation: OperationDefinitionNode,
  world: World,
): { readonly [name: string]: unknown } {
  return Object.fromEntries(
    (operation.variableDefinitions ?? []).flatMap(({ variable, type: node }) => {
      const type = typeFromAST(schema, node as Parameters<typeof typeFromAST>[1]) as GraphQLInputType | undefined;
      const value = type && sampleOf(type, variable.name.value, '', world);
      return value === undefined ? [] : [[variable.name.value, value]];
    }),
  );
}

/** @returns undefined for a value that only a record could have, if there is no such record */
function sampleOf(type: GraphQLInputType, name: string, owner: string, world: World): unknown {
  if (isNonNullType(type)) return sampleOf(type.ofType, name, owner, world);
  if (isListType(type)) {
    if (listed[name]) return listed[name];
    const item = sampleOf(type.ofType, name === 'ids' ? 'id' : name, owner, world);
    return item === undefined ? undefined : [item];
  }
  if (isEnumType(type)) {
    const names = type.getValues().map((value) => value.name);
    return names.includes('USD') ? 'USD' : (names.find((one) => !one.endsWith('UNKNOWN')) ?? names[0]);
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields()).filter(
      (field) => isRequiredInputField(field) || wanted.has(field.name),
    );
    const values = fields.flatMap((field) => {
      const value = sampleOf(field.type, field.name, type.name, world);
      return value === undefined ? [] : [[field.name, value] as const];
    });
    return Object.fromEntries(values);
  }
  return isScalarType(type) ? scalarOf(type.name, name, owner, world) : undefined;
}

function scalarOf(type: string, name: string, owner: string, world: World): unknown {
  switch (type) {
    case 'Boolean':
      return false;
    case 'Int':
    case 'Long':
      return 1;
    case 'Float':
      return 19.99;
    case 'DateTime':
      return world.now;
    case 'JSON':
      return JSON.stringify({ orderId: '54321' });
    case 'ID':
      return (/webhook/i.test(owner) ? world.webhookId : world.companyId) ?? undefined;
    default:
      if (name === 'phone') return world.phone ?? undefined;
      if (name === 'email') return world.email ?? undefined;
      if (name === 'signupSourceId') return world.unitId ?? undefined;
      return texts[name] ?? 'example';
  }
}

/** A document that runs one field of `Query` or `Mutation`; null if there is no such field. */
export function toOperation(schema: GraphQLSchema, owner: string, name: string): string | null {
  const kind = owner === schema.getMutationType()?.name ? 'mutation' : 'query';
  const root = kind === 'mutation' ? schema.getMutationType() : schema.getQueryType();
  const field = owner === root?.name ? root.getFields()[name] : undefined;
  if (!field) return null;
  const args = field.args.filter(isRequiredArgument);
  const defined = args.map((arg) => `$${arg.name}: ${String(arg.type)}`).join(', ');
  const given = args.map((arg) => `${arg.name}: $${arg.name}`).join(', ');
  const inside = selectionOf(field.type, '    ', 3);
  const title = name.charAt(0).toUpperCase() + name.slice(1);
  return [`${kind} ${title}${defined && `(${defined})`} {`, `  ${name}${given && `(${given})`}${inside}`, '}', ''].join(
    '\n',
  );
}

/** Selects everything that can be read without arguments, some levels deep; '' for a plain value. */
function selectionOf(type: GraphQLOutputType, indent: string, depth: number): string {
  const named = getNamedType(type);
  if (!isCompositeType(named)) return '';
  const fields = isObjectType(named) && depth > 0 ? Object.values(named.getFields()) : [];
  const lines = fields
    .filter(({ args, deprecationReason }) => !args.some(isRequiredArgument) && !deprecationReason)
    .filter((field) => !isCompositeType(getNamedType(field.type)) || depth > 1)
    .map((field) => `${indent}${field.name}${selectionOf(field.type, `${indent}  `, depth - 1)}`);
  return ` {\n${(lines.length > 0 ? lines : [`${indent}__typename`]).join('\n')}\n${indent.slice(2)}}`;
}
