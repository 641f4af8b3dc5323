/** Reads input that does not fit its schema in the type and the form that the schema wants. */
import { isJsonObject } from '../contract/json-object.ts';
import { jsonOf } from '../contract/json-of.ts';
import {
  meantBoolean,
  meantCurrency,
  meantEmail,
  meantNumber,
  meantPhone,
  meantText,
  meantTime,
  meantUrl,
  meantWord,
} from '../contract/meant.ts';
import { contractOf, type Schema } from '../contract/schema.ts';

interface Wanted {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
}

interface Beside {
  /** Whether it is from a query, where a raw plus sign is read as a space. */
  readonly isQuery?: boolean;
  /** The currency that was sent with an amount. */
  readonly currency?: unknown;
}

/**
 * Returns the input unwrapped, wrapped, converted or corrected, with nothing added; undefined if that is not clear.
 * @param beside further facts on which its meaning depends
 */
export function readAs(value: unknown, schema: Schema, { isQuery = false, currency }: Beside = {}): unknown {
  const wanted = contractOf(schema) as Wanted;
  const types = [wanted.type ?? []].flat();
  const takes = (type: string): boolean => types.includes(type);
  if (wanted.enum) return typeof value === 'string' ? meantWord(value, wanted.enum.filter(isText)) : undefined;
  if (Array.isArray(value) && !takes('array')) {
    const named = takes('object') && !wanted.properties ? readPairs(value) : null;
    if (named) return named;
    const [only, ...others] = new Set<unknown>(value);
    return others.length === 0 ? readAs(only, schema, { isQuery, currency }) : undefined;
  }
  if (value === undefined) return undefined;
  if (takes('array')) return readList(value, wanted.items ?? {});
  if (typeof value === 'object') return takes('object') && value !== null ? correct(value, schema) : undefined;
  if (takes('object')) return readObject(value, schema);
  if (typeof value === 'boolean') return takes('boolean') || !isFreeText(wanted, types) ? undefined : String(value);
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (takes('boolean')) return meantBoolean(value) ?? undefined;
  if (takes('integer') || takes('number')) {
    const number = meantNumber(String(value), currency);
    return number !== null && (takes('number') || Number.isSafeInteger(number)) ? number : undefined;
  }
  const text = meantText(value);
  return text === null ? undefined : readText(text, wanted, isQuery);
}

/** Whether any text fits. */
const isFreeText = ({ format, pattern }: Wanted, types: readonly string[]): boolean =>
  types.includes('string') && format === undefined && pattern === undefined;

const isText = (value: unknown): value is string => typeof value === 'string';

/** Reads a list that is written as JSON, or whose only entry was sent without the list. */
function readList(value: unknown, items: Schema): unknown {
  const inner = isText(value) ? jsonOf(value) : value;
  if (Array.isArray(inner)) return correct(inner, { type: 'array', items });
  // Such a text may name several entries.
  if (value === null || value === undefined || (isText(value) && /[,;|\n]/.test(value))) return undefined;
  const entry = readAs(value, items);
  return entry === undefined ? undefined : [entry];
}

/** Reads an object that is written as JSON, or an address that was sent instead of the person who has it. */
function readObject(value: unknown, schema: Schema): unknown {
  const { properties = {} } = contractOf(schema) as Wanted;
  if (!isText(value)) return undefined;
  const inner = jsonOf(value);
  if (isJsonObject(inner)) return correct(inner, schema);
  const email = properties['email'] && meantEmail(value);
  if (email) return { email };
  const phone = properties['phone'] && meantPhone(value);
  return phone ? { phone } : undefined;
}

/** Corrects the names and the texts in a list or an object; undefined if it is not clear what one of them means. */
export function correct(value: unknown, schema: Schema): unknown {
  const wanted = contractOf(schema) as Wanted;
  if (Array.isArray(value)) {
    const entries = value.map((entry: unknown) => correct(entry, wanted.items ?? {}));
    return entries.includes(undefined) ? undefined : entries;
  }
  if (isText(value)) {
    const types = [wanted.type ?? []].flat();
    const isPlain = wanted.enum?.includes(value) || !types.every((type) => type === 'string' || type === 'null');
    return isPlain ? value : readAs(value, schema);
  }
  const { properties } = wanted;
  if (typeof value !== 'object' || value === null || !properties) return value;
  const free = Object.keys(properties).filter((name) => !Object.hasOwn(value, name));
  const fields = Object.entries(value).map(([sent, inner]): readonly [string, unknown] => {
    const name = Object.hasOwn(properties, sent) ? sent : (meantWord(sent, free) ?? sent);
    return [name, correct(inner, properties[name] ?? {})];
  });
  const isClear = new Set(fields.map(([name]) => name)).size === fields.length;
  return isClear && fields.every(([, inner]) => inner !== undefined) ? Object.fromEntries(fields) : undefined;
}

/**
 * Converts a list of names and values, the form in which attributes are read, to an object. An empty list, as PHP
 * writes an empty array, becomes an empty object. Null for other lists.
 */
function readPairs(list: readonly unknown[]): object | null {
  const pairs = list.flatMap((entry) => {
    if (!isJsonObject(entry) || Object.keys(entry).length !== 2) return [];
    const { name, value } = entry;
    return isText(name) && value !== undefined ? [[name, value] as const] : [];
  });
  const names = new Set(pairs.map(([name]) => name));
  return names.size === list.length ? Object.fromEntries(pairs) : null;
}

function readText(text: string, { format, pattern }: Wanted, isQuery: boolean): string | undefined {
  switch (format) {
    case undefined:
      return pattern === undefined || new RegExp(pattern, 'u').test(text) ? text : undefined;
    case 'e164':
      return meantPhone(text) ?? undefined;
    case 'email':
      return meantEmail(text, isQuery) ?? undefined;
    case 'http-url':
      return meantUrl(text) ?? undefined;
    case 'iso-4217':
      return meantCurrency(text) ?? undefined;
    case 'timestamp':
    case 'date-time':
      return meantTime(text) ?? undefined;
    default:
      return undefined;
  }
}
