import { assumed, documented, observed, type Infer } from '../../contract/schema.ts';
import { boolean, described, integer, list, object, withoutFormats, type View } from '../../contract/shape.ts';
import { uploads } from '../../records/offers.ts';
import { Product } from './check/product-schema.ts';

/** The body of POST /product-catalog/uploads (2.2). */
export const uploadRequest = {
  type: 'object',
  properties: {
    validateOnly: documented({
      type: 'boolean',
      default: true,
      description: 'True checks the file only; false also saves its products.',
    }),
  },
} as const;

/** The path of GET /product-catalog/uploads/{uploadId}. */
export const uploadParams = {
  type: 'object',
  required: ['uploadId'],
  properties: { uploadId: documented({ type: 'string', examples: ['MTM6Q2F0YWxvZ1VwbG9hZDE'] }) },
} as const;

const uploadError = {
  type: 'object',
  required: ['errorType', 'errorMessage', 'lineNum'],
  properties: {
    errorType: observed({ type: 'string', examples: ['catalog.field-required'] }),
    errorMessage: observed({ type: 'string', examples: ['name is required.'] }),
    lineNum: observed({
      type: 'integer',
      format: 'int64',
      description: 'The number of the line, from 1; 0 if the error is not in a line.',
      examples: [1],
    }),
  },
} as const;

/** An upload record (2.2; further fields: docs/platform.md, Product catalog). */
export const uploadRecord = {
  type: 'object',
  required: ['uploadId', 'uploadUrl', 'status', 'errors', 'expires', 'validateOnly', 'lastUpdated'],
  properties: {
    uploadId: documented({ type: 'string', examples: ['MTM6Q2F0YWxvZ1VwbG9hZDE'] }),
    uploadUrl: documented({
      type: 'string',
      format: 'http-url',
      description: 'Accepts one PUT of the file, until it expires.',
      examples: [
        'http://127.0.0.1:4747/object-storage/catalog/MTM6Q2F0YWxvZ1VwbG9hZDE.ndjson?X-Sandbox-Expires=1796005878643&X-Sandbox-Signature=ab0db0a1f7013915ae5af9d4efb28fcac7f4b57940b86274b2a88f027b982274',
      ],
    }),
    status: assumed(
      uploads.schema.properties.state,
      'validating, validated and completed are documented and initialized is observed; the names of an expired upload and of a failed save are not public.',
    ),
    errors: documented({
      type: 'array',
      items: uploadError,
      description: 'At most ten per type. Always present: clients read it without checking.',
    }),
    expires: documented({ type: 'string', format: 'timestamp', examples: ['2026-12-01T00:00:00.000Z'] }),
    validateOnly: observed({ type: 'boolean' }),
    lastUpdated: observed({ type: 'string', format: 'timestamp', examples: ['2026-11-30T12:00:00.000Z'] }),
    productsReceived: observed({
      type: 'integer',
      format: 'int64',
      description: 'The number of lines that are not empty; present once the file is checked.',
      examples: [500],
    }),
    productsProcessed: observed({
      type: 'integer',
      format: 'int64',
      description: 'The number of saved products; present once they are saved.',
      examples: [500],
    }),
  },
} as const;

/** The upload records of a company, in order of creation. */
export const uploadList = { type: 'array', items: uploadRecord } as const;

export type UploadRecord = Infer<typeof uploadRecord>;

/** A saved product as it was uploaded; it may have fields that the specification does not name. */
export const savedProduct = withoutFormats(Product);

/** A page of a company's saved products; `total` counts those that match. */
export const productPage = object({
  total: described('The number of products that match; at most 10,000 for a search.', integer),
  more: described('Whether more than 10,000 products match.', boolean),
  products: list(savedProduct),
});
export type ProductPage = View<typeof productPage>;
