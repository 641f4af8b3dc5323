/**
 * Checks input against the schemas of its operation: refuses input that does not fit, and notes fields that are not
 * read.
 */
import { toName, toParameter, valueAt } from '../contract/pointer.ts';
import { toPrintableLine } from '../contract/printable.ts';
import type { Schema } from '../contract/schema.ts';
import { namesSecret } from '../contract/secret-places.ts';
import { findUnknownFields, mostUnknown, type UnknownField } from '../contract/unknown-fields.ts';
import { toValidator, type Misfit, type Validate } from '../contract/validate.ts';
import { inForm, inObject, inQuery, refuse, remove, set, type Place, type Refusal } from '../rules.ts';
import type { Choices } from './choices.ts';
import type { Endpoint } from './endpoint.ts';
import type { FitFacts } from './fit-rule.ts';
import { ruleOfMisfit } from './input-rules.ts';
import { readAs } from './read-as.ts';
import { strictRules } from './strict-rules.ts';

/** The record that the body replaces, in the form of the body; fixes use its values. Null if there is none. */
export type Stored = () => object | null;

/** The checks of an operation. Each refuses input that does not fit; null if the operation takes no such input. */
export interface Checks {
  readonly params: ((value: unknown) => void) | null;
  readonly query: ((value: unknown) => void) | null;
  readonly body: ((value: unknown, stored?: Stored) => void) | null;
}

/** Compiles the schemas of an operation. */
export async function toChecks({ params, query, body }: Endpoint): Promise<Checks> {
  return {
    params: params && toCheck(await toValidator(params), 'path'),
    query: query && toCheck(await toValidator(query), 'query'),
    body: body && toCheck(await toValidator(body.schema), body.type === 'form' ? 'form' : 'body'),
  };
}

/** A check of values that refuses the first misfit. @param kind where the value was sent */
export function toCheck(validate: Validate, kind: Place['in']): (value: unknown, stored?: Stored) => void {
  return (value, stored) => {
    const misfit = validate(value)[0];
    if (!misfit) return;
    refuseNoSuchField(misfit, value, kind);
    refuseMisfit(misfit, { sent: value, kind, stored: stored?.() ?? null, validate });
  };
}

/**
 * Refuses a name that an object may not have. This comes before a missing name, which is probably the same one,
 * misspelt.
 */
function refuseNoSuchField({ keyword, schema, pointer }: Misfit, whole: unknown, kind: Place['in']): void {
  if (keyword !== 'additionalProperties' && !(keyword === 'required' && schema.additionalProperties === false)) return;
  const above = pointer.slice(0, pointer.lastIndexOf('/'));
  const own = findUnknownFields(schema, valueAt(whole, above)).find((one) => !one.pointer.slice(1).includes('/'));
  if (own) refuseUnknown(strictRules.noSuchField, own, { kind, above });
}

/** @param above the pointer of the object to which the pointers of the field are relative */
function refuseUnknown(
  rule: typeof strictRules.unknownField,
  { pointer, nearest, known, value }: UnknownField,
  {
    kind,
    above = '',
    isOfBody = false,
  }: { readonly kind: Place['in']; readonly above?: string; readonly isOfBody?: boolean },
): never {
  const toPlace = (at: string): Place => ({ in: kind, at: kind === 'body' ? above + at : toParameter(at) });
  const meant = nearest === null ? null : { name: toName(above + nearest), place: toPlace(nearest) };
  const name = toName(above + pointer);
  const within = above === '' ? null : toName(above);
  return refuse(rule, toPlace(pointer), value, { name, nearest: meant, known, within, value, isOfBody });
}

function refuseMisfit(misfit: Misfit, input: Omit<FitFacts, 'misfit' | 'where'>): never {
  const { kind } = input;
  const at = kind === 'body' ? misfit.pointer : toParameter(misfit.pointer);
  const named = toPrintableLine(toName(misfit.pointer));
  const where = misfit.pointer === '' ? `The ${kind}` : kind === 'body' ? named : `The ${kind} parameter ${named}`;
  return refuse(ruleOfMisfit(misfit), { in: kind, at }, misfit.value, { ...input, misfit, where });
}

/**
 * Leaves out empty parameters that must have a format, because public clients send `?phone=&email=…` (docs/platform.md,
 * Subscriptions).
 */
export function withoutEmpty<Q extends object>(
  { properties = {} }: Schema,
  query: Q,
  note: (remark: string) => void,
): Q {
  const sent = Object.entries(query);
  const given = sent.filter(([name, value]) => value !== '' || !hasFormat(properties[name]));
  if (given.length === sent.length) return query;
  for (const [name] of sent)
    if (!given.some(([one]) => one === name)) note(`${name} was sent as "" and was read as left out.`);
  return Object.fromEntries(given) as Q;
}

