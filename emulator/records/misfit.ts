import { cutJson } from '../contract/cut-text.ts';
import { unescapePointer } from '../contract/pointer.ts';
import type { Schema } from '../contract/schema.ts';
import { toValidator, type Misfit, type Validate } from '../contract/validate.ts';
import { nextTurn } from '../globals.ts';
import type { Definitions } from './definition.ts';

/**
 * What is wrong with a record of a collection, as the end of a sentence: `its "url" is 5, not text`. Null if it fits.
 */
export type RecordCheck = (name: string, record: unknown) => string | null;

/** Makes the check of records from outside: imports, seeds, files edited by hand. Compiled when first needed. */
export async function createRecordCheck(definitions: Definitions): Promise<RecordCheck> {
  const validators = new Map<string, Validate>();
  for (const [name, { schema }] of Object.entries(definitions)) {
    validators.set(name, await toValidator(schema));
    // Compiling all of them takes a fifth of a second; requests are answered in between.
    await nextTurn();
  }
  return (name, record) => {
    const validate = validators.get(name);
    if (!validate) throw new Error(`There is no collection ${name}.`);
    const [misfit] = validate(record);
    return misfit ? toWords(misfit) : null;
  };
}

function toWords({ keyword, pointer, value, schema }: Misfit): string {
  const at = unescapePointer(pointer.slice(1));
  if (keyword === 'required') return `its "${at}" is missing`;
  if (keyword === 'additionalProperties') return `it has a field ${shown(at)} that this version does not know`;
  return `its "${at}" is ${shown(value)}, not ${expected(schema)}`;
}

const formatWords: { readonly [format: string]: string } = {
  'date-time': 'an ISO 8601 time',
  timestamp: 'an ISO 8601 time',
  e164: 'a phone number such as +15555550100',
  email: 'an email address',
  'http-url': 'an absolute http or https URL',
};

const typeWords: { readonly [type: string]: string } = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};

interface Expected {
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly examples?: readonly unknown[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The values that a schema accepts, as part of a sentence: `a whole number from 0 to 65535`, `instant or manual`. */
export function expected(schema: Schema): string {
  const wanted = schema as Expected;
  if (wanted.const !== undefined) return shown(wanted.const);
  if (wanted.enum) return wanted.enum.map(String).join(' or ');
  return [wanted.type ?? 'a value']
    .flat()
    .map((type) => {
      if (type === 'string') return toTextWords(wanted);
      const words = typeWords[type] ?? type;
      if (type === 'array') return `${words}${toRange(wanted.minItems, wanted.maxItems, 'of', ['entry', 'entries'])}`;
      return type === 'integer' || type === 'number'
        ? `${words}${toRange(wanted.minimum, wanted.maximum, 'from', null)}`
        : words;
    })
    .join(' or ');
}

function toTextWords({ format, pattern, examples: [example] = [], minLength, maxLength }: Expected): string {
  if (format) return formatWords[format] ?? format;
  const length = toRange(minLength, maxLength, 'of', ['character', 'characters']);
  if (pattern === undefined)
    return minLength === 1 && maxLength === undefined ? 'text that is not empty' : `text${length}`;
  return example === undefined ? `text of the form ${pattern}${length}` : `text such as ${shown(example)}${length}`;
}

/** ` of 1 to 20 characters`, ` of at least 8 characters`, ` from 0 to 10`; nothing if there is no bound. */
function toRange(
  least: number | undefined,
  most: number | undefined,
  between: 'of' | 'from',
  unit: readonly [one: string, many: string] | null,
): string {
  const hasMost = most !== undefined && most !== Number.MAX_SAFE_INTEGER;
  const amount = (count: number): string => (unit ? `${count} ${unit[count === 1 ? 0 : 1]}` : String(count));
  if (least !== undefined && hasMost) return ` ${between} ${least} to ${amount(most)}`;
  if (least !== undefined) return ` of at least ${amount(least)}`;
  return hasMost ? ` of at most ${amount(most)}` : '';
}

/** A value as JSON, shortened. */
export const shown = (value: unknown): string => cutJson(value, 60);
