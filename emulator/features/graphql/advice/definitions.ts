import { meantWord } from '../../../contract/meant.ts';
import { nearestOf } from '../../../contract/unknown-fields.ts';
import { insert, leaveOut, replace } from '../query-text.ts';
import { typeWanted, usesOf } from '../uses.ts';
import type { Adviser, Advisers } from './adviser.ts';
import { addTo, around, leaveOutAlone, leaveOutOf, meantName, operationsIn, rename } from './nodes.ts';
import { read } from './problem.ts';

/** Declares a variable in the type that its places have. */
const declareAsWanted: Adviser = ({ schema, document, nodes }) => {
  const definition = [...nodes.slice(0, 1), ...around(document, nodes[0])].find(
    (one) => one.kind === 'VariableDefinition',
  );
  if (definition?.kind !== 'VariableDefinition' || nodes.length > 1) return null;
  const name = definition.variable.name.value;
  const wanted = typeWanted(usesOf(schema, document), name);
  const { loc } = definition.type;
  return wanted === null || !loc ? null : { say: `Declare $${name}: ${wanted}.`, changes: [replace(loc, wanted)] };
};

const renameType: Adviser = ({ told: { names, similar }, nodes }) => {
  const meant = meantName(names['name'] ?? '', similar);
  return meant === null ? null : { say: `Rename ${names['name']} to ${meant}.`, changes: rename(nodes, meant) };
};

/** Reads the variable that is declared by a similar name, and is not read. */
const useDeclared: Adviser = ({ told: { names }, schema, document, nodes }) => {
  const name = names['name'] ?? '';
  const used = new Set(usesOf(schema, document).map(({ node }) => node.name.value));
  const declared = operationsIn(document, names['operation']).flatMap(({ variableDefinitions = [] }) =>
    variableDefinitions.map(({ variable }) => variable.name.value),
  );
  const meant = nearestOf(
    name,
    declared.filter((one) => !used.has(one)),
  );
  return meant === null ? null : { say: `Rename $${name} to $${meant}.`, changes: rename(nodes, meant) };
};

/** Adds the declaration of a variable, in the type that its places have. */
const declare: Adviser = ({ told: { names }, schema, document }) => {
  const name = names['name'] ?? '';
  const [operation, ...others] = operationsIn(document, names['operation']);
  const type = typeWanted(usesOf(schema, document), name);
  const first = operation?.loc?.startToken;
  if (!operation || !first || others.length > 0 || type === null) return null;
  const part = `$${name}: ${type}`;
  const all = operation.variableDefinitions ?? [];
  const change =
    all.length > 0 || operation.name
      ? addTo(all, operation.name, part)
      : first.kind === '{'
        ? insert(first.start, `query (${part}) `)
        : insert(first.end, ` (${part})`);
  return { say: `Declare ${part}.`, changes: [change] };
};

/** Leaves out what is not used. If the query has other mistakes, they may be why nothing uses it. */
const leaveOutUnused: Adviser = ({ told: { names }, nodes, document, errors }) => {
  const name = names['name'] ?? '';
  if (!errors.every(({ message }) => read(message).kind === 'unused'))
    return `Use ${name} in the query, or leave it out.`;
  const changes = nodes.map((node) => {
    const [above] = around(document, node);
    if (node.kind === 'VariableDefinition' && above?.kind === 'OperationDefinition')
      return leaveOutOf(node, above.variableDefinitions ?? []);
    return node.loc ? leaveOut(node.loc, document.definitions) : null;
  });
  return { say: `Leave ${name} out: the query does not use it.`, changes };
};

const unknownFragment: Adviser = ({ told: { names }, nodes, document }) => {
  const name = names['name'] ?? '';
  const known = document.definitions.flatMap((one) => (one.kind === 'FragmentDefinition' ? [one.name.value] : []));
  const meant = nearestOf(name, known);
  return meant === null
    ? `Write the fragment ${name} in the query, or leave ...${name} out.`
    : { say: `Rename ...${name} to ...${meant}.`, changes: rename(nodes, meant) };
};

/** A directive that only asks to get a part of the reply later. */
const undeferred: Adviser = ({ nodes }) => ({
  say: 'Leave the directive out: a reply is always sent whole.',
  changes: nodes.map(leaveOutAlone),
});

const unknownDirective: Adviser = ({ told: { names }, nodes }) => {
  const name = names['name'] ?? '';
  const meant = meantWord(name, ['include', 'skip']);
  return meant === null
    ? `Leave @${name} out: a query has only @include and @skip.`
    : { say: `Rename @${name} to @${meant}.`, changes: rename(nodes, meant) };
};

/** A definition of a schema, which a request cannot have. */
const leaveOutDefinition: Adviser = ({ nodes, document }) => ({
  say: 'Leave it out: a request has only operations and fragments.',
  changes: nodes.map(({ loc }) => (loc ? leaveOut(loc, document.definitions) : null)),
});

const say =
  (sentence: string): Adviser =>
  () =>
    sentence;

const sayTypes = say('Declare the variable in a type that fits all its places.');

export const definitionAdvisers: Advisers = {
  otherPlace: [declareAsWanted, sayTypes],
  outputType: [declareAsWanted, sayTypes],
  unknownType: [declareAsWanted, renameType, say('Use a type of the schema; the inspector shows them.')],
  undeclared: [useDeclared, declare, say('Declare it in the operation, in the type of its places.')],
  unused: [leaveOutUnused],
  unknownFragment: [unknownFragment],
  deferring: [undeferred],
  unknownDirective: [unknownDirective],
  directivePlace: [say('Write it after a field, ...Fragment or ... on Type.')],
  notExecutable: [leaveOutDefinition, say('Send a query or a mutation; the inspector has the schema.')],
  repeatedPart: [say('Keep one of the two.')],
  repeatedName: [say('Give each its own name.')],
  anonymous: [say('Give each operation a name, or send one of them alone.')],
  cycle: [say('Leave out the spread that leads back to the fragment.')],
  otherFragment: [say('Spread it where the schema has a type that it can be of.')],
  noFieldsType: [say('Name an object type, an interface or a union after on.')],
};
