import { hasRawPlus, meantUrl, meantWord, readPhone, sayE164, sayRawPlus } from '../contract/meant.ts';
import { isJsonObject } from '../contract/json-object.ts';
import { escapePointer, toName, valueAt, withValueAt } from '../contract/pointer.ts';
import { contractOf, exampleOf, type Schema } from '../contract/schema.ts';
import { nearestOf } from '../contract/unknown-fields.ts';
import type { Misfit, Validate } from '../contract/validate.ts';
import { didYouMean } from '../errors.ts';
import { expected } from '../records/misfit.ts';
import {
  inBody,
  onlyIf,
  remove,
  rule,
  set,
  show,
  showExample,
  type Edit,
  type FactsOfRefusal,
  type Fix,
  type Place,
  type Rule,
} from '../rules.ts';
import { correct, readAs } from './read-as.ts';

export interface FitFacts {
  readonly misfit: Misfit;
  readonly where: string;
  readonly kind: Place['in'];
  /** The whole input. */
  readonly sent: unknown;
  /** The record that the body replaces, in the form of the body; null if there is none. */
  readonly stored: object | null;
  /** Checks the whole input. */
  readonly validate: Validate;
}

/** Creates a rule that input fits the schema of its operation in one respect, such as the type of a value. */
export function fitRule(id: string, says: string): Rule<FitFacts> {
  return rule<FitFacts>({
    id,
    status: 400,
    section: '4',
    provenance: 'documented',
    says,
    message: ({ misfit, where, kind }) =>
      isRepeated(misfit, kind)
        ? `${where} was sent ${misfit.value.length} times. Send it once.`
        : explainMisfit(misfit, where) + (isRawPlus(misfit, kind) ? sayRawPlus : ''),
    fix: (facts, place) => fixMisfit(facts, place),
    originAt: ({ misfit }) => misfit.origin ?? { provenance: 'documented', reason: '' },
    facts: ({ misfit }) => factsOfMisfit(misfit),
  });
}

const timestamp = 'an ISO 8601 timestamp such as 2026-12-01T00:00:00Z';
const formatWords: { readonly [name: string]: string } = {
  e164: 'a phone in E.164 form',
  email: 'an email address such as ada@example.com',
  timestamp,
  'date-time': timestamp,
  'http-url': 'an absolute http or https URL without a user name or control characters',
  int64: 'a whole number of at most 64 bits',
  'iso-4217': 'an ISO 4217 currency code in capitals, such as USD',
};

/**
 * A misfit as a sentence.
 * @param where the place, with which the sentence begins: `user.phone`, `The path parameter id`
 */
