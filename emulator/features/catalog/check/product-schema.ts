import type { FromSchema } from 'json-schema-to-ts';

/*
 * The lines of a catalog file (section 2.1) as JSON Schema. Fields that the specification does not name are accepted
 * everywhere (assumed: it does not say that they are refused, and refusing them would stop a client of a newer
 * version). The formats are the four of formats.ts.
 */

const documented = { 'x-provenance': 'documented' } as const;

/** For required values the specification gives only the maximum size. */
const filledReason = { 'x-reason': 'The minimum size is ours: a required value is not empty.' } as const;
const amountReason = {
  'x-reason':
    'Section 2.1 says only string; the decimal number is ours, because "12,50" or "$12" could not be compared.',
} as const;

const id = { type: 'string', minLength: 1, maxLength: 256, ...documented, ...filledReason } as const;
const name = { type: 'string', minLength: 1, maxLength: 256, ...documented, ...filledReason } as const;
const filledText = { type: 'string', minLength: 1, ...documented, ...filledReason } as const;
const link = { type: 'string', maxLength: 2048, format: 'http-url', ...documented } as const;
const timestamp = { type: 'string', format: 'utc-timestamp', ...documented } as const;
const position = { type: 'integer', minimum: 0, ...documented } as const;
const amount = { type: 'string', format: 'decimal', ...documented, ...amountReason } as const;

export const ProductOption = {
  type: 'object',
  properties: {
    name,
    position,
    values: { type: 'array', maxItems: 200, items: { type: 'string', maxLength: 256 }, ...documented },
  },
  required: ['name', 'position', 'values'],
} as const;

export const ProductOptionValue = {
  type: 'object',
  properties: {
    productOptionName: filledText,
    value: filledText,
  },
  required: ['productOptionName', 'value'],
} as const;

export const Attribute = {
  type: 'object',
  properties: {
    name: { ...filledText, maxLength: 64 },
    value: { ...filledText, maxLength: 256 },
  },
  required: ['name', 'value'],
} as const;

export const Image = {
  type: 'object',
  properties: {
    src: { type: 'string', format: 'http-url', ...documented },
    alt: { type: 'string', maxLength: 512, ...documented },
    width: { type: 'integer', ...documented },
    height: { type: 'integer', ...documented },
    variantIds: { type: 'array', items: { type: 'string' }, ...documented },
    position: { type: 'integer', ...documented },
  },
  required: ['src'],
} as const;

export const Price = {
  type: 'object',
  properties: {
    currencyCode: { type: 'string', format: 'iso-4217', ...documented },
    amount,
    compareAtPrice: amount,
  },
  required: ['currencyCode', 'amount'],
} as const;

const attributes = { type: 'array', maxItems: 100, items: Attribute, ...documented } as const;

export const Variant = {
  type: 'object',
  properties: {
    id,
    name,
    position,
    link,
    prices: { type: 'array', minItems: 1, items: Price, ...documented, ...filledReason },
    availableForPurchase: { type: 'boolean', ...documented },
    inventoryQuantity: { type: 'integer', ...documented },
    productOptionValues: { type: 'array', items: ProductOptionValue, ...documented },
    attributes,
    lastUpdated: timestamp,
  },
  required: ['id', 'name', 'link', 'prices', 'availableForPurchase', 'inventoryQuantity', 'lastUpdated'],
} as const;

export const Product = {
  type: 'object',
  properties: {
    id,
    name,
    description: { type: 'string', maxLength: 1024, ...documented },
    brand: { type: 'string', maxLength: 256, ...documented },
    link,
    lastUpdated: timestamp,
    categories: { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 750 }, ...documented },
    tags: { type: 'array', maxItems: 250, items: { type: 'string', maxLength: 64 }, ...documented },
    productOptions: { type: 'array', maxItems: 25, items: ProductOption, ...documented },
    images: { type: 'array', maxItems: 250, items: Image, ...documented },
    attributes,
    variants: { type: 'array', minItems: 1, maxItems: 200, items: Variant, ...documented },
    collections: { type: 'array', maxItems: 50, items: { type: 'string' }, ...documented },
  },
  required: ['id', 'name', 'link', 'lastUpdated', 'variants'],
} as const;

/** A product as it was saved: a line that passed the check, including unknown fields. */
export type SavedProduct = FromSchema<typeof Product>;
