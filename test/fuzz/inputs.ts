import type { Schema, Shape } from '../../emulator/contract/schema.ts';

/** What else changes which values a schema accepts. */
interface Limits extends Shape {
  readonly maximum?: number;
  readonly additionalProperties?: boolean | Shape;
}

/** What programs forget: the ends of ranges, names that all objects have, other forms of the same. */
const oddTexts = [
  '',
  ' ',
  '0',
  'null',
  '__proto__',
  'constructor',
  '\0',
  '\ud800',
  '🧦'.repeat(40),
  'ß'.repeat(300),
  'a'.repeat(5_000),
  '../../etc/passwd',
  '%2e%2e%2f',
  '%',
  '<b>',
  '1969-12-31T23:59:59.999Z',
  '9999-12-31T23:59:59.999Z',
  '+010000-01-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01',
  '99999999d',
  '1e3d',
  'http://',
  'http://[::1]:0/',
  'http://localhost:9/x',
  'javascript:alert(1)',
  'a@b',
  'ADA@Example.COM',
  '+15555550100',
  '(555) 555-0100',
  '+1555555010012345',
];
const oddNumbers = [0, -0, -1, 1.5, 1e21, -1e308, 2 ** 53 + 2];
const oddLists = [[], [[]], [null], Array.from({ length: 60 }, (_, index) => index)];
const odd: readonly unknown[] = [null, true, false, {}, { a: 1 }, ...oddTexts, ...oddNumbers, ...oddLists];
/** Of values that are not text of a known form. */
const usual = ['x', 'sms.sent', 'ada@example.com', '+15555550100', '2026-12-01T00:00:00Z', '1h', 'Winter'];

export interface Inputs {
  pick<T>(from: readonly T[]): T;
  /** True for this share of the calls. */
  chance(share: number): boolean;
  /** A value that the schema mostly accepts: from what replies had under the name, and from its examples. */
  valueFor(schema: Schema | Shape, name?: string): unknown;
  /** The value with one place in it changed. */
  spoil(value: unknown): unknown;
  /** An id of such a thing, such as `offers`; undefined if none was seen. */
  idOf(kind: string): unknown;
  /** Takes the values of a reply for later inputs. @param kind what the ids in it are of */
  remember(reply: unknown, kind?: string): void;
}

/** Makes inputs from schemas: the same ones for the same random numbers and replies. */
export function createInputs(random: () => number): Inputs {
  const seen = new Map<string, (string | number | boolean)[]>();
  const below = (end: number): number => Math.floor(random() * end);
  const chance = (share: number): boolean => random() < share;
  const pick = <T>(from: readonly T[]): T => from[below(from.length)] as T;

  const remember = (value: unknown, name: string, kind?: string): void => {
    if (name === 'id' && kind !== undefined) remember(value, kind);
    if (Array.isArray(value)) for (const one of value.slice(0, 20)) remember(one, name, kind);
    else if (typeof value === 'object' && value !== null)
      for (const [key, one] of Object.entries(value)) remember(one, key, kind);
    else if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') {
      const known = seen.get(name) ?? [];
      known[known.length < 60 ? known.length : below(60)] = value;
      seen.set(name, known);
    }
  };

  /** `companyId` is the `id` of something, too. */
  const recall = (name: string): unknown => {
    const known = seen.get(name) ?? (/id$/i.test(name) ? seen.get('id') : undefined);
    return known && pick(known);
  };

  const numberFor = ({ type, minimum = pick([0, 1, -5]), maximum = 1000 }: Limits): number =>
    pick([minimum, minimum + 1, maximum, minimum + below(1000), ...(type === 'number' ? [0.5] : [])]);

  const objectFor = ({ required = [], properties = {}, additionalProperties }: Limits, name: string): unknown => {
    const given = Object.entries(properties).filter(([key]) => chance(required.includes(key) ? 0.98 : 0.5));
    const entries = given.map(([key, inner]) => [key, valueFor(inner, key)] as const);
    if (typeof additionalProperties === 'object' && chance(0.7))
      entries.push([String(recall('name') ?? 'size'), valueFor(additionalProperties, name)]);
    return Object.fromEntries(entries);
  };

  const valueFor = (schema: Schema | Shape, name = ''): unknown => {
    const shape = schema as Limits;
    if (shape.const !== undefined) return shape.const;
    if (shape.enum) return pick(shape.enum);
    const forms = shape.anyOf ?? shape.oneOf;
    if (forms) return valueFor(pick(forms), name);
    const type = typeof shape.type === 'string' ? shape.type : pick(shape.type ?? ['string', 'object']);
    if (type === 'object') return objectFor(shape, name);
    if (type === 'array')
      return Array.from({ length: Math.max(shape.minItems ?? 0, pick([0, 1, 1, 2, 5])) }, () =>
        valueFor(shape.items ?? {}, name),
      );
    if (type === 'null') return null;
    if (type === 'boolean') return chance(0.5);
    const known = chance(0.6) ? recall(name) : undefined;
    if (typeof known === (type === 'string' ? 'string' : 'number')) return known;
    if (shape.examples && chance(0.8)) return pick(shape.examples);
    return type === 'string' ? pick([...usual, String(recall('id') ?? '1')]) : numberFor({ ...shape, type });
  };

  const spoil = (value: unknown): unknown => {
    if (chance(0.15) || typeof value !== 'object' || value === null) return pick(odd);
    if (Array.isArray(value)) {
      const at = chance(0.2) ? value.length : below(value.length);
      return value.toSpliced(at, 1, spoil(value[at]));
    }
    const entries = Object.entries(value);
    if (entries.length === 0 || chance(0.15)) return Object.fromEntries([...entries, [pick(oddTexts), pick(odd)]]);
    const at = below(entries.length);
    const [key, inner] = entries[at] as [string, unknown];
    return Object.fromEntries(chance(0.15) ? entries.toSpliced(at, 1) : entries.toSpliced(at, 1, [key, spoil(inner)]));
  };

  return { pick, chance, valueFor, spoil, idOf: recall, remember: (reply, kind) => remember(reply, '', kind) };
}
