import { getNamedType, isEnumType, isInputObjectType, isRequiredInputField, type GraphQLSchema } from 'graphql';
import { meantBoolean, meantNumber, meantText, meantTime, meantWord } from '../../contract/meant.ts';
import { nearestOf } from '../../contract/unknown-fields.ts';
import { channel, subscriptionType } from '../../records/people.ts';
import type { Told } from './advice/problem.ts';
import { ecommerce, subscribing } from './spellings.ts';

/** The value that was meant instead of one that does not have its type; null if that is not clear. */
export function meantValue({ kind, names, similar }: Told, value: unknown): string | number | boolean | null {
  if (Array.isArray(value)) return value.length === 1 ? meantValue({ kind, names, similar }, value[0]) : null;
  if (kind === 'scalar') return meantScalar(names['type'] ?? '', value);
  if (kind !== 'enum' || typeof value !== 'string') return null;
  return meantWord(value, similar) ?? meantOfRest(names['type'] ?? '', value);
}

function meantScalar(scalar: string, value: unknown): string | number | boolean | null {
  if (typeof value === 'boolean') return scalar === 'String' ? meantText(value) : null;
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  switch (scalar) {
    case 'String':
    case 'ID':
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

/** The enum value for REST's spelling of it; null if REST has no such value. */
function meantOfRest(type: string, sent: string): string | null {
  const { prefix, values } = prefixes[type] ?? { prefix: '', values: [] };
  const meant = meantWord(sent, values);
  return meant === null ? null : `${prefix}${meant}`;
}

/** What to send for a scalar. */
const ofScalars: { readonly [scalar: string]: string } = {
  String: 'Send a text, in quotation marks.',
  ID: 'Send an id, as a text in quotation marks.',
  Boolean: 'Send true or false.',
  DateTime: 'Send a time such as "2026-03-30T14:38:29Z".',
  Long: 'Send a whole number.',
};

/** The most values of an enum that a sentence lists. */
const mostListed = 8;

/** Says which value is wanted. `write` shows the value of an enum as it is sent there. */
export function sayWanted(schema: GraphQLSchema, told: Told, write: (name: string) => string): string {
  const { names, similar } = told;
  const wanted = (names['type'] ?? '').replaceAll('!', '');
  if (wanted.startsWith('[')) return `Send a list of ${wanted.slice(1, -1)}.`;
  const type = getNamedType(schema.getType(wanted));
  if (isEnumType(type)) {
    if (similar[0] !== undefined) return `Send a value such as ${write(similar[0])}.`;
    const all = namesOf(type.getValues()).filter((one) => !one.endsWith('_UNKNOWN'));
    return all.length > mostListed ? `Send a value of ${wanted}.` : `Send ${listed(all.map(write), 'or')}.`;
  }
  if (isInputObjectType(type)) {
    const fields = Object.values(type.getFields());
    const required = fields.filter(isRequiredInputField);
    return required.length > 0
      ? `Send an object with ${listed(namesOf(required), 'and')}.`
      : `Send an object with ${listed(namesOf(fields), 'or')}.`;
  }
  return ofScalars[wanted] ?? 'Send the value in the type that the schema names.';
}

const namesOf = (fields: readonly { readonly name: string }[]): readonly string[] => fields.map(({ name }) => name);

/** The names of an input object's fields in REST, and here. */
const restNames = [ecommerce, subscribing].flatMap(({ pointers }) => pointers);

/** The fields of an input object that can be meant by a name that it does not have: by REST's name, or a similar one. */
export function meantFields(name: string, free: readonly string[], similar: readonly string[]): readonly string[] {
  const ofRest = restNames.map(([rest, graphql]) => `/${name}`.replace(rest, graphql).slice(1));
  const same = free.find((one) => ofRest.includes(one) && one !== name);
  return same === undefined ? similar.filter((one) => free.includes(one)) : [same];
}

/** The one name that was probably sent for a field that is missing; null if none was, or several. */
export function sentFor(missing: string, unknown: readonly string[]): string | null {
  const isMeant = (name: string): boolean =>
    nearestOf(name, [missing]) !== null || meantFields(name, [missing], []).length > 0;
  const [only, ...others] = unknown.filter(isMeant);
  return only !== undefined && others.length === 0 ? only : null;
}

/** Names in a sentence: `a, b or c`. */
export const listed = (names: readonly string[], word: 'and' | 'or'): string =>
  names.length < 2 ? (names[0] ?? '') : `${names.slice(0, -1).join(', ')} ${word} ${names.at(-1)}`;
