import type { LineError } from '../../../contract/ajv-lines.ts';
import type { FormatName } from './formats.ts';
import { toShownValue, type FoundIssue } from './issues.ts';
import { proposeFormat, proposeType, typeNames, type Field, type Proposal } from './proposals.ts';
import type { CatalogRuleId } from './rules.ts';
import { schemaAt } from './schema-at.ts';
import { inThousands } from '../../../contract/digits.ts';
import { sayNoSuchTime } from '../../../contract/formats.ts';
import { valueAt } from '../../../contract/pointer.ts';
import { nearestOf } from '../../../contract/unknown-fields.ts';

const formatRules: { readonly [F in FormatName]: CatalogRuleId } = {
  'http-url': 'catalog.url',
  'utc-timestamp': 'catalog.timestamp',
  'iso-4217': 'catalog.currency',
  decimal: 'catalog.amount',
};

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

const formatWords: { readonly [F in FormatName]: string } = {
  'http-url': 'an http or https URL',
  'iso-4217': 'an ISO 4217 currency',
  decimal: 'a decimal number without a sign',
  'utc-timestamp': 'an ISO 8601 timestamp in UTC',
};

function lengthOf(value: unknown): string {
  const length = Array.isArray(value) ? value.length : [...String(value)].length;
  return inThousands(length);
}

/**
 * The field at a place of `product`. An entry of a list is not optional, because without it the list would be another
 * one.
 */
function toField(pointer: string, product: unknown): Field {
  const [, holder = '', name = ''] = /^(.*)\/([^/]*)$/s.exec(pointer) ?? [];
  const { items, required = [] } = schemaAt(holder);
  const currency = valueAt(product, `${holder}/currencyCode`);
  const { format, items: entries } = schemaAt(pointer);
  return { isOptional: items === undefined && !required.includes(name), format, currency, items: entries };
}

/** Describes one error of the schema in `product`, and what to do. */
export function describe({ pointer, keyword, params }: LineError, product: unknown): FoundIssue {
  const value = valueAt(product, pointer);
  const path = toPath(pointer);
  const found = (rule: CatalogRuleId, message: string, proposal?: Proposal): FoundIssue => ({
    rule,
    message,
    pointer,
    value: toShownValue(value),
    ...(proposal?.value === undefined ? {} : { proposed: proposal.value }),
  });
  const limit = Number(params['limit']);

  switch (keyword) {
    case 'required': {
      const field = String(params['missingProperty']);
      const place = path === '' ? 'the product' : path;
      const known = Object.keys(schemaAt(pointer).properties ?? {});
      const misspelt = nearestOf(
        field,
        Object.keys(Object(value)).filter((name) => !known.includes(name)),
      );
      return {
        rule: 'catalog.field-required',
        message: `${field} is missing in ${place}. ${misspelt === null ? 'Add it.' : `Rename "${misspelt}", if that is it.`}`,
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
      const proposal = proposeType(type, value, toField(pointer, product));
      return found(
        'catalog.field-type',
        `${path} is ${typeOf(value)}, not ${typeNames[type]}. ${proposal.say}`,
        proposal,
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
      const proposal = proposeFormat(format, String(value), toField(pointer, product));
      const noSuch = format === 'utc-timestamp' && sayNoSuchTime(String(value));
      const wrong = noSuch ? `not an ISO 8601 time: ${noSuch}` : `not ${formatWords[format]}`;
      return found(
        formatRules[format],
        `${path} is ${quote(String(value))}, which is ${wrong}. ${proposal.say}`,
        proposal,
      );
    }
    default:
      throw new Error(`The product schema uses the keyword ${keyword}, for which describe.ts has no message.`);
  }
}
