import { valueFromASTUntyped, type ObjectFieldNode, type ObjectValueNode, type ValueNode } from 'graphql';
import { leaveOut, replace } from '../query-text.ts';
import { listed, meantFields, meantValue, sayWanted, sentFor } from '../values.ts';
import type { Adviser, Advisers } from './adviser.ts';
import { around, fieldsOf, rename } from './nodes.ts';

/** A field that an object lacks. The fix renames the one that was written by a misspelt name instead of it. */
const missingField: Adviser = ({ told: { names }, nodes, schema }) => {
  const { of = '', name = '', type } = names;
  const known = fieldsOf(schema.getType(of));
  const misspelt = (nodes as readonly ObjectValueNode[]).flatMap(({ fields }) => {
    const unknown = fields.map((one) => one.name.value).filter((one) => !known.includes(one));
    const sent = sentFor(name, unknown);
    return fields.filter((one) => one.name.value === sent);
  });
  return misspelt[0] && misspelt.length === nodes.length
    ? { say: `Rename ${misspelt[0].name.value} to ${name}.`, changes: rename(misspelt, name) }
    : `Write the field ${name} (${type}).`;
};

/** A field that its object does not have, as in variables (variables.ts). */
const unknownField: Adviser = ({ told: { names, similar }, nodes, schema, document }) => {
  const { name = '', type = '' } = names;
  const objects = (nodes as readonly ObjectFieldNode[]).map((field) => ({
    field,
    all: (around(document, field)[0] as ObjectValueNode | undefined)?.fields ?? [],
  }));
  const isGiven = (one: string): boolean =>
    objects.some(({ all }) => all.some(({ name: own, value }) => own.value === one && value.kind !== 'NullValue'));
  const free = fieldsOf(schema.getType(type)).filter((one) => !isGiven(one));
  const [only, ...others] = meantFields(name, free, similar);
  if (only === undefined)
    return {
      say: `Leave ${name} out.`,
      changes: objects.map(({ field: { loc }, all }) => (loc ? leaveOut(loc, all) : null)),
    };
  if (others.length > 0) return `Rename it to ${listed([only, ...others], 'or')}.`;
  const changes = objects.flatMap(({ field, all }) => {
    const empty = all.find((one) => one.name.value === only)?.loc;
    return [...rename([field], only), ...(empty ? [leaveOut(empty, all)] : [])];
  });
  return { say: `Rename it to ${only}.`, changes };
};

/** A null in a list that has none. */
const leaveOutNull: Adviser = ({ nodes, document }) => ({
  say: 'Leave it out.',
  changes: nodes.map((node) => {
    const [list] = around(document, node);
    return list?.kind === 'ListValue' && node.loc ? leaveOut(node.loc, list.values) : null;
  }),
});

/** A value that is in a list, though the schema has no list there. */
const onlyItem: Adviser = ({ nodes, query }) => ({
  say: 'Send it without the list.',
  changes: (nodes as readonly ValueNode[]).map((node) => {
    const inner = node.kind === 'ListValue' && node.values.length === 1 ? node.values[0]?.loc : undefined;
    return inner && node.loc ? replace(node.loc, query.slice(inner.start, inner.end)) : null;
  }),
});

/** A value of another type that can be read only in one way. */
const otherType: Adviser = ({ told, nodes }) => {
  const [meant] = (nodes as readonly ValueNode[]).map((node) => meantValue(told, valueOf(node)));
  if (meant === null || meant === undefined) return null;
  const literal = told.kind === 'enum' ? String(meant) : JSON.stringify(meant);
  return { say: `Send ${literal}.`, changes: nodes.map(({ loc }) => (loc ? replace(loc, literal) : null)) };
};

/** The value of a literal; a number as the text that was written, which has all its digits. */
const valueOf = (node: ValueNode): unknown =>
  node.kind === 'IntValue' || node.kind === 'FloatValue' ? node.value : valueFromASTUntyped(node);

const sayValue: Adviser = ({ told, schema }) => sayWanted(schema, told, (name) => name);

export const valueAdvisers: Advisers = {
  missingInput: [missingField],
  unknownInput: [unknownField],
  null: [leaveOutNull, sayValue],
  object: [onlyItem, sayValue],
  enum: [onlyItem, otherType, sayValue],
  scalar: [onlyItem, otherType, sayValue],
};
