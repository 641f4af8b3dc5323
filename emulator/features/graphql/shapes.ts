/** The body and the reply of POST /graphql (section 4, GraphQL; docs/platform.md, GraphQL). */
import { assumed, documented, observed, readsMore, type Infer } from '../../contract/schema.ts';
import type { View } from '../../contract/shape.ts';

/** A valid query, for examples, and for fixes that cannot keep any of the query that was sent. */
export const sampleQuery = '{ viewer { installedApplication { id application { name } } } }';

export const graphqlRequest = {
  type: 'object',
  required: ['query'],
  properties: {
    query: documented({ type: 'string', examples: [sampleQuery] }),
    variables: documented({ type: ['object', 'null'], examples: [{}] }),
    operationName: observed({ type: ['string', 'null'] }),
    extensions: assumed(
      { type: ['object', 'null'] },
      'The GraphQL over HTTP specification names it, and Apollo Client sends it with every request; it is not read.',
    ),
  },
} as const;
export type GraphqlRequest = View<typeof graphqlRequest>;

/**
 * The body, with forms that some clients send instead of a request, so that rules can name them: a list of requests, or
 * the hash of a query.
 */
export const graphqlBody = readsMore(
  { ...graphqlRequest, type: ['object', 'array'], required: [], examples: [{ query: sampleQuery }] },
  { type: graphqlRequest.type, required: graphqlRequest.required },
);

export const graphqlReply = {
  type: 'object',
  required: ['extensions'],
  properties: {
    data: documented({ type: ['object', 'null'] }),
    errors: observed({ type: 'array', items: { type: 'object' } }),
    extensions: documented({
      type: 'object',
      required: ['traceId'],
      properties: { traceId: documented({ type: 'string', examples: ['4892f25241c1ab5f'] }) },
    }),
  },
} as const;
export type GraphqlReply = Infer<typeof graphqlReply>;
