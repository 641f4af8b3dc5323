import {
  GraphQLError,
  GraphQLFloat,
  GraphQLInt,
  GraphQLScalarType,
  GraphQLSchema,
  buildSchema,
  valueFromASTUntyped,
  visit,
  type ValueNode,
} from 'graphql';
import { isInt64, isInt64Number } from '../../contract/formats.ts';
import { show } from '../../rules.ts';
import { toSdl } from './sdl.ts';

/** Called with each number of a query, and with each text that is read as a number, as it was sent. */
type OnNumber = (sent: string) => void;

/** Builds the schema. The root fields are functions that `engine.ts` passes in. */
export function createSchema(onNumber: OnNumber = () => {}): GraphQLSchema {
  const named = buildSchema(toSdl());
  // `buildSchema` leaves out a built-in scalar that no field has, but a client may declare a variable of it.
  const schema = new GraphQLSchema({
    ...named.toConfig(),
    types: [...named.toConfig().types, GraphQLInt, GraphQLFloat],
  });
  const setParser = (name: string, parse: (value: unknown, node?: ValueNode) => unknown): void => {
    const scalar = schema.getType(name);
    if (!(scalar instanceof GraphQLScalarType)) throw new Error(`The schema has no scalar ${name}.`);
    scalar.parseValue = (value) => parse(value);
    scalar.parseLiteral = (node, variables) => {
      visit(node, { IntValue: ({ value }) => onNumber(value), FloatValue: ({ value }) => onNumber(value) });
      return parse(valueFromASTUntyped(node, variables), node);
    };
  };
  setParser('DateTime', (value, node) => {
    // A rule checks whether it is a valid time, because a rule knows a fix.
    if (typeof value === 'string') return value;
    throw new GraphQLError(`DateTime is an ISO 8601 text such as "2026-03-30T14:38:29Z", not ${show(value)}.`, {
      nodes: node ?? null,
    });
  });
  setParser('Long', (value, node) => {
    // A public client sends a Long as a text (docs/platform.md, GraphQL).
    if (typeof value === 'number' && isInt64Number(value)) return value;
    if (typeof value === 'string' && isInt64(value)) {
      onNumber(value);
      return Number(value);
    }
    throw new GraphQLError(`Long is a whole number of at most 64 bits, not ${show(value)}.`, {
      nodes: node ?? null,
    });
  });
  setParser('JSON', (value) => value);
  return schema;
}
