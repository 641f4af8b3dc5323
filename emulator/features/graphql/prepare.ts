import {
  GraphQLError,
  Lexer,
  Source,
  TokenKind,
  getLocation,
  parse,
  validate,
  type ASTNode,
  type DocumentNode,
  type GraphQLSchema,
} from 'graphql';
import { meantWord } from '../../contract/meant.ts';
import { inBody, toRefusal, type Place, type Refusal, type Rule } from '../../rules.ts';
import { costOf } from './cost.ts';
import { deferring, graphqlRules, limits, otherTypeOf } from './rules.ts';
import { meantOfRest } from './variables.ts';

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
  const errors = validate(schema, document, undefined, { maxErrors: 10 });
  return { document, problems: errors.map((error) => toValidationProblem(schema, error, query)) };
}

function excess(rule: Rule<{ found: number }>, found: number): Prepared {
  return {
    document: null,
    problems: [{ refusal: toRefusal(rule, place, found, { found }), code: 'GRAPHQL_LIMIT_EXCEEDED', error: null }],
  };
}

const closers: { readonly [opener: string]: string } = {
  [TokenKind.BRACE_L]: '}',
  [TokenKind.BRACKET_L]: ']',
  [TokenKind.PAREN_L]: ')',
};

/** The deepest nesting of brackets; throws a GraphQLError if the text has a character that GraphQL does not allow. */
function nestingOf(query: string): number {
  let deepest = 0;
  let depth = 0;
  const lexer = new Lexer(new Source(query));
  for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
    if (closers[kind]) deepest = Math.max(deepest, ++depth);
    else if (isCloser(kind)) depth -= 1;
  }
  return deepest;
}

const isCloser = (kind: string): boolean =>
  kind === TokenKind.BRACE_R || kind === TokenKind.BRACKET_R || kind === TokenKind.PAREN_R;

function toSyntaxProblem(error: GraphQLError, query: string): Problem {
  const { line, column } = error.locations?.[0] ?? getLocation(new Source(query), 0);
  const refusal = toRefusal(graphqlRules.syntax, place, query, {
    problem: error.message,
    line,
    column,
    mended: closed(query),
  });
  return { refusal, code: 'GRAPHQL_PARSE_FAILED', error };
}

/** The query with its missing closing brackets, if nothing else is wrong. */
function closed(query: string): string | null {
  try {
    const open: string[] = [];
    const lexer = new Lexer(new Source(query));
    for (let { kind } = lexer.advance(); kind !== TokenKind.EOF; { kind } = lexer.advance()) {
      const closer = closers[kind];
      if (closer) open.push(closer);
      else if (isCloser(kind)) open.pop();
    }
    const whole = `${query} ${open.reverse().join(' ')}`;
    parse(whole);
    return whole;
  } catch {
    // Something else is missing; only the author knows what.
    return null;
  }
}

function toValidationProblem(schema: GraphQLSchema, error: GraphQLError, query: string): Problem {
  const refusal = toRefusal(graphqlRules.validation, place, query, {
    problem: error.message,
    at: error.locations?.[0] ?? null,
    mended:
      retyped(schema, error, query) ??
      ofOtherType(schema, error, query) ??
      renamed(schema, error, query) ??
      undeferred(schema, error, query),
  });
  return { refusal, code: 'GRAPHQL_VALIDATION_FAILED', error };
}

/** The query with a variable declared in the type that its place expects; null if it would be refused there, too. */
function retyped(schema: GraphQLSchema, { message, nodes }: GraphQLError, query: string): string | null {
  const [, expected] = / expecting type "([^"]+)"\.$/.exec(message) ?? [];
  const [node] = nodes ?? [];
  if (expected === undefined || node?.kind !== 'VariableDefinition' || !node.loc || !node.type.loc) return null;
  const whole = query.slice(0, node.type.loc.start) + expected + query.slice(node.type.loc.end);
  return isRefusedAt(schema, whole, node.loc.start) ? null : whole;
}

/** The query as the mutation that its field is, or the reverse; null if it has fields of both, or another problem. */
function ofOtherType(schema: GraphQLSchema, { message, nodes }: GraphQLError, query: string): string | null {
  const start = nodes?.[0]?.loc?.start;
  const wanted = otherTypeOf(message);
  if (start === undefined || wanted === null) return null;
  const operation = parse(query).definitions.find(({ loc }) => loc && loc.start <= start && start < loc.end);
  if (operation?.kind !== 'OperationDefinition' || !operation.loc) return null;
  const [before, from] = [query.slice(0, operation.loc.start), query.slice(operation.loc.start)];
  const keyword = from.startsWith(operation.operation) ? operation.operation : '';
  const whole = `${before}${wanted} ${from.slice(keyword.length).trimStart()}`;
  const isUnknown = (error: GraphQLError): boolean => / on type "(?:Query|Mutation)"\./.test(error.message);
  return validate(schema, parse(whole)).some(isUnknown) ? null : whole;
}

/** The query with an unknown name replaced by the schema's name; null if that name would be refused there, too. */
function renamed(schema: GraphQLSchema, { message, nodes }: GraphQLError, query: string): string | null {
  const [, isValue, similar] = /Did you mean (the \w+ value )?"(\w+)"/.exec(message) ?? [];
  const ofRest = meantOfRest(message);
  const name = ofRest ?? similar;
  const node = nodes?.[0] as (ASTNode & { readonly name?: ASTNode }) | undefined;
  const loc = node?.name?.loc ?? node?.loc;
  if (name === undefined || !loc) return null;
  // A value that is only similar may be another choice, so only a misspelt one is replaced. In quotes it is a text,
  // which is not a choice.
  if (ofRest === null && isValue && meantWord(query.slice(loc.start, loc.end).replaceAll('"', ''), [name]) === null)
    return null;
  const whole = query.slice(0, loc.start) + name + query.slice(loc.end);
  return isRefusedAt(schema, whole, loc.start) ? null : whole;
}

/** The query without a directive that only asks for a part of the reply later; null for any other problem. */
function undeferred(schema: GraphQLSchema, { message, nodes }: GraphQLError, query: string): string | null {
  const loc = nodes?.[0]?.loc;
  if (!loc || !deferring.test(message)) return null;
  const whole = query.slice(0, loc.start).trimEnd() + query.slice(loc.end);
  return isRefusedAt(schema, whole, loc.start) ? null : whole;
}

/** Whether a query cannot be read, or is refused at this character. Problems elsewhere have fixes of their own. */
function isRefusedAt(schema: GraphQLSchema, query: string, start: number): boolean {
  try {
    return validate(schema, parse(query)).some(({ positions }) => positions?.includes(start) ?? false);
  } catch {
    return true;
  }
}
