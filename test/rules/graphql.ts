import { defaultChoices } from '../../emulator/http/choices.ts';
import type { Violation } from './violation.ts';

const post = (json: unknown): Violation['request'] => ({ method: 'POST', path: '/graphql', json });
const nested = (levels: number): string =>
  `{ viewer { installedApplication { installerCompany ${'{ user(email: "ada@example.com") { company '.repeat(levels)}{ id }${' } }'.repeat(levels)} } } }`;

const purchase =
  'mutation ($input: SendProductPurchaseEventInput!) { productPurchaseEvent(input: $input) { occurredAt } }';
const custom = 'mutation ($input: CreateCustomEventInput!) { createCustomEvent(input: $input) { type } }';

const tooMuch = 'Which parts of the query can be left out, only its author knows.';

export const graphqlViolations: readonly Violation[] = [
  {
    rule: 'graphql.unknown-variable',
    request: post({ query: 'query ($id: ID = "x") { nodes(ids: [$id]) { id } }', variables: { idd: 'y' } }),
    options: { choices: { ...defaultChoices, unknownFields: 'refuse' } },
  },
  { rule: 'graphql.size', request: post({ query: `{ __typename } #${' '.repeat(20_000)}` }), noEdit: tooMuch },
  { rule: 'graphql.nesting', request: post({ query: `${'{ a '.repeat(65)}${'}'.repeat(65)}` }), noEdit: tooMuch },
  { rule: 'graphql.depth', request: post({ query: nested(5) }), noEdit: tooMuch },
  {
    rule: 'graphql.aliases',
    request: post({ query: `{ ${Array.from({ length: 51 }, (_, at) => `a${at}: __typename`).join(' ')} }` }),
    noEdit: tooMuch,
  },
  { rule: 'graphql.fields', request: post({ query: `{ ${'__typename '.repeat(501)} }` }), noEdit: tooMuch },
  {
    rule: 'graphql.ids',
    request: post({
      query: 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }',
      variables: { ids: Array.from({ length: 101 }, String) },
    }),
  },
  { rule: 'graphql.syntax', request: post({ query: '{ viewer { installedApplication { id }' }) },
  { rule: 'graphql.validation', request: post({ query: '{ viewer { installedAplication { id } } }' }) },
  {
    rule: 'graphql.operation',
    request: post({ query: 'query List { __typename } query Other { __typename }', operationName: 'Lsit' }),
  },
  {
    rule: 'graphql.operation',
    request: post({ query: 'query A { __typename } mutation B { __typename }' }),
    noEdit: 'Which one is meant, only the author of the request knows.',
  },
  {
    rule: 'graphql.variables',
    request: post({ query: custom, variables: { input: { type: 7, user: {} } } }),
  },
  {
    rule: 'graphql.properties-json',
    request: post({
      query: custom,
      variables: {
        input: { type: 'Order Shipped', properties: "{'carrier': 'fedex'}", user: { phone: '+15555550100' } },
      },
    }),
  },
  {
    rule: 'graphql.amount',
    request: post({
      query: purchase,
      variables: {
        input: {
          visitor: { email: 'ada@example.com' },
          products: [{ productId: 'a', productVariantId: 'b', productPrices: [{ amount: '$19,99', currency: 'USD' }] }],
        },
      },
    }),
  },
  { rule: 'graphql.batch', request: post([{ query: '{ __typename }' }]) },
  {
    rule: 'graphql.batch',
    request: post([{ query: '{ __typename }' }, { query: '{ viewer { installedApplication { id } } }' }]),
    noEdit: 'Each query needs a request of its own.',
  },
  {
    rule: 'graphql.subscription',
    request: post({ query: 'subscription { message { id } }' }),
    noEdit: 'What the client wants to know is a query or a webhook that only its author can choose.',
  },
  {
    rule: 'graphql.persisted',
    request: post({ variables: {}, extensions: { persistedQuery: { version: 1, sha256Hash: 'ab'.repeat(32) } } }),
    noEdit: 'Only the client has the text.',
  },
  {
    rule: 'graphql.get',
    request: {
      method: 'GET',
      path: '/graphql',
      query: { query: 'query ($ids: [ID!]!) { nodes(ids: $ids) { id } }', variables: '{"ids":[]}' },
    },
  },
  { rule: 'graphql.get', request: { method: 'GET', path: '/graphql', headers: { accept: 'application/json' } } },
];
