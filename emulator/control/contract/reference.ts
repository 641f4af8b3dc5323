import { field } from '../../contract/fields.ts';
import { described, free, list, object, oneOf, text, type View } from '../../contract/shape.ts';
import type { CallTable } from '../call.ts';
import { provenance } from './refusals.ts';

export const referenceKind = oneOf('operation', 'event', 'record', 'rule', 'limit');
export type ReferenceKind = View<typeof referenceKind>;

const move = object({ from: text, event: text, to: text, by: text, provenance, section: text, why: text });

const page = object({
  kind: referenceKind,
  id: described(
    'An id that is unique in its kind: `POST /subscriptions`, `sms.sent`, `subscriptions.phone-e164`.',
    text,
  ),
  title: text,
  says: described('A description in one or two sentences.', text),
  source: described('A section of the specification, or a topic of docs/platform.md.', text),
  provenance,
  reason: described('The reason for the assumption; empty if nothing is assumed.', text),
  facts: described(
    'Short facts by name, such as the scope of an operation. A value of several lines is a list.',
    list(object({ name: text, value: text })),
  ),
  fields: list(object({ title: text, rows: list(field) })),
  moves: described('The moves between the states of a record.', list(move)),
  examples: list(object({ title: text, text })),
  related: list(object({ kind: referenceKind, id: text })),
});
export type ReferencePage = View<typeof page>;

const openApi = free('An OpenAPI document is a format of its own.');

export const referenceCalls = {
  'GET /control/reference': {
    summary: 'A page for each operation, event, record, rule and limit, made from the contract',
    asOf: 'now',
    reply: object({ pages: list(page) }),
  },
  'GET /control/graphql-schema': {
    summary: 'The schema of the GraphQL endpoint; unlike introspection, this call is not recorded as a request',
    asOf: 'now',
    reply: object({ sdl: described('The schema in the schema definition language.', text) }),
  },
  'GET /control/openapi.json': { summary: 'The OpenAPI 3.1 document of the emulated API', asOf: 'now', reply: openApi },
  'GET /control/control-openapi.json': {
    summary: 'The OpenAPI 3.1 document of this control API',
    asOf: 'now',
    reply: openApi,
  },
} as const satisfies CallTable;
