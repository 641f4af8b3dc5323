import { compileForLines, type LineError, type LineValidator } from '../../../contract/ajv-lines.ts';
import { describe, toPath } from './describe.ts';
import { createFormats } from './formats.ts';
import { toShownValue, type FoundIssue } from './issues.ts';
import { Product } from './product-schema.ts';

/** The most issues reported for one line: more would not help. Further ones are not counted. */
const MAX_ISSUES = 100;
/**
 * The most list entries checked on a line that is in error; a product within all limits of section 2.1 may have that
 * many.
 */
const MAX_ENTRIES = 20_000;
/** product → variants → variant → prices → price: no schema checks deeper values. */
const MAX_DEPTH = 5;

export interface ProductChecker {
  /**
   * The issues of one line's value alone. Empty: the value is a product.
   * @param most how many at most; by default as many as are reported
   */
  check(value: unknown, most?: number): readonly FoundIssue[];
}

/** Creates a checker. It compiles the schema, so use one for many lines. */
export function createProductChecker(): ProductChecker {
  const validator = compileForLines(Product, createFormats());
  return {
    check(value, most = MAX_ISSUES) {
      const first = validator.firstError(value);
      const issues = first === null ? [] : schemaIssues(validator, value, first, most);
      return [...issues, ...imageIssues(value, most)].slice(0, most);
    },
  };
}

/** The ids on a line, which may be in error: null for an id that cannot be used. */
export interface LineIds {
  readonly product: string | null;
  readonly variants: readonly (string | null)[];
}

/** Section 2.1: more variants and longer ids are in error, and are not compared with others. */
const MAX_VARIANTS = 200;
const MAX_ID_UNITS = 512;

function toId(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= MAX_ID_UNITS ? value : null;
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

function listField(value: unknown, name: string): readonly unknown[] {
  const list = field(value, name);
  return Array.isArray(list) ? list : [];
}

/** The ids in the value of a line, of whatever type; at most those of 200 variants. */
export function toLineIds(value: unknown): LineIds {
  const variants = listField(value, 'variants').slice(0, MAX_VARIANTS);
  return { product: toId(field(value, 'id')), variants: variants.map((variant) => toId(field(variant, 'id'))) };
}

function schemaIssues(validator: LineValidator, value: unknown, first: LineError, most: number): readonly FoundIssue[] {
  const errors = validator.errors(trim(value, { entries: MAX_ENTRIES }, MAX_DEPTH));
  // The wrong part may have been trimmed.
  const told = errors.length === 0 ? [first] : errors.slice(0, most);
  return told.map((error) => describe(error, value));
}

/**
 * A copy with at most `budget.entries` list entries in all, so that a hostile line (a list of two million numbers where
 * strings should be) cannot make millions of error objects. A list over its limit keeps one entry more than any limit.
 */
function trim(value: unknown, budget: { entries: number }, depth: number): unknown {
  if (typeof value !== 'object' || value === null || depth === 0) return value;
  if (!Array.isArray(value)) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, trim(member, budget, depth - 1)]));
  }
  const kept: unknown[] = [];
  for (const entry of value) {
    if (budget.entries <= 0 && kept.length > 0) break;
    budget.entries -= 1;
    kept.push(trim(entry, budget, depth - 1));
  }
  return kept;
}

/** Section 2.1, Image: each of variantIds equals the id of a variant of the product. */
function imageIssues(value: unknown, most: number): readonly FoundIssue[] {
  const images = listField(value, 'images');
  if (images.length === 0) return [];
  const own = listField(value, 'variants').map((variant) => field(variant, 'id'));
  // An id that is missing or not a string is already reported, and may be the one that is meant.
  if (own.length === 0 || own.some((id) => typeof id !== 'string')) return [];

  const ids = new Set(own);
  const issues: FoundIssue[] = [];
  for (let i = 0; i < images.length; i += 1) {
    const named = listField(images[i], 'variantIds');
    for (let j = 0; j < named.length; j += 1) {
      const id = named[j];
      if (typeof id !== 'string' || ids.has(id)) continue;
      if (issues.length === most) return issues;
      issues.push(imageIssue(`/images/${i}/variantIds/${j}`, id, `${toShownValue(own[0])}`));
    }
  }
  return issues;
}

function imageIssue(pointer: string, id: string, own: string): FoundIssue {
  const value = toShownValue(id);
  const message = `${toPath(pointer)} is "${value}", which is not a variant of this product. Write the id of one, such as "${own}", or leave it out.`;
  return { rule: 'catalog.image-variant', message, pointer, value };
}
