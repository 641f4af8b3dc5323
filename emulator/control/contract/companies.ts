import { boolean, described, integer, list, map, object, text, type View } from '../../contract/shape.ts';
import type { CallTable } from '../call.ts';

/** The facts about a company, and about the server, that the inspector's frame shows in every view. */
const summary = object({
  records: described('Kind (`privacy-requests`) → number of records of the company.', map(integer)),
  deliveries: object({
    waiting: described(
      'The deliveries that are still to be made, including those between two attempts (`retrying`).',
      integer,
    ),
    retrying: integer,
    failed: integer,
  }),
  uploadsUnderCheck: integer,
  faults: described(
    'The faults that still wait for requests, in the order in which they are tried.',
    list(object({ id: text, operation: text, says: text })),
  ),
  host: described('The address on which the servers listen.', text),
  loopback: described('False if other machines can reach the servers.', boolean),
});
export type SummaryView = View<typeof summary>;

/** A record that a search found, named as people name it. */
const found = object({ kind: text, id: text, title: text, about: text });
export type FoundView = View<typeof found>;

/** The people that a deletion request matches now, and the records that would be deleted with them. */
const privacyMatches = object({
  people: list(
    object({
      id: text,
      phones: list(text),
      emails: list(text),
      kept: described('Kind → number of records.', map(integer)),
    }),
  ),
});
export type PrivacyMatchesView = View<typeof privacyMatches>;

export const companyCalls = {
  'GET /control/companies/{id}/summary': {
    summary: 'The records of a company counted by kind, and those that wait for the developer',
    asOf: 'moment',
    reply: summary,
  },
  'GET /control/companies/{id}/search': {
    summary: 'Records of a company whose id, name or other searchable fields contain every word of the query',
    asOf: 'moment',
    query: object({ q: { type: 'string', maxLength: 200, examples: ['15555550100'] } }),
    reply: object({ found: list(found) }),
  },
  'GET /control/privacy-requests/{id}/people': {
    summary: 'The people that a deletion request matches now, and the records that would be deleted with them',
    asOf: 'moment',
    reply: privacyMatches,
  },
} as const satisfies CallTable;
