import type { SourceLocation } from 'graphql';
import { inThousands } from '../../contract/digits.ts';
import { isAmount } from '../../contract/formats.ts';
import { meantAmount, meantWord } from '../../contract/meant.ts';
import { inBody, remove, rule, set, setMeant, show, type Fix, type Place } from '../../rules.ts';
import type { Correction } from './advice/adviser.ts';
import { sampleQuery, type GraphqlRequest } from './shapes.ts';

/** The limits of one request. */
export const limits = {
  /** Characters of the query's text. */
  characters: 20_000,
  /** Nested brackets of any kind in the text. */
  nesting: 64,
  /** Nested fields, including fragments; without introspection. */
  depth: 12,
  /** Aliases, each fragment counted as often as it is spread. */
  aliases: 50,
  /** Fields, each fragment counted as often as it is spread. */
  fields: 500,
  /** Ids in one `nodes` field. */
  ids: 100,
} as const;

interface Excess {
  readonly found: number;
}

const protects = 'The limit protects this machine; the limit of the platform is not public.';

function limitRule(name: string, limit: number, what: string, instead: string) {
  return rule<Excess>({
    id: `graphql.${name}`,
    status: 200,
    section: '4, GraphQL custom event',
    provenance: 'assumed',
    reason: protects,
    says: `A query has at most ${inThousands(limit)} ${what}.`,
    message: ({ found }) =>
      `The query has ${inThousands(found)} ${what}; at most ${inThousands(limit)} are allowed. ${instead}`,
    fix: () => ({ say: instead, edits: [] }),
    facts: ({ found }) => ({ count: found, limit }),
  });
}

const toFix = ({ say, mended }: Correction, place: Place): Fix => ({
  say,
  edits: mended === null ? [] : [set(place, mended)],
});

/** The content of a GET request. */
export interface SentByGet {
  /** Whether the address has a query, or only its hash, or the request opens a WebSocket, or none of these. */
  readonly by: 'query' | 'hash' | 'socket' | 'other';
  /** The query of the address as the body that POST takes; null if there is none that can be read. */
  readonly request: GraphqlRequest | null;
  /** The parameters of the address that the body replaces. */
  readonly parameters: readonly string[];
}

const getMessages: { readonly [by in SentByGet['by']]: string } = {
  query:
    'The query was sent with GET; /graphql accepts only POST, with query and variables in a JSON body. Let the client send all queries with POST: preferGetMethod: false in urql, useGETForQueries: false in Apollo Client.',
  hash: 'Only the hash of a query was sent, with GET; /graphql accepts only POST, with query and variables in a JSON body. Let the client send hashes with POST: useGETForHashedQueries: false in Apollo Client, preferGetForPersistedQueries: false in urql.',
  socket:
    'The client asked for a WebSocket, as for subscriptions. The schema has no subscriptions: send queries and mutations with POST; webhooks tell what happens.',
  other:
    '/graphql accepts POST with a JSON body that has query and variables. In a browser it redirects to the inspector.',
};

const toAlone = (count: number): string =>
  count === 1 ? 'Send it alone, without the list.' : 'Send each query in a request of its own.';

