/** What input that does not fit its schema says, in the type and the form that the schema wants. */
import { isCurrency } from '../contract/formats.ts';
import {
  meantBoolean,
  meantEmail,
  meantNumber,
  meantPhone,
  meantText,
  meantTime,
  meantUrl,
  meantWord,
} from '../contract/meant.ts';
import { contractOf, type Schema } from '../contract/schema.ts';
import { toIso } from '../time/clock.ts';

interface Wanted {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly pattern?: string;
  readonly enum?: readonly unknown[];
  readonly items?: Schema;
  readonly properties?: { readonly [name: string]: Schema };
}

/**
 * What was sent, unwrapped, wrapped, converted or corrected, with nothing added; undefined if that is not clear.
 * @param isQuery whether it is from a query, where a raw plus sign is read as a space
 */
export function readAs(value: unknown, schema: Schema, isQuery = false): unknown {
  const wanted = contractOf(schema) as Wanted;
  const types = [wanted.type ?? []].flat();
  const takes = (type: string): boolean => types.includes(type);
  if (wanted.enum) return typeof value === 'string' ? meantWord(value, wanted.enum.filter(isText)) : undefined;
  if (Array.isArray(value) && !takes('array')) {
    const [only, ...others] = new Set<unknown>(value);
    return others.length === 0 ? readAs(only, schema, isQuery) : undefined;
  }
  if (value === undefined) return undefined;
  if (takes('array')) return readList(value, wanted.items ?? {});
  if (typeof value === 'object') return takes('object') && value !== null ? value : undefined;
  if (takes('object')) return readObject(value, wanted);
  if (typeof value === 'boolean') return takes('boolean') || !isFreeText(wanted, types) ? undefined : String(value);
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  if (takes('boolean')) return meantBoolean(value) ?? undefined;
  if (takes('integer') || takes('number')) {
    const number = meantNumber(String(value));
    return number !== null && (takes('number') || Number.isSafeInteger(number)) ? number : undefined;
  }
  const text = meantText(value);
  return text === null ? undefined : readText(text, wanted, isQuery);
}

/** Whether any text is one of those that are wanted. */
const isFreeText = ({ format, pattern }: Wanted, types: readonly string[]): boolean =>
  types.includes('string') && format === undefined && pattern === undefined;

const isText = (value: unknown): value is string => typeof value === 'string';

/** A list that is written as JSON, or of which one entry was sent without the list. */
function readList(value: unknown, items: Schema): unknown {
  if (Array.isArray(value)) return undefined;
  const inner = isText(value) ? jsonOf(value) : undefined;
  if (Array.isArray(inner)) return inner;
  // Such a text may name several entries.
  if (value === null || value === undefined || (isText(value) && /[,;|\n]/.test(value))) return undefined;
  const entry = readAs(value, items);
  return entry === undefined ? undefined : [entry];
}

/** An object that is written as JSON, or an address instead of the person who has it. */
function readObject(value: unknown, { properties = {} }: Wanted): unknown {
  if (!isText(value)) return undefined;
  const inner = jsonOf(value);
  if (typeof inner === 'object' && inner !== null && !Array.isArray(inner)) return inner;
  const email = properties['email'] && meantEmail(value);
  if (email) return { email };
  const phone = properties['phone'] && meantPhone(value);
  return phone ? { phone } : undefined;
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
      return isCurrency(text.trim().toUpperCase()) ? text.trim().toUpperCase() : undefined;
    case 'timestamp':
    case 'date-time': {
      const time = meantTime(text);
      return time === null ? undefined : toIso(time);
    }
    default:
      return undefined;
  }
}

/** The value of a JSON text; undefined for any other text. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
