import { isCurrency } from '../contract/formats.ts';
import { hasRawPlus, meantEmail, meantPhone, meantUrl, sayRawPlus } from '../contract/meant.ts';
import { escapePointer, toName, valueAt } from '../contract/pointer.ts';
import { exampleOf, type Schema } from '../contract/schema.ts';
import { nearestOf } from '../contract/unknown-fields.ts';
import type { Misfit } from '../contract/validate.ts';
import { didYouMean } from '../errors.ts';
import { remove, rule, set, show, type FactsOfRefusal, type Fix, type Place, type Rule } from '../rules.ts';

export interface FitFacts {
  readonly misfit: Misfit;
  readonly where: string;
  readonly kind: Place['in'];
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
function typeOf(params: Misfit['params'], schema: Schema): unknown {
  const { 'x-contract': contract } = schema as { readonly 'x-contract'?: { readonly type?: unknown } };
  return contract?.type ?? params['type'];
}

const choicesOf = (params: Misfit['params']): readonly unknown[] => params['allowedValues'] as readonly unknown[];

/** The choice that was probably meant; null if none is similar. */
function nearestChoice(params: Misfit['params'], value: unknown): string | null {
  const texts = choicesOf(params).filter((choice) => typeof choice === 'string');
  return typeof value === 'string' ? nearestOf(value, texts) : null;
}

function fixMisfit({ misfit, stored }: FitFacts, place: Place): Fix {
  const { keyword, params, value, schema, optional } = misfit;
  if (keyword === 'additionalProperties' || (keyword === 'type' && value === null && optional))
    return { say: 'Leave it out.', edits: [remove(place)] };
  if (keyword === 'required') return addMissing(misfit, place, stored);
  // An example would overwrite what is stored.
  const example = (): unknown => valueAt(stored, misfit.pointer) ?? exampleOf(schema);
  const wanted = (() => {
    switch (keyword) {
      case 'maxLength':
        return [...String(value)].slice(0, Number(params['limit'])).join('');
      case 'maxItems':
        return (value as readonly unknown[]).slice(0, Number(params['limit']));
      case 'minimum':
      case 'maximum':
        return params['limit'];
      case 'enum':
        return nearestChoice(params, value) ?? coerced(value, schema, place) ?? example();
      default:
        return coerced(value, schema, place) ?? example();
    }
  })();
  return { say: `Send ${show(wanted)} there.`, edits: [set(place, wanted)] };
}

/** Adds all required fields that the object lacks, not only the one that the message names; those that are stored, as they are. */
function addMissing({ schema, missing }: Misfit, place: Place, stored: object | null): Fix {
  const properties = schema.properties as { readonly [name: string]: object } | undefined;
  const above = place.at.slice(0, place.at.lastIndexOf('/') + 1);
  const added = missing.map((name) => {
    const at = { ...place, at: place.in === 'body' ? above + escapePointer(name) : name };
    return { at, wanted: valueAt(stored, at.at) ?? exampleOf(properties?.[name] ?? {}) };
  });
  return {
    say: `Send ${added.map(({ at, wanted }) => `${show(wanted)} as ${toName(at.in === 'body' ? at.at : `/${at.at}`)}`).join(', ')}.`,
    edits: added.map(({ at, wanted }) => set(at, wanted)),
  };
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

/** What was sent, in the type or the form that the schema wants; undefined if that is not clear. */
function coerced(value: unknown, schema: Schema, place: Place): unknown {
  const { type, format, enum: choices } = schema as { type?: string | string[]; format?: string; enum?: unknown[] };
  if (choices && typeof value === 'string')
    return choices.find((choice) => String(choice).toLowerCase() === value.toLowerCase());
  const types = [type].flat();
  if (types.includes('string') && (typeof value === 'number' || typeof value === 'boolean') && !format)
    return String(value);
  if (typeof value !== 'string') return undefined;
  if (format === 'e164') return meantPhone(value) ?? undefined;
  if (format === 'email') return meantEmail(value, place.in === 'query') ?? undefined;
  if (format === 'http-url') return meantUrl(value) ?? undefined;
  if (format === 'iso-4217') return isCurrency(value.toUpperCase()) ? value.toUpperCase() : undefined;
  const inner = jsonOf(value);
  if (types.includes('object') && typeof inner === 'object' && inner !== null && !Array.isArray(inner)) return inner;
  if (types.includes('array')) return Array.isArray(inner) ? inner : takesTexts(schema) ? [value] : undefined;
  const text = value.trim();
  if (types.includes('boolean') && /^(?:true|false)$/i.test(text)) return text.toLowerCase() === 'true';
  const number = /^-?\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (types.includes('integer') && Number.isSafeInteger(number)) return number;
  return types.includes('number') && Number.isFinite(number) ? number : undefined;
}

/** The value of a JSON text; undefined for any other text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function takesTexts({ items }: { readonly items?: unknown }): boolean {
  return (items as { readonly type?: unknown } | undefined)?.type === 'string';
}