/** The rules of GraphQL requests. Refusals have status 200 and `errors` (docs/platform.md, GraphQL). */
export const graphqlRules = {
  size: limitRule('size', limits.characters, 'characters', 'Send a shorter query, with its data in variables.'),
  nesting: limitRule('nesting', limits.nesting, 'nested brackets', 'Send a flatter query.'),
  depth: limitRule('depth', limits.depth, 'levels of fields', 'Send a flatter query.'),
  aliases: limitRule('aliases', limits.aliases, 'aliases', 'Send several requests.'),
  fields: limitRule('fields', limits.fields, 'fields', 'Send several requests.'),
  ids: rule<{ count: number; fewer: unknown; spot: Partial<SourceLocation> }>({
    id: 'graphql.ids',
    status: 200,
    section: '4, GraphQL custom event',
    provenance: 'assumed',
    reason: protects,
    says: `nodes takes at most ${limits.ids} ids.`,
    message: ({ count }) => `nodes has ${count} ids; the limit is ${limits.ids}. Send several requests.`,
    fix: ({ fewer }, place) => ({ say: `Ask for ${limits.ids} at a time.`, edits: [set(place, fewer)] }),
    facts: ({ count, spot }) => ({ count, limit: limits.ids, ...spot }),
  }),
  syntax: rule<{ problem: string; line: number; column: number; correction: Correction }>({
    id: 'graphql.syntax',
    status: 200,
    section: '4, GraphQL custom event',
    provenance: 'observed',
    says: 'The query is a GraphQL document.',
    // It may end with a question: did you mean something else?
    message: ({ problem, line, column }) =>
      `${problem.endsWith('?') ? `${problem} It is` : problem.replace(/\.$/, '')} at line ${line}, column ${column} of the query.`,
    fix: ({ correction }, place) => toFix(correction, place),
    facts: ({ line, column }) => ({ line, column }),
  }),
  validation: rule<{ problem: string; at: SourceLocation | null; correction: Correction }>({
    id: 'graphql.validation',
    status: 200,
    section: '4, GraphQL custom event',
    provenance: 'observed',
    says: 'The query fits the schema: no unknown fields, arguments or types (an error with status 200).',
    message: ({ problem }) => problem,
    fix: ({ correction }, place) => toFix(correction, place),
    facts: ({ at }) => (at === null ? {} : { line: at.line, column: at.column }),
  }),
  subscription: rule<SourceLocation>({
    id: 'graphql.subscription',
    status: 200,
    section: '4, GraphQL custom event',
    provenance: 'observed',
    says: 'The schema has queries and mutations, and not subscriptions.',
    message: () => 'The schema has no subscriptions. Send a query or a mutation; webhooks tell what happens.',
    fix: () => ({ say: 'Send a query, or create a webhook for what happens later.', edits: [] }),
    facts: ({ line, column }) => ({ line, column }),
  }),
  operation: rule<{ sent: string | null; names: readonly string[] }>({
    id: 'graphql.operation',
    status: 200,
    section: '4, GraphQL custom event',
    provenance: 'assumed',
    reason: 'The GraphQL specification requires it (section 6.1); the platform’s words are not public.',
    says: 'operationName names one of the operations of the query, and is present if the query has several.',
    message: ({ sent, names }) => {
      const has = names.length === 0 ? 'none' : names.map(show).join(', ');
      return sent === null
        ? `The query has several operations (${has}): say which one in operationName.`
        : `The query has no operation ${show(sent)}. Its operations: ${has}.`;
    },
    fix: ({ sent, names }, place) => {
      if (names.length === 0) return { say: 'Leave operationName out.', edits: [remove(place)] };
      const meant = names.length === 1 ? names[0] : meantWord(sent ?? '', names);
      return meant
        ? { say: `Send operationName ${show(meant)}.`, edits: [set(place, meant)] }
        : { say: `Send operationName ${names.map(show).join(' or ')}.`, edits: [] };
    },
  }),
  variables: rule<{ problem: string; fix: Fix }>({
    id: 'graphql.variables',
    status: 200,
    section: '4, GraphQL custom event',
    provenance: 'observed',
    says: 'Variables and arguments have the types that the schema names.',
    message: ({ problem }) => problem,
    fix: ({ fix }) => fix,
  }),
  unknownVariable: rule<{ name: string; value: unknown; nearest: string | null }>({
    id: 'graphql.unknown-variable',
    status: 200,
    section: '4, GraphQL custom event',
    provenance: 'assumed',
    reason:
      'GraphQL ignores variables that the query does not declare; refusing them is an option for finding misspelt ones.',
    says: 'If --unknown-fields is refuse, a request has only variables that its operation declares. Otherwise others are ignored, with a note.',
    message: ({ name, nearest }) =>
      `The operation does not declare the variable ${name}.${nearest === null ? '' : ` Did you mean ${nearest}?`} It is refused because --unknown-fields is refuse.`,
    fix: ({ name, value, nearest }, place) => ({
      say: nearest === null ? `Leave ${name} out.` : `Send ${nearest} instead.`,
      edits: [remove(place), ...(nearest === null ? [] : [set(inBody(`/variables/${nearest}`), value)])],
    }),
  }),
  properties: rule<{ sent: unknown; problem: string; mended: string | null }>({
    id: 'graphql.properties-json',
    status: 200,
    section: '2.5',
    provenance: 'documented',
    says: 'properties is a string that contains a JSON object.',
    message: ({ sent, problem }) =>
      `properties must be a text that contains a JSON object, such as "{\\"orderId\\": \\"54321\\"}"; ${show(sent)} ${problem}.`,
    fix: ({ mended }, place) => ({
      say: 'Send the JSON text of an object.',
      edits: mended === null ? [] : [set(place, mended)],
    }),
  }),
  amount: rule<{ sent: string; currency: string }>({
    id: 'graphql.amount',
    status: 200,
    section: '4, note 3',
    provenance: 'assumed',
    reason: 'The published schema says only String; another text, or a price below zero, is nearly always a mistake.',
    says: 'The amount of a price is a decimal number written as a text.',
    message: ({ sent }) =>
      isAmount(sent)
        ? `The amount ${show(sent)} is too large for a 64-bit floating-point number.`
        : `The amount ${show(sent)} is not a decimal number of at least 0. Write it as a text such as "19.99".`,
    fix: ({ sent, currency }, place) =>
      setMeant(place, meantAmount(sent, currency), 'Send the amount as a text such as "19.99".'),
    facts: () => ({ minimum: 0 }),
  }),
  batch: rule<{ queries: readonly unknown[] }>({
    id: 'graphql.batch',
    status: 400,
    section: '4, GraphQL custom event',
    provenance: 'assumed',
    reason: 'The specification has one query in a request.',
    says: 'A request has one query, not a list of them.',
    message: ({ queries: { length } }) =>
      `The body is a list of ${length === 1 ? 'one query' : `${length} queries`}, as clients that batch queries send it. ${toAlone(length)}`,
    fix: ({ queries: [first, ...others] }, place) => ({
      say: toAlone(1 + others.length),
      edits: others.length === 0 ? [set(place, first)] : [],
    }),
    facts: ({ queries }) => ({ count: queries.length }),
  }),
  persisted: rule({
    id: 'graphql.persisted',
    status: 200,
    section: '4, GraphQL custom event',
    provenance: 'assumed',
    reason:
      'The specification names no persisted queries; the error is the one of a server without them, after which clients send the text.',
    says: 'A request has the text of its query, not only the hash.',
    message: () =>
      'The body has only the hash of a query, in extensions.persistedQuery, and the specification names no persisted queries. The answer is that of a server without them, so that the client sends the text next. Whether the platform answers so is not known: switch them off in the client.',
    fix: () => ({ say: 'Send the text of the query as query.', edits: [] }),
  }),
  get: rule<SentByGet>({
    id: 'graphql.get',
    status: 405,
    section: '4, GraphQL custom event',
    provenance: 'assumed',
    reason: 'Section 4 names POST alone; 405 is ours.',
    says: 'POST /graphql: a request with query and variables.',
    message: ({ by }) => getMessages[by],
    fix: ({ request, parameters }) => ({
      say: 'Send POST with a JSON body.',
      edits: [
        set({ in: 'method', at: '' }, 'POST'),
        ...parameters.map((name) => remove({ in: 'query', at: name })),
        { op: 'replace-body', text: JSON.stringify(request ?? { query: sampleQuery }) },
      ],
    }),
  }),
} as const;
