import { isUtcTimestamp } from '../../../contract/formats.ts';
import { meantCurrency, meantText, meantTime, meantUrl, withoutCurrency } from '../../../contract/meant.ts';
import { createFormats, isDecimal, isCatalogUrl, type FormatName } from './formats.ts';
import { toShownValue } from './issues.ts';
import type { SchemaNode } from './schema-at.ts';

/**
 * Advice about a value in error. `value`: the value to write instead, if only one can be meant; null if the field is to
 * be left out, because null is never a valid value.
 */
export interface Proposal {
  readonly say: string;
  readonly value?: string | number | boolean | readonly unknown[] | null;
}

/** The field that has the value: its part of the schema, and the currency next to an amount. */
export interface Field {
  readonly isOptional: boolean;
  readonly format?: FormatName | undefined;
  readonly currency?: unknown;
  /** The schema of the entries, if the field is a list. */
  readonly items?: SchemaNode | undefined;
}

const formats = createFormats();

export const typeNames: { readonly [type: string]: string } = {
  string: 'a string',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** The proposal for a value of another type than the schema's. */
export function proposeType(type: string, value: unknown, field: Field): Proposal {
  if (value === null)
    return field.isOptional
      ? { say: `Send ${typeNames[type]}, or leave the field out.`, value: null }
      : { say: `Send ${typeNames[type]}.` };
  if (type === 'string' && (typeof value === 'number' || typeof value === 'boolean')) return proposeText(value, field);
  if (type === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value))
    return { say: `Write ${value} without quotes.`, value: Number(value) };
  if (type === 'boolean' && (value === 'true' || value === 'false'))
    return { say: `Write ${value} without quotes.`, value: value === 'true' };
  if (type === 'array') return proposeList(value, field.items);
  return { say: `Send ${typeNames[type]}.` };
}

/** Proposes a list with the value, if the value is certainly one entry of it. */
function proposeList(value: unknown, entry: Field['items']): Proposal {
  const inList = { say: 'Put it in a list: [ … ].', value: [value] };
  if (entry?.type === 'object') {
    const { required = [] } = entry;
    const isEntry = typeof value === 'object' && required.every((name) => Object.hasOwn(value ?? {}, name));
    const example = required.map((name) => `"${name}": …`).join(', ');
    return isEntry ? inList : { say: `Send a list of objects with ${required.join(', ')}: [{ ${example} }].` };
  }
  // "red, blue" may be one entry or two.
  return typeof value === 'string' && !/[,;|\n]/.test(value)
    ? inList
    : { say: 'Send a list with each entry in double quotes: ["…", "…"].' };
}

/** Proposes a number or a boolean as text, if the text has the format. */
function proposeText(value: number | boolean, field: Field): Proposal {
  const text = meantText(value);
  if (field.format !== undefined && !formats[field.format](text ?? String(value)))
    return proposeFormat(field.format, text ?? String(value), field);
  return text === null
    ? { say: 'Write it in double quotes.' }
    : { say: `Write it in double quotes: "${toShownValue(value)}".`, value: text };
}

/** The proposal for a string that does not have its format. */
export function proposeFormat(format: FormatName, value: string, { currency }: Field): Proposal {
  switch (format) {
    case 'http-url':
      return proposeUrl(value);
    case 'iso-4217':
      return proposeCurrency(value);
    case 'decimal':
      return proposeAmount(value, currency);
    case 'utc-timestamp':
      return proposeTime(value);
  }
}

function proposeTime(value: string): Proposal {
  const proposed = meantTime(value);
  if (proposed === null || !isUtcTimestamp(proposed)) return { say: 'Write it like 2026-01-31T09:30:00Z.' };
  // The end of a day, as in 2026-01-31, is not an offset.
  if (/[T\s].*(?:Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)$/i.test(value.trim()))
    return { say: `The same time in UTC is ${proposed}.`, value: proposed };
  // Only its writer knows what else the text can mean.
  const digits = /^\d+/.exec(value.trim())?.[0].length;
  const condition = digits === 13 ? 'in milliseconds since 1970' : digits === 10 ? 'in seconds since 1970' : 'in UTC';
  return { say: `If it is ${condition}, write ${proposed}.` };
}

function proposeUrl(value: string): Proposal {
  const proposed = value.length < 200 ? meantUrl(value) : null;
  return proposed !== null && isCatalogUrl(proposed)
    ? { say: `Write ${proposed}.`, value: proposed }
    : { say: 'Write the whole address, such as https://shop.example/shirt, with %20 for a space.' };
}

function proposeCurrency(value: string): Proposal {
  const code = meantCurrency(value);
  return code === null
    ? { say: 'Write the three-letter code of a current currency in capitals, such as USD.' }
    : { say: `Write ${code}.`, value: code };
}

/** Only spaces and the currency's own code and symbols are left out: anything else may change the price. */
function proposeAmount(value: string, currency: unknown): Proposal {
  const plain = withoutCurrency(value, currency);
  return value.length < 40 && isDecimal(plain)
    ? { say: `Write "${plain}".`, value: plain }
    : { say: 'Write digits with a point before the decimals, such as "12.50".' };
}
