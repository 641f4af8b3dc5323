import { hasRawPlus, meantWord, sayRawPlus } from '../contract/meant.ts';
import { escapePointer, toName, valueAt } from '../contract/pointer.ts';
import { contractOf, exampleOf, type Schema } from '../contract/schema.ts';
import { nearestOf } from '../contract/unknown-fields.ts';
import type { Misfit } from '../contract/validate.ts';
import { didYouMean } from '../errors.ts';
import { remove, rule, set, show, type FactsOfRefusal, type Fix, type Place, type Rule } from '../rules.ts';
import { readAs } from './read-as.ts';

export interface FitFacts {
  readonly misfit: Misfit;
  readonly where: string;
  readonly kind: Place['in'];
  /** The whole input. */
  readonly sent: unknown;
  /** The record that the body replaces, in the form of the body; null if there is none. */
  readonly stored: object | null;
}

/** A rule that input fits the schema of its operation, as one of the keywords of JSON Schema says. */
export function fitRule(id: string, says: string): Rule<FitFacts> {
  return rule<FitFacts>({
    id,
    status: 400,
    section: '4',
    provenance: 'documented',
    says,
    message: ({ misfit, where, kind }) => explainMisfit(misfit, where) + (isRawPlus(misfit, kind) ? sayRawPlus : ''),
    fix: (facts, place) => fixMisfit(facts, place),
    provenanceAt: ({ misfit }) => misfit.provenance ?? 'documented',
    facts: ({ misfit }) => factsOfMisfit(misfit),
  });
}

const formatWords: { readonly [name: string]: string } = {
  e164: 'a phone number in E.164 form: a plus sign, the country code and digits, without spaces or separators, such as +15555550100',
  email: 'an email address such as ada@example.com',
  timestamp: 'an ISO 8601 timestamp such as 2026-12-01T00:00:00Z',
  'http-url': 'an absolute http or https URL without a user name or control characters',
  int64: 'a whole number of at most 64 bits',
  'iso-4217': 'an ISO 4217 currency code in capitals, such as USD',
};

/** A misfit as a sentence. @param where the place as it begins one: `user.phone`, `The path parameter id` */
export function explainMisfit({ keyword, params, value, message, schema }: Misfit, where: string): string {
  switch (keyword) {
    case 'additionalProperties':
      return `${where} is not a field here. ${didYouMean(String(params['additionalProperty']), Object.keys(schema.properties ?? {}))}`;
    case 'required':
      return `${where} is required and missing.`;
    case 'type':
      return `${where} must be ${[typeOf(params, schema)].flat().join(' or ')}, not ${show(value)}.`;
    case 'format':
      return `${where} must be ${formatWords[String(params['format'])] ?? String(params['format'])}, not ${show(value)}.`;
    case 'enum': {
      const nearest = nearestChoice(params, value);
      const meant = nearest === null ? '' : ` Did you mean ${show(nearest)}?`;
      return `${where} must be one of ${choicesOf(params).map(show).join(', ')} (case counts), not ${show(value)}.${meant}`;
    }
    case 'pattern':
      return `${where} must be like ${show(exampleOf(schema))} (pattern ${String(params['pattern'])}), not ${show(value)}.`;
    case 'const':
      return `${where} must be ${show(params['allowedValue'])}, not ${show(value)}.`;
    case 'maxLength':
      return `${where} must have at most ${String(params['limit'])} characters; it has ${[...String(value)].length}.`;
    case 'minLength':
      return params['limit'] === 1
        ? `${where} must not be empty.`
        : `${where} must have at least ${String(params['limit'])} characters; it has ${[...String(value)].length}.`;
    case 'maxItems':
      return `${where} must have at most ${String(params['limit'])} entries; it has ${(value as readonly unknown[]).length}.`;
    case 'minItems':
      return `${where} must have at least ${String(params['limit'])} ${params['limit'] === 1 ? 'entry' : 'entries'}.`;
    case 'minProperties':
      return `${where} must name at least one of ${Object.keys(schema.properties ?? {}).join(', ')}.`;
    default:
      return `${where} ${message}.`;
  }
}

const isRawPlus = ({ params, value }: Misfit, kind: Place['in']): boolean =>
  kind === 'query' && params['format'] === 'email' && typeof value === 'string' && hasRawPlus(value);

/** The types that are accepted, without those that are only read so that a rule can refuse them (`readsMore`). */
const typeOf = (params: Misfit['params'], schema: Schema): unknown => contractOf(schema).type ?? params['type'];

const choicesOf = (params: Misfit['params']): readonly unknown[] => params['allowedValues'] as readonly unknown[];

/** The choice that was probably meant; null if none is similar. */
function nearestChoice(params: Misfit['params'], value: unknown): string | null {
  const texts = choicesOf(params).filter((choice) => typeof choice === 'string');
  return typeof value === 'string' ? nearestOf(value, texts) : null;
}

