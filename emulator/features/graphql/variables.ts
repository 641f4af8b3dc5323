import {
  getNamedType,
  isInputObjectType,
  isNonNullType,
  typeFromAST,
  type DocumentNode,
  type GraphQLError,
  type GraphQLInputType,
  type GraphQLSchema,
  type NamedTypeNode,
  type OperationDefinitionNode,
  type VariableDefinitionNode,
} from 'graphql';
import { isJsonObject } from '../../contract/json-object.ts';
import { escapePointer, toNames, valueAt } from '../../contract/pointer.ts';
import { isGiven } from '../../contract/unknown-fields.ts';
import { inBody, remove, set, show, toRefusal, type Fix, type Refusal } from '../../rules.ts';
import { read, type Told } from './advice/problem.ts';
import { partType } from './query-text.ts';
import { graphqlRules } from './rules.ts';
import type { GraphqlRequest } from './shapes.ts';
import { usesOf } from './uses.ts';
import { meantFields, meantValue, sayWanted, sentFor } from './values.ts';

/** A request whose variables do not fit the schema. */
export interface Asked {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly variables: GraphqlRequest['variables'];
}

/** A place where variables do not fit the schema, and the fix. */
interface Misfit {
  readonly at: string;
  readonly value: unknown;
  readonly fix: Fix;
}

const leaveOut = (at: string): Fix => ({ say: 'Leave it out: then its default is read.', edits: [remove(inBody(at))] });

/** The refusal of variables by graphql-js: its message names the place as `"input.products[0].quantity"`. */
export function toVariablesRefusal(error: GraphQLError, asked: Asked): Refusal {
  const [node] = error.nodes ?? [];
  if (node?.kind !== 'VariableDefinition') return toNullRefusal(error, asked);
  const { at, value, fix } = findMisfit(error, node, asked);
  return toRefusal(graphqlRules.variables, inBody(at), value, { problem: error.message, fix });
}

/**
 * The refusal of a variable whose type allows null, because it has a default, at a place that does not. graphql-js finds
 * it only when it reads the arguments, and names the whole argument.
 */
function toNullRefusal({ message }: GraphQLError, { schema, document, variables }: Asked): Refusal {
  const uses = usesOf(schema, document);
  const isNull = (name: string): boolean => variables?.[name] === null;
  const found = uses.find(({ node, type }) => isNull(node.name.value) && isNonNullType(type));
  if (!found) throw new Error(`graphql-js refuses an argument for another reason than null: ${message}`);
  const name = found.node.name.value;
  const at = `/variables/${name}`;
  const problem = `The variable "$${name}" is null, and is read where the schema has "${String(found.type)}".`;
  return toRefusal(graphqlRules.variables, inBody(at), null, { problem, fix: leaveOut(at) });
}

function findMisfit({ message, originalError }: GraphQLError, node: VariableDefinitionNode, asked: Asked): Misfit {
  const { schema, variables } = asked;
  const name = node.variable.name.value;
  const variable = `/variables/${name}`;
  const reason = originalError?.message;
  const told = read(reason ?? message);
  if (reason === undefined) {
    if (told.kind === 'missingVariable') return missingVariable(told, asked);
    const fix = node.defaultValue ? leaveOut(variable) : { say: sayWanted(schema, told, show), edits: [] };
    return { at: variable, value: null, fix };
  }
  const [, path] = / at "([\w.[\]]+)"$/.exec(message.slice(0, -`; ${reason}`.length)) ?? [];
  const pointer = path === undefined ? variable : `/variables/${path.replaceAll(']', '').replaceAll(/[.[]/g, '/')}`;
  const value = valueAt({ variables }, pointer);
  const known = fieldsAt(schema, node, pointer);
  switch (told.kind) {
    case 'missingInput':
      return missingField(told, pointer, value, known);
    case 'unknownInput':
      return unknownField(told, pointer, value, known);
    default:
      return { at: pointer, value, fix: fixValue(schema, told, value, pointer) };
  }
}

/** The names of the fields that an object in a variable may have. */
function fieldsAt(schema: GraphQLSchema, { type }: VariableDefinitionNode, pointer: string): readonly string[] {
  const declared = typeFromAST(schema, type as NamedTypeNode) as GraphQLInputType | undefined;
  const [, , ...names] = toNames(pointer);
  const own = names.reduce<GraphQLInputType | null>(partType, declared ?? null);
  const bare = own && getNamedType(own);
  return isInputObjectType(bare) ? Object.keys(bare.getFields()) : [];
}

/** A variable that is required and was not sent. The fix renames it if it was sent by a misspelt name. */
function missingVariable({ names: { name = '', type } }: Told, { operation, variables }: Asked): Misfit {
  const declared = (operation.variableDefinitions ?? []).map(({ variable }) => variable.name.value);
  return missing('/variables', name, variables ?? {}, declared, `Send the variable ${name} (${type}).`);
}

function missingField({ names }: Told, above: string, parent: unknown, known: readonly string[]): Misfit {
  const { name = '', type } = names;
  return missing(above, name, isJsonObject(parent) ? parent : {}, known, `Send the field ${name} (${type}).`);
}

function missing(above: string, name: string, parent: object, known: readonly string[], say: string): Misfit {
  const sent = sentFor(
    name,
    Object.keys(parent).filter((one) => !known.includes(one)),
  );
  const fix = sent === null ? { say, edits: [] } : rename(above, sent, name, parent);
  return { at: `${above}/${name}`, value: undefined, fix };
}

const rename = (above: string, from: string, to: string, parent: unknown): Fix => ({
  say: `Rename ${show(from)} to ${to}.`,
  edits: [
    remove(inBody(`${above}/${escapePointer(from)}`)),
    set(inBody(`${above}/${to}`), valueAt(parent, `/${escapePointer(from)}`)),
  ],
});

/**
 * Unlike REST, GraphQL refuses fields that the schema does not name. The fix renames the field if only one can be
 * meant.
 */
function unknownField(told: Told, above: string, parent: unknown, known: readonly string[]): Misfit {
  const name = told.names['name'] ?? '';
  const at = `${above}/${escapePointer(name)}`;
  const free = known.filter((one) => !isGiven(valueAt(parent, `/${one}`)));
  const value = valueAt(parent, `/${escapePointer(name)}`);
  const [only, ...others] = meantFields(name, free, told.similar);
  if (only === undefined) return { at, value, fix: { say: `Leave ${show(name)} out.`, edits: [remove(inBody(at))] } };
  if (others.length > 0)
    return { at, value, fix: { say: `Rename it to ${[only, ...others].join(' or ')}.`, edits: [] } };
  return { at, value, fix: { ...rename(above, name, only, parent), say: `Rename it to ${only}.` } };
}

/** The fix that sends the value as the schema wants it; if that is not clear, it only says so. */
function fixValue(schema: GraphQLSchema, told: Told, value: unknown, at: string): Fix {
  const place = inBody(at);
  if (value === null && /\/\d+$/.test(at)) return { say: 'Leave it out.', edits: [remove(place)] };
  const meant = meantValue(told, value) ?? (told.kind === 'object' ? onlyItem(value) : null);
  return meant === null
    ? { say: sayWanted(schema, told, show), edits: [] }
    : { say: `Send ${show(meant)}.`, edits: [set(place, meant)] };
}

/** The object in a list that was sent instead of it; null if something else was sent. */
function onlyItem(value: unknown): object | null {
  return Array.isArray(value) && value.length === 1 && isJsonObject(value[0]) ? value[0] : null;
}
