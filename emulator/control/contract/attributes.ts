import { boolean, described, integer, list, object, text, type View } from '../../contract/shape.ts';
import { attributeDefinitions, attributeType as type } from '../../records/people.ts';
import type { CallTable } from '../call.ts';
import { done, namedPerson } from './parts.ts';

/** An attribute, and how many people have a value of it. */
const attributeLine = object({ ...attributeDefinitions.schema.properties, people: integer });
export type AttributeLineView = View<typeof attributeLine>;

/**
 * The values of an attribute, including fixed values that no one has. `total` also counts values that are not listed.
 */
const attributeValues = object({
  total: integer,
  values: list(
    object({
      value: text,
      people: integer,
      taken: described('False for a value that was removed from the fixed set, but that people still have.', boolean),
      some: described('A few of the people who have the value.', list(namedPerson)),
    }),
  ),
});
export type AttributeValuesView = View<typeof attributeValues>;

const values = {
  type: ['array', 'null'],
  maxItems: 1_000,
  items: text,
  examples: [['S', 'M']],
} as const;

export const attributeCalls = {
  'GET /control/attributes': {
    summary: 'Attributes, each with the number of people who have a value of it',
    asOf: 'moment',
    query: object({}, { companyId: text }),
    reply: object({ attributes: list(attributeLine) }),
  },
  'GET /control/attributes/{id}/values': {
    summary: 'The values of an attribute, each with the number of people who have it; most frequent first',
    asOf: 'moment',
    reply: attributeValues,
  },
  'POST /control/attributes': {
    summary: 'Create an attribute; with `values` it accepts only those',
    changes: true,
    body: object({ companyId: text, name: { type: 'string', examples: ['shoe size'] }, type }, { values }),
    status: 201,
    reply: done,
  },
  'POST /control/attributes/{id}': {
    summary: 'Change the type or the fixed values of an attribute; null accepts any value',
    changes: true,
    body: object({}, { type, values }),
    reply: done,
  },
  'DELETE /control/attributes/{id}': {
    summary: 'Delete an attribute and the values that people have for it',
    changes: true,
    reply: done,
  },
} as const satisfies CallTable;
