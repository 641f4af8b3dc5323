import type { AnySchema, ErrorObject } from 'ajv';
import { formats } from './formats.ts';
import { escapePointer, unescapePointer, valueAt } from './pointer.ts';
import { contractOf, type Limits, type Origin, type Provenance, type Schema } from './schema.ts';

/** One way in which a value does not fit its schema. `pointer` is a JSON pointer to the place. */
export interface Misfit {
  readonly keyword: string;
  readonly pointer: string;
  readonly value: unknown;
  /** Whether the value is the name of a field, and this name does not fit. */
  readonly isName: boolean;
  readonly message: string;
  readonly params: { readonly [name: string]: unknown };
  /** The part of the schema that failed. */
  readonly schema: Schema;
  /** Where that part comes from: its tag, or the tag of the nearest part around it; null if none has one. */
  readonly origin: Origin | null;
  /** Whether the place may be left out. */
  readonly optional: boolean;
  /** All required fields that the object lacks, if the misfit is a missing field. */
  readonly missing: readonly string[];
}

export type Validate = (value: unknown) => readonly Misfit[];

const noMisfit: readonly Misfit[] = [];
/** How many misfits a validator reports: the first one, or all. */
type Misfits = 'first' | 'all';
type Compiler = (schema: Schema) => Validate;
const compiled = { first: new WeakMap<object, Validate>(), all: new WeakMap<object, Validate>() };
const compilers: { [M in Misfits]?: Compiler } = {};

/**
 * Compiles a schema to a validator, once per process and schema value: compiling for each app would take most of its
 * start-up time. Ajv is loaded with the first schema: loading it takes a quarter of a bare server's start-up.
 */
export async function toValidator(schema: Schema, misfits: Misfits = 'first'): Promise<Validate> {
  const known = compiled[misfits].get(schema);
  if (known) return known;
  const compile = (compilers[misfits] ??= await loadCompiler(misfits));
  const validate = compile(schema);
  compiled[misfits].set(schema, validate);
  return validate;
}

async function loadCompiler(misfits: Misfits): Promise<Compiler> {
  const { Ajv2020 } = await import('ajv/dist/2020.js');
  const ajv = new Ajv2020({
    // The tests check our schemas with a public linter; checking them here would cost the first request 10 ms.
    meta: false,
    validateSchema: false,
    strict: true,
    strictRequired: false,
    allowUnionTypes: true,
    allErrors: misfits === 'all',
    verbose: true,
    ownProperties: true,
    // Ajv's optimizer doubles the time to compile, and the validators are no faster: 150 schemas took 422 to 845 ms
    // with it and 211 to 272 ms without, one check 39 to 43 ns either way.
    code: { optimize: false },
  });
  for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check);
  ajv.addVocabulary(['x-provenance', 'x-reason', 'x-limits', 'x-contract', 'x-rule', 'example']);
  return (schema) => {
    const check = ajv.compile(schema as AnySchema);
    return (value) => {
      if (check(value)) return noMisfit;
      const errors = check.errors ?? [];
      return (misfits === 'all' ? errors : withMeant(errors)).map((error) => toMisfit(error, schema, value));
    };
  };
}

/**
 * The errors. If a value fits no alternative of an `anyOf`, one error is added in front: the first error of the
 * alternative that takes its type, or, if none does, an error with all types that are taken.
 */
function withMeant(errors: readonly ErrorObject[]): readonly ErrorObject[] {
  const whole = errors.at(-1);
  if (whole?.keyword !== 'anyOf') return errors;
  const own = errors.filter(({ schemaPath }) => schemaPath.startsWith(`${whole.schemaPath}/`));
  const isOtherType = ({ keyword, instancePath }: ErrorObject): boolean =>
    keyword === 'type' && instancePath === whole.instancePath;
  const meant = own.find((error) => !isOtherType(error));
  if (meant) return [meant, ...errors];
  const type = own.flatMap(({ params }) => params['type'] as string | readonly string[]);
  return type.length === 0
    ? errors
    : [{ ...whole, keyword: 'type', params: { type }, message: `must be ${type.join(',')}` }, ...errors];
}

function toMisfit(error: ErrorObject, whole: Schema, value: unknown): Misfit {
  const { missingProperty, additionalProperty } = error.params as Record<string, string | undefined>;
  const last = missingProperty ?? additionalProperty ?? error.propertyName;
  return {
    keyword: error.keyword,
    pointer: last === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(last)}`,
    value: missingProperty === undefined ? error.data : undefined,
    isName: error.propertyName !== undefined,
    message: error.message ?? error.keyword,
    params: error.params,
    schema: (error.parentSchema ?? {}) as Schema,
    origin: originOf(error, whole),
    optional: isOptional(error, whole, value),
    missing:
      missingProperty === undefined
        ? []
        : (error.schema as readonly string[]).filter((name) => !Object.hasOwn(error.data as object, name)),
  };
}

/** Says what is expected at the place of the misfit: `must be a string`, `must be "sms.sent"`. */
export function sayExpected({ message, params: { allowedValue, allowedValues } }: Misfit): string {
  if (allowedValue !== undefined) return `must be ${JSON.stringify(allowedValue)}`;
  if (!Array.isArray(allowedValues)) return message;
  return `must be one of ${allowedValues.map((value) => JSON.stringify(value)).join(', ')}`;
}

/** Whether the place can be left out: a field that its object does not require, or an entry of a list with others. */
function isOptional({ schemaPath, instancePath }: ErrorObject, whole: Schema, value: unknown): boolean {
  if (/\/items\/[^/]+$/.test(schemaPath)) {
    const list = valueAt(value, instancePath.slice(0, instancePath.lastIndexOf('/')));
    return Array.isArray(list) && list.length > 1;
  }
  const [, within = '', field] = /^#(.*)\/properties\/([^/]+)\/[^/]+$/.exec(schemaPath) ?? [];
  if (field === undefined) return false;
  const { required = [] } = contractOf(partsOf(whole, within).at(-1) ?? {}) as {
    readonly required?: readonly string[];
  };
  return !required.includes(toStep(field));
}

interface Tagged {
  readonly 'x-provenance': Provenance;
  readonly 'x-reason'?: string;
}

function originOf({ schemaPath, params, keyword, parentSchema }: ErrorObject, whole: Schema): Origin | null {
  const limits = parentSchema?.['x-limits'] as Limits | undefined;
  if (limits?.keywords.includes(keyword)) return { provenance: limits.provenance, reason: limits.reason };
  const { missingProperty } = params as { readonly missingProperty?: string };
  const parts = partsOf(whole, schemaPath.slice(1));
  const field = (parts.at(-2) as Schema | undefined)?.properties?.[missingProperty ?? ''];
  const tagged = [...parts, field].findLast((part) => Object.hasOwn(Object(part), 'x-provenance')) as
    Tagged | undefined;
  return tagged ? { provenance: tagged['x-provenance'], reason: tagged['x-reason'] ?? '' } : null;
}

/** The schema, and each part of it on a path. */
function partsOf(whole: Schema, path: string): readonly unknown[] {
  const parts: unknown[] = [whole];
  for (const step of path.split('/').slice(1).map(toStep))
    parts.push((parts.at(-1) as { readonly [name: string]: unknown } | undefined)?.[step]);
  return parts;
}

/** One name of the path of a schema, which is a JSON pointer in a URL. */
const toStep = (text: string): string => unescapePointer(decodeURIComponent(text));
