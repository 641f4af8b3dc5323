import { setImmediate } from 'node:timers/promises';
import type { Schema } from '../contract/schema.ts';
import { toValidator, type Misfit, type Validate } from '../contract/validate.ts';
import type { Definitions } from './definition.ts';

/** What is wrong with a record of a collection, as the end of a sentence: `its "url" is 5, not text`. Null: nothing. */
export type RecordCheck = (name: string, record: unknown) => string | null;

/** Makes the check of records that come from outside: imports, seeds, files edited by hand. Compiled when first needed. */
export async function createRecordCheck(definitions: Definitions): Promise<RecordCheck> {
  const validators = new Map<string, Validate>();
  for (const [name, { schema }] of Object.entries(definitions)) {
    validators.set(name, await toValidator(schema));
    // All of them take a fifth of a second; meanwhile, requests are answered.
    await setImmediate();
  }
  return (name, record) => {
    const validate = validators.get(name);
    if (!validate) throw new Error(`There is no collection ${name}.`);
    const [misfit] = validate(record);
    return misfit ? toWords(misfit) : null;
  };
}

function toWords({ keyword, pointer, value, schema }: Misfit): string {
  const at = pointer.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
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

/** What a schema takes, for a sentence: `a whole number from 0 to 65535`, `instant or manual`. */
export function expected(schema: Schema): string {
  const {
    enum: values,
    format,
    type,
    maxLength,
    minimum,
    maximum,
  } = schema as {
    readonly enum?: readonly unknown[];
    readonly format?: string;
    readonly type?: string | readonly string[];
    readonly maxLength?: number;
    readonly minimum?: number;
    readonly maximum?: number;
  };
  if (values) return values.map(String).join(' or ');
  return [type ?? 'a value']
    .flat()
    .map((one) => {
      const range =
        minimum === undefined || maximum === undefined || maximum === Number.MAX_SAFE_INTEGER
          ? ''
          : ` from ${minimum} to ${maximum}`;
      if (one !== 'string') return `${typeWords[one] ?? one}${range}`;
      if (format) return formatWords[format] ?? format;
      return maxLength === undefined ? 'text' : `text of 1 to ${maxLength} characters`;
    })
    .join(' or ');
}

/** A value as JSON, shortened. */
export function shown(value: unknown): string {
  const json = JSON.stringify(value) ?? 'nothing';
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}