/** Reads the parameters that are whole numbers. Any other text stays as it is, and is refused by the schema. */
export function withNumbers<Q extends object>({ properties = {} }: Schema, query: Q): Q {
  const isNumber = (name: string, value: unknown): boolean =>
    (properties[name] as Schema | undefined)?.type === 'integer' && /^-?\d{1,16}$/.test(String(value));
  const read = Object.entries(query).map(([name, value]) => [name, isNumber(name, value) ? Number(value) : value]);
  return Object.fromEntries(read) as Q;
}

function hasFormat(schema: unknown): boolean {
  return typeof schema === 'object' && schema !== null && 'format' in schema;
}

const noQuery: Schema = { type: 'object', properties: {} };

/** Every parameter that is not read is noted, or refused if the developer chose that. */
export function tellUnknownParameters(
  { query: schema, body }: Endpoint,
  query: unknown,
  choices: Choices,
  note: (remark: string) => void,
): void {
  tellUnknown({ schema: schema ?? noQuery, kind: 'query', ofBody: fieldsOf(body?.schema) }, query, choices, note);
}

/** Every field of a body that is ignored is noted, or refused if the developer chose that. */
export function tellUnknownFields(
  { body: contract }: Endpoint,
  body: unknown,
  choices: Pick<Choices, 'unknownFields'>,
  note: (remark: string) => void,
): void {
  if (!contract) return;
  const kind = contract.type === 'form' ? 'form' : 'body';
  tellUnknown({ schema: contract.schema, kind, ofBody: [] }, body, choices, note);
}

interface Told {
  readonly schema: Schema;
  readonly kind: Place['in'];
  /** The fields of the body, which some programs send in the query. */
  readonly ofBody: readonly string[];
}

function tellUnknown(
  { schema, kind, ofBody }: Told,
  value: unknown,
  { unknownFields }: Pick<Choices, 'unknownFields'>,
  note: (remark: string) => void,
): void {
  const found = findUnknownFields(schema, value);
  for (const unknown of found) {
    const { pointer, nearest } = unknown;
    const isOfBody = ofBody.includes(toParameter(pointer));
    if (unknownFields === 'refuse') refuseUnknown(strictRules.unknownField, unknown, { kind, isOfBody });
    const meant = nearest === null ? '' : ` Did you mean ${toName(nearest)}?`;
    note(
      isOfBody
        ? `${toName(pointer)} was sent in the query, where it is not read: it is a field of the body.`
        : `${toPrintableLine(toName(pointer))} is not a field of this operation and was ignored.${meant}`,
    );
  }
  if (found.length === mostUnknown) note(`No more than ${mostUnknown} ignored fields are named; there may be others.`);
}

/**
 * The refusal of a request in which fields of the body are missing. If they were sent in the query, where they are not
 * read, its fix moves them; any other value would be a guess.
 * @param query the query as it was sent
 */
export function withFieldsOfQuery(
  refusal: Refusal,
  { query: read, body: contract }: Endpoint,
  query: { readonly [name: string]: unknown },
): Refusal {
  const { place, value, fix } = refusal;
  const isOfBody = contract !== null && (place.in === 'body' || place.in === 'form');
  // A fix that removes something already renames what was sent.
  if (!isOfBody || (value !== undefined && value !== null) || fix.edits.some(({ op }) => op === 'remove'))
    return refusal;
  const toPlace = contract.type === 'form' ? inForm : inObject('');
  const wanted = [place, ...fix.edits.flatMap((edit) => (edit.op === 'set' ? [edit.place] : []))].map(({ at }) => at);
  // A client that sends one field of a form in the query sends all there.
  const isWanted = (name: string): boolean =>
    place.in === 'form' || wanted.includes('') || wanted.includes(toPlace(name).at);
  const fields = Object.entries((contract.schema.properties ?? {}) as { readonly [name: string]: Schema });
  const moved = fields.flatMap(([name, schema]) => {
    const sent = query[name];
    if (!isWanted(name) || typeof sent !== 'string' || sent === '' || fieldsOf(read ?? undefined).includes(name))
      return [];
    const value = [schema.type ?? 'string'].flat().includes('string') ? sent : readAs(sent, schema);
    return value === undefined ? [] : [{ name, value }];
  });
  if (moved.length === 0) return refusal;
  const names = moved.map(({ name }) => name).join(', ');
  // Edits are shown as they are, so they repeat no secret.
  const shown = moved.some(({ name }) => namesSecret(name)) ? [] : moved;
  const edits = shown.flatMap(({ name, value: own }) => [remove(inQuery(name)), set(toPlace(name), own)]);
  return refusal.with({ fix: { say: `Send ${names} in the body, not in the query.`, edits } });
}

const fieldsOf = (schema?: Schema): readonly string[] => Object.keys(schema?.properties ?? {});
