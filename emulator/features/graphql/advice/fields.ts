import {
  OperationTypeNode,
  getNamedType,
  getNullableType,
  isInterfaceType,
  isObjectType,
  isRequiredArgument,
  type GraphQLArgument,
  type GraphQLNamedType,
  type GraphQLSchema,
} from 'graphql';
import { meantWord } from '../../../contract/meant.ts';
import { insert } from '../query-text.ts';
import { usesOf } from '../uses.ts';
import { listed } from '../values.ts';
import type { Adviser, Advisers, Mistake } from './adviser.ts';
import { addTo, around, fieldsOf, leaveOutAlone, leaveOutOf, meantName, operationsIn, rename } from './nodes.ts';

/** Sends a field of the other type of operation in one, unless that type lacks another field of the operation. */
const ofOtherOperation: Adviser = ({ told: { names }, document, schema, nodes }) => {
  if (names['type'] !== 'Query' && names['type'] !== 'Mutation') return null;
  const wanted = names['type'] === 'Query' ? OperationTypeNode.MUTATION : OperationTypeNode.QUERY;
  const known = fieldsOf(schema.getRootType(wanted) ?? undefined);
  const operation = around(document, nodes[0]).find((one) => one.kind === 'OperationDefinition');
  if (operation?.kind !== 'OperationDefinition' || !operation.loc) return null;
  const { selections } = operation.selectionSet;
  if (!selections.every((one) => one.kind === 'Field' && known.includes(one.name.value))) return null;
  const { start, end, kind } = operation.loc.startToken;
  const change = kind === '{' ? { start, end: start, text: `${wanted} ` } : { start, end, text: wanted };
  return { say: `The field is one of a ${wanted}: begin with "${wanted}".`, changes: [change] };
};

/** Fields of introspection, which no type lists and graphql-js does not propose. */
const metaFields = ['__typename', '__schema', '__type'];

const renameField: Adviser = ({ told: { names, similar }, schema, nodes }) => {
  const { name = '', type = '', fragment } = names;
  if (fragment !== undefined) return null;
  const exact = meantWord(name, [...fieldsOf(schema.getType(type)), ...metaFields]);
  // A mutation that is only similar does something else.
  const meant = exact ?? (type === 'Mutation' ? null : meantName(name, similar));
  return meant === null ? null : { say: `Rename ${name} to ${meant}.`, changes: rename(nodes, meant) };
};

const sayFields: Adviser = ({ told: { names, similar }, schema }) => {
  const { name, type = '', fragment } = names;
  if (fragment !== undefined)
    return `Ask for it in a fragment on a type that has it: ... on ${similar[0]} { ${name} }.`;
  if (similar.length > 1) return `Rename it to ${listed(similar, 'or')}.`;
  const known = fieldsOf(schema.getType(type));
  return known.length === 0
    ? `Ask for fields of the types of ${type} in fragments, as in ... on Type { ${name} }.`
    : `Use a field of ${type}: ${listed(known, 'or')}.`;
};

/**
 * The fields through which one of a type leads to a field of another type, the nearest ones; null if there is none, or
 * several. They need no arguments, and are not lists.
 */
function wayTo(schema: GraphQLSchema, type: string, name: string): readonly string[] | null {
  let ways: readonly { readonly type: GraphQLNamedType | undefined; readonly through: readonly string[] }[] = [
    { type: schema.getType(type), through: [] },
  ];
  for (const seen = new Set<unknown>(); ways.length > 0;) {
    const there = ways.filter((way) => way.through.length > 0 && fieldsOf(way.type).includes(name));
    if (there.length > 0) return there.length === 1 ? (there[0]?.through ?? null) : null;
    ways = ways.flatMap((way) => {
      if (!isObjectType(way.type) || seen.has(way.type)) return [];
      seen.add(way.type);
      return Object.values(way.type.getFields()).flatMap((field) => {
        const own = getNullableType(field.type);
        const isPlain = isObjectType(own) && !field.args.some(isRequiredArgument);
        return isPlain ? [{ type: own, through: [...way.through, field.name] }] : [];
      });
    });
  }
  return null;
}

/** Asks for a field in those through which the schema reaches it. */
const askFurtherIn: Adviser = ({ told: { names }, schema, nodes }) => {
  const { name = '', type = '', fragment } = names;
  const way = fragment === undefined && type !== 'Mutation' ? wayTo(schema, type, name) : null;
  if (way === null) return null;
  const changes = nodes.flatMap(({ loc }) =>
    loc ? [insert(loc.start, `${way.join(' { ')} { `), insert(loc.end, ' }'.repeat(way.length))] : [null],
  );
  return { say: `Ask for it further in: ${[...way, name].join(' { ')}${' }'.repeat(way.length)}.`, changes };
};

