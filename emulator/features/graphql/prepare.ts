import {
  GraphQLError,
  Lexer,
  Source,
  TokenKind,
  getLocation,
  parse,
  validate,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { inBody, toRefusal, type Place, type Refusal, type Rule } from '../../rules.ts';
import { costOf } from './cost.ts';
import type { Refused } from './advice/adviser.ts';
import { correctSyntax } from './advice/syntax.ts';
import { correct } from './correct.ts';
import { graphqlRules, limits } from './rules.ts';

/** One problem of a request, as it is in `errors`. */
export interface Problem {
  readonly refusal: Refusal;
  readonly code: string;
  readonly error: GraphQLError | null;
  /** The message of the error, if clients look for certain words. Left out: the message of the refusal. */
  readonly message?: string;
}

/** A query's text, read and checked against the schema; `document` is null if it could not be parsed. */
export interface Prepared {
  readonly document: DocumentNode | null;
  readonly problems: readonly Problem[];
}

const place: Place = inBody('/query');
/** The most errors of a reply. */
const mostErrors = 10;
/** How many queries are cached; an integration has a handful. */
const remembered = 200;

/** Creates the reader of queries. It caches the latest ones: parsing and validating costs more than answering. */
export function createPrepare(schema: GraphQLSchema): (query: string) => Prepared {
  const known = new Map<string, Prepared>();
  return (query) => {
    const before = known.get(query);
    const prepared = before ?? prepare(schema, query);
    if (query.length > limits.characters) return prepared;
    known.delete(query);
    known.set(query, prepared);
    if (known.size > remembered) known.delete(known.keys().next().value ?? '');
    return prepared;
  };
}

function prepare(schema: GraphQLSchema, query: string): Prepared {
  // A query of more UTF-16 units may still have few enough characters.
  const characters = query.length > limits.characters ? [...query].length : query.length;
  if (characters > limits.characters) return excess(graphqlRules.size, characters);
  let document: DocumentNode;
  try {
    // Counted before parsing: the parser is recursive.
    const nesting = nestingOf(query);
    if (nesting > limits.nesting) return excess(graphqlRules.nesting, nesting);
    document = parse(query);
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error;
    return { document: null, problems: [toSyntaxProblem(error, query)] };
  }
  const cost = costOf(document);
  for (const name of ['depth', 'aliases', 'fields'] as const) {
    if (cost[name] > limits[name]) return excess(graphqlRules[name], cost[name]);
  }
  const errors = validate(schema, document);
  const refused = { schema, query, document, errors };
  return { document, problems: errors.slice(0, mostErrors).map((error) => toValidationProblem(refused, error)) };
}

function excess(rule: Rule<{ found: number }>, found: number): Prepared {
  return {
    document: null,
    problems: [{ refusal: toRefusal(rule, place, found, { found }), code: 'GRAPHQL_LIMIT_EXCEEDED', error: null }],
  };
}

const openers: readonly string[] = [TokenKind.BRACE_L, TokenKind.BRACKET_L, TokenKind.PAREN_L];
const closers: readonly string[] = [TokenKind.BRACE_R, TokenKind.BRACKET_R, TokenKind.PAREN_R];

/** The deepest nesting of brackets; throws a GraphQLError if the text has a character that GraphQL does not allow. */
function nestingOf(query: string): number {
  let deepest = 0;
  let depth = 0;
  const lexer = new Lexer(new Source(query));
  for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
    if (openers.includes(kind)) deepest = Math.max(deepest, ++depth);
    else if (closers.includes(kind)) depth -= 1;
  }
  return deepest;
}

function toSyntaxProblem(error: GraphQLError, query: string): Problem {
  const { line, column } = error.locations?.[0] ?? getLocation(new Source(query), 0);
  const refusal = toRefusal(graphqlRules.syntax, place, query, {
    problem: error.message,
    line,
    column,
    correction: correctSyntax(query, error),
  });
  return { refusal, code: 'GRAPHQL_PARSE_FAILED', error };
}

function toValidationProblem(refused: Refused, error: GraphQLError): Problem {
  const refusal = toRefusal(graphqlRules.validation, place, refused.query, {
    problem: error.message,
    at: error.locations?.[0] ?? null,
    correction: correct(refused, error),
  });
  return { refusal, code: 'GRAPHQL_VALIDATION_FAILED', error };
}
