import { isCurrency, toEpoch } from '../../../contract/formats.ts';
import { isDecimal, isHttpUrl, isUtcTimestamp, type FormatName } from './formats.ts';
import { toShownValue } from './issues.ts';

/** What to do about a value in error. `value`: what to write instead, where there is one way to mean it. */
export interface Proposal {
  readonly say: string;
  readonly value?: string | number | boolean | readonly unknown[];
}

export const typeNames: { readonly [type: string]: string } = {
  string: 'a string',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

/** For a value of another type than the schema's. */
export function proposeType(type: string, value: unknown): Proposal {
  if (value === null) return { say: `Send ${typeNames[type]}, or leave the field out if it is optional.` };
  if (type === 'string' && typeof value !== 'object')
    return { say: `Write it in double quotes: "${toShownValue(value)}".`, value: String(value) };
  if (type === 'integer' && typeof value === 'string' && /^-?\d{1,15}$/.test(value))
    return { say: `Write ${value} without quotes.`, value: Number(value) };
  if (type === 'boolean' && (value === 'true' || value === 'false'))
    return { say: `Write ${value} without quotes.`, value: value === 'true' };
  if (type === 'array') return { say: `Put it in a list: [ … ].`, value: [value] };
  return { say: `Send ${typeNames[type]}.` };
}

/** For a string that is not of its format. */
export function proposeFormat(format: FormatName, value: string): Proposal {
  return { 'http-url': proposeUrl, 'iso-4217': proposeCurrency, decimal: proposeAmount, 'utc-timestamp': proposeTime }[
    format
  ](value);
}

function proposeTime(value: string): Proposal {
  const hasOffset = /[+-]\d\d(?::?\d\d)?$/.test(value);
  const ms = toEpoch(value) ?? Date.parse(hasOffset ? value : `${value}Z`);
  const proposed = Number.isNaN(ms) ? '' : new Date(ms).toISOString();
  if (!isUtcTimestamp(proposed)) return { say: 'Write it like 2026-01-31T09:30:00Z.' };
  // Without an offset only its writer knows whether it is in UTC.
  return hasOffset
    ? { say: `The same time in UTC is ${proposed}.`, value: proposed }
    : { say: `If it is in UTC, write ${proposed}.` };
}

function proposeUrl(value: string): Proposal {
  const proposed = `https://${value.replace(/^\/\//, '')}`;
  return value.length < 200 && !value.includes(':') && isHttpUrl(proposed)
    ? { say: `Write ${proposed}.`, value: proposed }
    : { say: 'Write the whole address, such as https://shop.example/shirt, with %20 for a space.' };
}

function proposeCurrency(value: string): Proposal {
  const capitals = value.trim().toUpperCase();
  return isCurrency(capitals)
    ? { say: `Write ${capitals}.`, value: capitals }
    : { say: 'Write the three-letter code of a current currency in capitals, such as USD.' };
}

function proposeAmount(value: string): Proposal {
  const plain = value.length < 40 ? value.replaceAll(/[^\d.]/g, '') : '';
  const isSafe = /^[^\d,.-]*[\d.]+[^\d,.-]*$/.test(value) && isDecimal(plain);
  return isSafe
    ? { say: `Write "${plain}".`, value: plain }
    : { say: 'Write digits with a point before the decimals, such as "12.50".' };
}