/** The arguments of the field or the directive that a message names. */
function argumentsIn({ told: { names }, schema }: Mistake): readonly GraphQLArgument[] {
  if (names['directive'] !== undefined) return schema.getDirective(names['directive'])?.args ?? [];
  const type = schema.getType(names['type'] ?? '');
  return isObjectType(type) || isInterfaceType(type) ? (type.getFields()[names['field'] ?? '']?.args ?? []) : [];
}

const renameArgument: Adviser = ({ told: { names, similar }, nodes }) => {
  const meant = meantName(names['name'] ?? '', similar);
  return meant === null ? null : { say: `Rename ${names['name']} to ${meant}.`, changes: rename(nodes, meant) };
};

/** A field without arguments can only be asked for without any. */
const leaveOutArgument: Adviser = (mistake) => {
  const { told, nodes, document } = mistake;
  if (argumentsIn(mistake).length > 0) return null;
  const changes = nodes.map((node) => {
    const [field] = around(document, node);
    return field?.kind === 'Field' ? leaveOutOf(node, field.arguments ?? []) : null;
  });
  return { say: `Leave ${told.names['name']} out: the field has no arguments.`, changes };
};

/** Puts what was written as arguments into the only argument, an object that has them as its fields. */
const putIntoObject: Adviser = (mistake) => {
  const [only, ...others] = argumentsIn(mistake);
  const [field] = around(mistake.document, mistake.nodes[0]);
  if (!only || others.length > 0 || field?.kind !== 'Field') return null;
  const sent = field.arguments ?? [];
  const [first, last] = [sent[0]?.loc, sent.at(-1)?.loc];
  const known = fieldsOf(getNamedType(only.type));
  if (!first || !last || !sent.every((one) => known.includes(one.name.value))) return null;
  return {
    say: `Put the arguments into ${only.name}: ${only.name}: { … }.`,
    changes: [insert(first.start, `${only.name}: { `), insert(last.end, ' }')],
  };
};

const sayArguments: Adviser = (mistake) =>
  `Use the argument ${listed(
    argumentsIn(mistake).map(({ name }) => name),
    'or',
  )}.`;

/** Reads the only variable that is declared with the type of the argument and is not read anywhere. */
const useVariable: Adviser = ({ told: { names }, schema, document, nodes }) => {
  const [field] = nodes;
  if (field?.kind !== 'Field' || nodes.length > 1) return null;
  const used = new Set(usesOf(schema, document).map(({ node }) => node.name.value));
  const declared = operationsIn(document).flatMap(({ variableDefinitions = [] }) => variableDefinitions);
  const [only, ...others] = declared.filter(({ variable }) => !used.has(variable.name.value));
  if (!only?.type.loc || others.length > 0) return null;
  const { source, start, end } = only.type.loc;
  if (source.body.slice(start, end) !== names['type']) return null;
  const part = `${names['name']}: $${only.variable.name.value}`;
  return { say: `Write the argument: ${part}.`, changes: [addTo(field.arguments ?? [], field.name, part)] };
};

const sayArgument: Adviser = ({ told: { names } }) =>
  `Write the argument ${names['name']} (${names['type']}): ${names['of']}(${names['name']}: …).`;

const leaveOutSelection: Adviser = ({ told: { names }, nodes }) => ({
  say: `Leave out the braces after ${names['name']}, with all between them.`,
  changes: nodes.map(leaveOutAlone),
});

const saySelection: Adviser = ({ told: { names }, schema }) => {
  const known = fieldsOf(schema.getType(names['type'] ?? ''));
  return `Write fields in braces after ${names['name']}: ${known.length === 0 ? '__typename' : listed(known, 'or')}.`;
};

const sayConflict: Adviser = ({ told: { names } }) =>
  `Ask for one of them by another name, such as other: ${names['name']}.`;

export const fieldAdvisers: Advisers = {
  unknownField: [ofOtherOperation, renameField, askFurtherIn, sayFields],
  unknownArgument: [renameArgument, leaveOutArgument, putIntoObject, sayArguments],
  missingArgument: [useVariable, sayArgument],
  selection: [leaveOutSelection],
  noSelection: [saySelection],
  conflict: [sayConflict],
};
