import { MAX_LINE_BYTES } from './lines.ts';
import { inThousands } from '../../../contract/digits.ts';
import type { CatalogRule } from './shapes.ts';

function documented<Id extends string>(id: Id, section: string, says: string, fix: string) {
  return { id, section, provenance: 'documented', says, fix } as const;
}

function assumed<Id extends string>(id: Id, section: string, says: string, fix: string, reason: string) {
  return { id, section, provenance: 'assumed', says, fix, reason } as const;
}

export const catalogRules = [
  documented('catalog.not-utf8', '8', 'The file is UTF-8.', 'Save the file as UTF-8.'),
  assumed(
    'catalog.line-too-long',
    '8',
    `A line has at most 4 MB (${inThousands(MAX_LINE_BYTES)} bytes).`,
    'Leave something out of this product.',
    '4 MB is documented; the larger of its two meanings is used, so that nothing is refused that the platform may accept.',
  ),
  documented('catalog.too-many-lines', '8', 'A file has at most 500,000 lines.', 'Send the rest in another upload.'),
  assumed(
    'catalog.empty-file',
    '2.1',
    'A file contains at least one product.',
    'Send one product per line.',
    'An empty file is nearly always a mistake of the program that wrote it.',
  ),
  assumed(
    'catalog.blank-line',
    '2.1',
    'Every line contains a product.',
    'Delete the empty line.',
    'The section says one complete product per line.',
  ),
  documented(
    'catalog.not-json',
    '2.1',
    'Every line is a JSON value of its own.',
    'Write one complete product on the line.',
  ),
  documented(
    'catalog.not-object',
    '2.1',
    'Every line is one object.',
    'Write each product on a separate line, without an array around them.',
  ),
  documented('catalog.field-required', '2.1', 'Required fields are present.', 'Add the field.'),
  documented(
    'catalog.field-type',
    '2.1',
    'A field has the type that the section names; null is not a value.',
    'Send the type, or leave an optional field out.',
  ),
  documented('catalog.field-length', '2.1', 'A text is not longer than the section allows.', 'Shorten the text.'),
  assumed(
    'catalog.field-empty',
    '2.1',
    'A required id, name, value or list of prices is not empty.',
    'Fill it in.',
    'The section says only that it is required; an empty id, name or list of prices would be useless in a message. The list of values of a product option may be empty, and have empty ones.',
  ),
  documented('catalog.field-range', '2.1', 'A position is 0 or more.', 'Count positions from 0.'),
  documented(
    'catalog.items-limit',
    '2.1',
    'A list has as many entries as the section allows.',
    'Bring the list within the limit.',
  ),
  documented(
    'catalog.url',
    '2.1',
    'A link or image address is an http or https URL.',
    'Write the whole address, with https://.',
  ),
  documented('catalog.timestamp', '2.1', 'A timestamp is ISO 8601 in UTC.', 'Write it like 2026-01-31T09:30:00Z.'),
  documented(
    'catalog.currency',
    '2.1',
    'A currency is a code of ISO 4217.',
    'Write the three-letter code of the currency in capitals.',
  ),
  assumed(
    'catalog.amount',
    '2.1',
    'An amount is a decimal number in a string.',
    'Write it like "12.50".',
    'The section says only string: "12,50" or "$12" could not be compared.',
  ),
  documented(
    'catalog.image-variant',
    '2.1',
    'An image names variants of its own product.',
    'Write the id of one of the variants.',
  ),
  documented('catalog.duplicate-product', '2.1', 'A product id is on one line only.', 'Keep one of the lines.'),
  documented(
    'catalog.duplicate-variant',
    '2.1',
    'A variant id is unique across the catalog, including saved products.',
    'Give the variant another id.',
  ),
] as const satisfies readonly CatalogRule[];

export type CatalogRuleId = (typeof catalogRules)[number]['id'];
