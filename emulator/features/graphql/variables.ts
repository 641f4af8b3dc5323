import type { GraphQLError } from 'graphql';
import { meantBoolean, meantNumber, meantText, meantTime, meantWord } from '../../contract/meant.ts';
import { escapePointer, valueAt } from '../../contract/pointer.ts';
import { isGiven } from '../../contract/unknown-fields.ts';
import { channel, subscriptionType } from '../../records/people.ts';
import { inBody, remove, set, show, toRefusal, type Fix, type Place, type Refusal } from '../../rules.ts';
import { graphqlRules } from './rules.ts';

/** A place where variables do not fit the schema, and the fix. */
interface Misfit {
  readonly at: string;
  readonly value: unknown;
  readonly fix: Fix;
}

/** The refusal of variables by graphql-js: its message names the place as `"input.products[0].quantity"`. */
export function toVariablesRefusal(error: GraphQLError, variables: unknown): Refusal {
  const [node] = error.nodes ?? [];
  const name = node?.kind === 'VariableDefinition' ? node.variable.name.value : null;
  const { at, value, fix } =
    name === null
      ? { at: '/variables', value: undefined, fix: sayType }
      : findMisfit(error, `/variables/${name}`, { variables });
  return toRefusal(graphqlRules.variables, inBody(at), value, { problem: error.message, fix });
}

const sayType: Fix = { say: 'Send the value in the type that the schema names.', edits: [] };

/** @param variable the pointer of the variable that does not fit */
function findMisfit({ message, originalError }: GraphQLError, variable: string, body: unknown): Misfit {
  const reason = originalError?.message;
  if (reason === undefined) {
    const value = valueAt(body, variable);
    const [, , name] = variable.split('/');
    return {
      at: variable,
      value,
      fix: value === undefined ? { say: `Send the variable ${name}.`, edits: [] } : sayType,
    };
  }
  const [, path] = / at "([\w.[\]]+)"$/.exec(message.slice(0, -`; ${reason}`.length)) ?? [];
  const pointer = path === undefined ? variable : `/variables/${path.replaceAll(']', '').replaceAll(/[.[]/g, '/')}`;
  const value = valueAt(body, pointer);
  return (
    missingField(reason, pointer) ??
    unknownField(reason, pointer, value) ?? { at: pointer, value, fix: fixValue(reason, value, inBody(pointer)) }
  );
}

function missingField(reason: string, above: string): Misfit | null {
  const [, name, type] = /^Field "(\w+)" of required type "(.+)" was not provided\.$/.exec(reason) ?? [];
  if (name === undefined) return null;
  return { at: `${above}/${name}`, value: undefined, fix: { say: `Send the field ${name} (${type}).`, edits: [] } };
}

/**
 * Unlike REST, GraphQL refuses fields that the schema does not name. The fix renames the field if only one can be
 * meant.
 */
function unknownField(reason: string, above: string, parent: unknown): Misfit | null {
  const [, name, meant = ''] =
    /^Field "(.*)" is not defined by type "\w+"\.(?: Did you mean (.*)\?)?$/s.exec(reason) ?? [];
  if (name === undefined) return null;
  const at = `${above}/${escapePointer(name)}`;
  const value = valueAt(parent, `/${escapePointer(name)}`);
  const free = namesIn(meant).filter((one) => !isGiven(valueAt(parent, `/${one}`)));
  const [only] = free;
  if (only === undefined) return { at, value, fix: { say: `Leave ${show(name)} out.`, edits: [remove(inBody(at))] } };
  if (free.length > 1) return { at, value, fix: { say: `Rename it to ${free.join(' or ')}.`, edits: [] } };
  const edits = [remove(inBody(at)), set(inBody(`${above}/${only}`), value)];
  return { at, value, fix: { say: `Rename it to ${only}.`, edits } };
}

const namesIn = (suggestions: string): readonly string[] =>
  [...suggestions.matchAll(/"(\w+)"/g)].map(([, name = '']) => name);

/** The fix that sends the value as the schema wants it; if that is not clear, it only says so. */
function fixValue(reason: string, value: unknown, place: Place): Fix {
  const [, suggestions = ''] = /Did you mean the enum value (.*)\?$/.exec(reason) ?? [];
  const meant = typeof value === 'string' ? (meantWord(value, namesIn(suggestions)) ?? meantOfRest(reason)) : null;
  if (meant !== null) return { say: `Send ${show(meant)}.`, edits: [set(place, meant)] };
  const [similar] = namesIn(suggestions);
  if (similar !== undefined) return { say: `Send a value such as ${show(similar)}.`, edits: [] };
  if (value === null && /\/\d+$/.test(place.at)) return { say: 'Leave it out.', edits: [remove(place)] };
  const sent = meantValue(reason, value);
  return sent === null ? sayType : { say: `Send ${show(sent)}.`, edits: [set(place, sent)] };
}

/** The sent value in the type of the scalar, which the reason names first; null if that is not clear. */
function meantValue(reason: string, value: unknown): string | number | boolean | null {
  const [scalar] = reason.split(' ', 1);
  if (typeof value === 'boolean') return scalar === 'String' ? meantText(value) : null;
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  switch (scalar) {
    case 'String':
      return meantText(value);
    case 'Boolean':
      return meantBoolean(value);
    case 'DateTime':
      return meantTime(value);
    case 'Long': {
      const number = meantNumber(String(value));
      return Number.isSafeInteger(number) ? number : null;
    }
    default:
      return null;
  }
}

/** The enums whose values have a prefix that REST's do not have. */
const prefixes: { readonly [type: string]: { readonly prefix: string; readonly values: readonly string[] } } = {
  SubscriptionType: { prefix: 'TYPE_', values: subscriptionType.enum },
  SubscriptionChannel: { prefix: 'CHANNEL_', values: channel.enum },
};

/** The enum value for REST's spelling of it, from the message of graphql-js; null if REST has no such value. */
export function meantOfRest(problem: string): string | null {
  const found =
    /^Value "(?<sent>\w+)" does not exist in "(?<type>\w+)" enum\./.exec(problem) ??
    /^Enum "(?<type>\w+)" cannot represent non-enum value: "(?<sent>\w+)"/.exec(problem);
  const { sent = '', type = '' } = found?.groups ?? {};
  const { prefix, values } = prefixes[type] ?? { prefix: '', values: [] };
  const meant = meantWord(sent, values);
  return meant === null ? null : `${prefix}${meant}`;
}