export function explainMisfit({ keyword, params, value, isName, message, schema }: Misfit, where: string): string {
  switch (keyword) {
    case 'minimum':
    case 'maximum':
      return `${where} must be ${expected(schema)}, not ${show(value)}.`;
    case 'additionalProperties':
      return `${where} is not a field here. ${didYouMean(String(params['additionalProperty']), Object.keys(schema.properties ?? {}))}`;
    case 'required':
      return `${where} is required and missing.`;
    case 'type':
      return `${where} must be ${expected({ type: typeOf(params, schema), ...boundsOf(schema) } as Schema)}, not ${show(value)}.`;
    case 'format': {
      const format = String(params['format']);
      const url = format === 'http-url' && !/^\s*https?:/i.test(String(value)) ? meantUrl(String(value)) : null;
      if (url !== null)
        return `${where} must begin with http:// or https://, not ${show(value)}. Did you mean ${show(url)}?`;
      const more = format === 'e164' ? ` ${sayE164(String(value))}` : '';
      return `${where} must be ${formatWords[format] ?? format}, not ${show(value)}.${more}`;
    }
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
      return `${isName ? 'The name ' : ''}${where} must have at most ${String(params['limit'])} characters; it has ${[...String(value)].length}.`;
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

/** Whether a query has a parameter several times: it is then read as a list. */
const isRepeated = (misfit: Misfit, kind: Place['in']): misfit is Misfit & { readonly value: readonly unknown[] } =>
  kind === 'query' && misfit.keyword === 'type' && Array.isArray(misfit.value);

const isRawPlus = ({ params, value }: Misfit, kind: Place['in']): boolean =>
  kind === 'query' && params['format'] === 'email' && typeof value === 'string' && hasRawPlus(value);

/** The accepted types, without those that are only read so that a rule can refuse them (`readsMore`). */
const typeOf = (params: Misfit['params'], schema: Schema): unknown => contractOf(schema).type ?? params['type'];

function boundsOf(schema: Schema): { readonly minimum: number | undefined; readonly maximum: number | undefined } {
  const { minimum, maximum } = schema as { readonly minimum?: number; readonly maximum?: number };
  return { minimum, maximum };
}

const choicesOf = (params: Misfit['params']): readonly unknown[] => params['allowedValues'] as readonly unknown[];

/** The choice that was probably meant; null if none is similar. */
function nearestChoice(params: Misfit['params'], value: unknown): string | null {
  const texts = choicesOf(params).filter((choice) => typeof choice === 'string');
  return typeof value === 'string' ? nearestOf(value, texts) : null;
}

function fixMisfit(facts: FitFacts, place: Place): Fix {
  const { keyword } = facts.misfit;
  if (keyword === 'additionalProperties' || isNeedless(facts.misfit))
    return { say: 'Leave it out.', edits: [remove(place)] };
  const edits = completed(facts, editsOf(facts, place));
  if (isRepeated(facts.misfit, facts.kind) && edits.length === 0) return { say: 'Send it once.', edits };
  const sent = edits.flatMap((edit) => (edit.op === 'set' ? [edit] : []));
  if (!sent[0]) return { say: keyword === 'required' ? sayMissing(facts, place) : sayWanted(facts.misfit), edits };
  const missing = sent.map((edit) => `${show(edit.value)} as ${toText(edit.place)}`);
  const say = keyword === 'required' ? `Send ${missing.join(', ')}.` : `Send ${show(sent[0].value)} there.`;
  const condition = conditionOf(facts, edits);
  return { say: condition === null ? say : onlyIf(condition, say), edits };
}

/** The condition of a fix that reads what was sent as a phone, there or at another place; null if there is none. */
function conditionOf({ misfit, sent }: FitFacts, edits: readonly Edit[]): string | null {
  const moved = edits.flatMap((edit) => (edit.op === 'remove' ? [valueAt(sent, edit.place.at)] : []));
  const written = JSON.stringify(edits);
  for (const value of [misfit.value, ...moved])
    for (const part of isJsonObject(value) ? Object.values(value) : [value]) {
      const read = typeof part === 'string' || typeof part === 'number' ? readPhone(String(part)) : null;
      if (read && read.condition !== null && written.includes(JSON.stringify(read.phone))) return read.condition;
    }
  return null;
}

const toText = ({ in: kind, at }: Place): string => (kind === 'body' ? toName(at) : at);

const isNeedless = ({ keyword, value, optional }: Misfit): boolean => keyword === 'type' && value === null && optional;

/** The edits that make the value fit, as far as they are clear. Values inside it may have mistakes of their own. */
function editsOf(facts: FitFacts, place: Place): readonly Edit[] {
  const { misfit, sent, stored } = facts;
  const { keyword, params, value, schema, pointer } = misfit;
  if (keyword === 'required') return addMissing(facts, place);
  if (isNeedless(misfit)) return [remove(place)];
  const meant = (() => {
    if (keyword === 'const') return params['allowedValue'];
    // A value of the wrong size has the right form. If it were cut, it would say something else.
    return ['type', 'format', 'pattern', 'enum'].includes(keyword)
      ? readAs(value, schema, {
          isQuery: place.in === 'query',
          currency: valueAt(sent, pointer.replace(/[^/]*$/, 'currency')),
        })
      : undefined;
  })();
  const wanted = meant ?? (stored === null ? undefined : valueAt(stored, pointer));
  return wanted === undefined || wanted === value ? [] : [set(place, wanted)];
}

/** More mistakes in one value than a person makes. */
const mostCorrected = 20;

/** The edits of a body, with the values that they set corrected until these fit; [] if it is not clear how. */
function completed(facts: FitFacts, edits: readonly Edit[]): readonly Edit[] {
  if (facts.kind !== 'body') return edits;
  const places = edits.flatMap((edit) => (edit.op === 'set' ? [edit.place.at] : []));
  let whole = edits.reduce(withEdit, facts.sent);
  for (let corrected = 0; corrected < mostCorrected; corrected += 1) {
    const misfit = facts.validate(whole)[0];
    if (!misfit || !places.some((at) => `${misfit.pointer}/`.startsWith(`${at}/`)))
      return edits.map((edit) => (edit.op === 'set' ? set(edit.place, valueAt(whole, edit.place.at)) : edit));
    const more =
      misfit.keyword === 'additionalProperties'
        ? []
        : editsOf({ ...facts, misfit, sent: whole }, inBody(misfit.pointer));
    if (more.length === 0) return [];
    whole = more.reduce(withEdit, whole);
  }
  return [];
}

function withEdit(whole: unknown, edit: Edit): unknown {
  return edit.op === 'replace-body'
    ? whole
    : withValueAt(whole, edit.place.at, edit.op === 'set' ? edit.value : undefined);
}

/** The sentence of a fix if the request itself does not have the right value. */
function sayWanted({ keyword, params, value, isName, schema }: Misfit): string {
  const limit = String(params['limit']);
  switch (keyword) {
    case 'maxLength':
      return isName ? `Send a name of at most ${limit} characters.` : `Send at most ${limit} characters there.`;
    case 'maxItems':
      return `Send at most ${limit} entries there.`;
    case 'minimum':
    case 'maximum':
      return `Send ${expected(schema)} there.`;
    case 'enum':
      return `Send a value such as ${showExample(nearestChoice(params, value) ?? exampleOf(contractOf(schema)))} there.`;
    default:
      return `Send a value such as ${showExample(exampleOf(contractOf(schema)))} there.`;
  }
}

/**
 * Adds all required fields that the object lacks, not only the one that the message names. A value is the stored one,
 * the one that was sent at another place, or the only possible one. If one of the values is unknown, there are no
 * edits.
 */
function addMissing(facts: FitFacts, place: Place): readonly Edit[] {
  const found = findMissing(facts, place);
  if (found.some(({ value }) => value === undefined)) return [];
  return found.flatMap(({ own, value, from }) => [...from.map(remove), set(own, value)]);
}

/** The sentence of a fix for missing required fields, if not all of their values are known. */
function sayMissing(facts: FitFacts, place: Place): string {
  const found = findMissing(facts, place);
  // If no value is unknown, one of the known values does not fit, and it is not clear which: then each gets an example.
  const isOneUnknown = found.some(({ value }) => value === undefined);
  const said = found.map(({ own, value, example }) => {
    const wanted = isOneUnknown && value !== undefined ? show(value) : `a value such as ${showExample(example)}`;
    return `${wanted} as ${toText(own)}`;
  });
  return `Send ${said.join(', ')}.`;
}

function findMissing({ misfit, sent, stored }: FitFacts, place: Place) {
  const { schema, missing } = misfit;
  const above = misfit.pointer.slice(0, misfit.pointer.lastIndexOf('/'));
  const toPlace = (name: string): Place => ({
    ...place,
    at: place.in === 'body' ? `${above}/${escapePointer(name)}` : name,
  });
  const properties = (schema.properties ?? {}) as { readonly [name: string]: Schema };
  return missing.map((name) => {
    const own = properties[name] ?? {};
    const moved = findElsewhere(name, own, schema, valueAt(sent, above));
    const value = valueAt(stored, `${above}/${escapePointer(name)}`) ?? moved?.value ?? onlyValue(own);
    return { own: toPlace(name), value, from: (moved?.from ?? []).map(toPlace), example: exampleOf(contractOf(own)) };
  });
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
  const value = correct(Object.fromEntries(moved.map(({ as, value }) => [as, value])), schema);
  const isClear = new Set(moved.map(({ as }) => as)).size === moved.length;
  return moved.length === 0 || !isClear || value === undefined ? null : { value, from: moved.map(({ one }) => one) };
}

/** The value of a field that takes only one; undefined for any other field. */
function onlyValue(schema: Schema): unknown {
  const { const: constant, enum: choices } = schema as { const?: unknown; enum?: readonly unknown[] };
  return constant ?? (choices?.length === 1 ? choices[0] : undefined);
}

/** The demands of the contract as facts: `limit`, `minimum` and `maximum`, `allowed`, `type`, `pattern` or `format`. */
function factsOfMisfit({ keyword, params, schema }: Misfit): FactsOfRefusal {
  switch (keyword) {
    case 'enum':
      return { allowed: params['allowedValues'] };
    case 'const':
      return { allowed: [params['allowedValue']] };
    case 'type':
      return { type: typeOf(params, schema), ...boundsOf(schema) };
    case 'format':
      return { format: params['format'] };
    case 'pattern':
      return { pattern: params['pattern'] };
    case 'minimum':
    case 'maximum':
      return { limit: params['limit'], ...boundsOf(schema) };
    default:
      return 'limit' in params ? { limit: params['limit'] } : {};
  }
}