function fixMisfit(facts: FitFacts, place: Place): Fix {
  const { misfit, stored } = facts;
  const { keyword, params, value, schema, optional } = misfit;
  if (keyword === 'additionalProperties' || (keyword === 'type' && value === null && optional))
    return { say: 'Leave it out.', edits: [remove(place)] };
  if (keyword === 'required') return addMissing(facts, place);
  const meant = (() => {
    if (keyword === 'const') return params['allowedValue'];
    // What has the wrong size has the right form; cut, it would say something else.
    return ['type', 'format', 'pattern', 'enum'].includes(keyword)
      ? readAs(value, schema, place.in === 'query')
      : undefined;
  })();
  const wanted = meant ?? (stored === null ? undefined : valueAt(stored, misfit.pointer));
  return wanted === undefined || wanted === value
    ? { say: sayWanted(misfit), edits: [] }
    : { say: `Send ${show(wanted)} there.`, edits: [set(place, wanted)] };
}

/** What to send where that is not in the request. */
function sayWanted({ keyword, params, schema }: Misfit): string {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'maxLength':
      return `Send at most ${limit} characters there.`;
    case 'maxItems':
      return `Send at most ${limit} entries there.`;
    case 'minimum':
      return `Send a number from ${limit} there.`;
    case 'maximum':
      return `Send a number up to ${limit} there.`;
    default:
      return `Send a value such as ${show(exampleOf(contractOf(schema)))} there.`;
  }
}

/**
 * Adds all required fields that the object lacks, not only the one that the message names: what is stored, what was sent at
 * another place, or the only value possible.
 */
function addMissing({ misfit, sent, stored }: FitFacts, place: Place): Fix {
  const { schema, missing } = misfit;
  const above = misfit.pointer.slice(0, misfit.pointer.lastIndexOf('/'));
  const toPlace = (name: string): Place => ({
    ...place,
    at: place.in === 'body' ? `${above}/${escapePointer(name)}` : name,
  });
  const toText = (name: string): string => (place.in === 'body' ? toName(toPlace(name).at) : name);
  const properties = (schema.properties ?? {}) as { readonly [name: string]: Schema };
  const found = missing.map((name) => {
    const own = properties[name] ?? {};
    const moved = findElsewhere(name, own, schema, valueAt(sent, above));
    const value = valueAt(stored, `${above}/${escapePointer(name)}`) ?? moved?.value ?? onlyValue(own);
    return { name, value, from: moved?.from ?? [], example: exampleOf(contractOf(own)) };
  });
  if (found.some(({ value }) => value === undefined))
    return {
      say: `Send ${found.map(({ name, value, example }) => `${value === undefined ? `a value such as ${show(example)}` : show(value)} as ${toText(name)}`).join(', ')}.`,
      edits: [],
    };
  return {
    say: `Send ${found.map(({ name, value }) => `${show(value)} as ${toText(name)}`).join(', ')}.`,
    edits: found.flatMap(({ name, value, from }) => [
      ...from.map((one) => remove(toPlace(one))),
      set(toPlace(name), value),
    ]),
  };
}

/** A missing value that was sent under a misspelt name, or outside of the object that should contain it. */
function findElsewhere(
  name: string,
  schema: Schema,
  { properties = {} }: Schema,
  within: unknown,
): { readonly value: unknown; readonly from: readonly string[] } | null {
  const unknown = Object.entries(within ?? {}).filter(([one]) => !Object.hasOwn(properties, one));
  const isSame = (one: string, other: string): boolean => meantWord(one, [other]) !== null;
  const misspelt = unknown.filter(([one]) => isSame(one, name));
  const [only, ...others] = misspelt;
  if (only && others.length === 0) {
    const value = readAs(only[1], schema);
    return value === undefined ? null : { value, from: [only[0]] };
  }
  const inner = Object.keys((schema as { readonly properties?: object }).properties ?? {});
  const moved = unknown.flatMap(([one, value]) => {
    const as = inner.find((own) => isSame(one, own));
    return as === undefined ? [] : [{ one, as, value: value as unknown }];
  });
  return moved.length === 0
    ? null
    : { value: Object.fromEntries(moved.map(({ as, value }) => [as, value])), from: moved.map(({ one }) => one) };
}

/** The value of a field that takes only one; undefined for any other field. */
function onlyValue(schema: Schema): unknown {
  const { const: constant, enum: choices } = schema as { const?: unknown; enum?: readonly unknown[] };
  return constant ?? (choices?.length === 1 ? choices[0] : undefined);
}

/** What the contract wants there: `limit`, `allowed`, `type`, `pattern` or `format`. */
function factsOfMisfit({ keyword, params, schema }: Misfit): FactsOfRefusal {
  switch (keyword) {
    case 'enum':
      return { allowed: params['allowedValues'] };
    case 'const':
      return { allowed: [params['allowedValue']] };
    case 'type':
      return { type: typeOf(params, schema) };
    case 'format':
      return { format: params['format'] };
    case 'pattern':
      return { pattern: params['pattern'] };
    default:
      return 'limit' in params ? { limit: params['limit'] } : {};
  }
}
