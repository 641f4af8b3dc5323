import type { LineError } from '../../../contract/ajv-lines.ts';
import type { FormatName } from './formats.ts';
import { isCurrency } from '../../../contract/formats.ts';
import { isDecimal, isHttpUrl, isUtcTimestamp } from './formats.ts';
import { toShownValue, type FoundIssue } from './issues.ts';
import type { CatalogRuleId } from './rules.ts';
import { inThousands } from '../../../contract/digits.ts';

const formatRules: { readonly [F in FormatName]: CatalogRuleId } = {
  'http-url': 'catalog.url',
  'utc-timestamp': 'catalog.timestamp',
  'iso-4217': 'catalog.currency',
  decimal: 'catalog.amount',
};

/** The value a JSON pointer points at. */
function valueAt(value: unknown, pointer: string): unknown {
  let found = value;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    found =
      typeof found === 'object' && found !== null && Object.hasOwn(found, key)
        ? (found as Record<string, unknown>)[key]
        : undefined;
  }
  return found;
}

/** `/variants/2/link` as a person writes it: `variants[2].link`. */
export function toPath(pointer: string): string {
  return pointer
    .slice(1)
    .replaceAll(/\/(\d+)/g, '[$1]')
    .replaceAll('/', '.');
}

function quote(value: unknown): string {
  const shown = toShownValue(value);
  return typeof value === 'string' ? `"${shown}"` : `${shown}`;
}

function typeOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'number') return Number.isInteger(value) ? 'an integer' : 'a number';
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}

const typeNames: { readonly [type: string]: string } = {
  string: 'a string',
  integer: 'an integer',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
};

function typeFix(type: string, value: unknown): string {
  if (value === null) return `Send ${typeNames[type]}, or leave the field out if it is optional.`;
  if (type === 'string' && typeof value !== 'object') return `Write it in double quotes: "${toShownValue(value)}".`;
  if (type === 'integer' && typeof value === 'string' && /^-?\d+$/.test(value)) return `Write ${value} without quotes.`;
  if (type === 'boolean' && (value === 'true' || value === 'false')) return `Write ${value} without quotes.`;
  if (type === 'array') return `Put it in a list: [ … ].`;
  return `Send ${typeNames[type]}.`;
}

function timestampFix(value: string): string {
  const hasOffset = /[+-]\d\d(?::?\d\d)?$/.test(value);
  const ms = Date.parse(hasOffset ? value : `${value}Z`);
  const proposed = Number.isNaN(ms) ? '' : new Date(ms).toISOString();
  if (!isUtcTimestamp(proposed)) return 'Write it like 2026-01-31T09:30:00Z.';
  return hasOffset ? `The same time in UTC is ${proposed}.` : `If it is in UTC, write ${proposed}.`;
}

function urlFix(value: string): string {
  const proposed = `https://${value.replace(/^\/\//, '')}`;
  if (value.length < 200 && !value.includes(':') && isHttpUrl(proposed)) return `Write ${proposed}.`;
  return 'Write the whole address, such as https://shop.example/shirt, with %20 for a space.';
}

function currencyFix(value: string): string {
  const capitals = value.trim().toUpperCase();
  return isCurrency(capitals)
    ? `Write ${capitals}.`
    : 'Write the three-letter code of a current currency in capitals, such as USD.';
}

function amountFix(value: string): string {
  const plain = value.length < 40 ? value.replaceAll(/[^\d.]/g, '') : '';
  const isSafe = /^[^\d,.-]*[\d.]+[^\d,.-]*$/.test(value) && isDecimal(plain);
  return isSafe ? `Write "${plain}".` : 'Write digits with a point before the decimals, such as "12.50".';
}

function describeFormat(format: FormatName, path: string, value: string): string {
  const shown = quote(value);
  if (format === 'http-url') return `${path} is ${shown}, which is not an http or https URL. ${urlFix(value)}`;
  if (format === 'iso-4217') return `${path} is ${shown}, which is not an ISO 4217 currency. ${currencyFix(value)}`;
  if (format === 'decimal') return `${path} is ${shown}, which is not a decimal number. ${amountFix(value)}`;
  return `${path} is ${shown}, which is not an ISO 8601 timestamp in UTC. ${timestampFix(value)}`;
}

function lengthOf(value: unknown): string {
  const length = Array.isArray(value) ? value.length : [...String(value)].length;
  return inThousands(length);
}

/** Describes one error of the schema in `product`, and what to do. */
export function describe({ pointer, keyword, params }: LineError, product: unknown): FoundIssue {
  const value = valueAt(product, pointer);
  const path = toPath(pointer);
  const found = (rule: CatalogRuleId, message: string): FoundIssue => ({
    rule,
    message,
    pointer,
    value: toShownValue(value),
  });
  const limit = Number(params['limit']);

  switch (keyword) {
    case 'required': {
      const field = String(params['missingProperty']);
      const place = path === '' ? 'the product' : path;
      return {
        rule: 'catalog.field-required',
        message: `${field} is missing in ${place}. Add it.`,
        pointer: `${pointer}/${field}`,
        value: null,
      };
    }
    case 'type': {
      const type = String(params['type']);
      if (pointer === '')
        return found(
          'catalog.not-object',
          `The line is ${typeOf(value)}, not a product. Write one object { … } on each line.`,
        );
      return found(
        'catalog.field-type',
        `${path} is ${typeOf(value)}, not ${typeNames[type]}. ${typeFix(type, value)}`,
      );
    }
    case 'maxLength':
      return found(
        'catalog.field-length',
        `${path} has ${lengthOf(value)} characters, the limit is ${inThousands(limit)}. Shorten it.`,
      );
    case 'minLength':
      return found(
        'catalog.field-empty',
        `${path} is required and empty. ${pointer.endsWith('/id') ? 'Give it an id.' : 'Fill it in.'}`,
      );
    case 'minimum':
      return found(
        'catalog.field-range',
        `${path} is ${quote(value)}, the minimum is ${limit}. Write ${limit} or more.`,
      );
    case 'maxItems':
      return found(
        'catalog.items-limit',
        `${path} has ${lengthOf(value)} entries, the limit is ${limit}. Leave out the rest.`,
      );
    case 'minItems':
      // In section 2.1 only the list of variants has a minimum length.
      return found(
        pointer === '/variants' ? 'catalog.items-limit' : 'catalog.field-empty',
        `${path} is empty, the minimum is ${limit}. Add one.`,
      );
    case 'format': {
      const format = params['format'] as FormatName;
      return found(formatRules[format], describeFormat(format, path, String(value)));
    }
    default:
      throw new Error(`The product schema uses the keyword ${keyword}, for which describe.ts has no message.`);
  }
}
