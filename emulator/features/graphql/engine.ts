import {
  GraphQLError,
  executeSync,
  getOperationAST,
  type DocumentNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import type { Deps } from '../../deps.ts';
import { createNumberTeller } from '../../contract/numbers.ts';
import { escapePointer } from '../../contract/pointer.ts';
import { isGiven, mostUnknown, nearestOf } from '../../contract/unknown-fields.ts';
import type { Input } from '../../http/endpoint.ts';
import { graphqlCodes } from '../../http/error-text.ts';
import { Refusal, inBody, toRefusal } from '../../rules.ts';
import { toAnswer, type GraphqlAnswer } from './answer.ts';
import type { SharedOperations } from './operations.ts';
import type { Context } from './context.ts';
import { toMutations } from './mutations.ts';
import { toQueries } from './nodes.ts';
import { spotOf } from './query-text.ts';
import { createPrepare, type Prepared, type Problem } from './prepare.ts';
import { graphqlRules } from './rules.ts';
import { createSchema } from './schema.ts';
import type { GraphqlReply, GraphqlRequest } from './shapes.ts';
import { toVariablesRefusal, type Asked } from './variables.ts';

export type Ask = Pick<
  Input<undefined, undefined, undefined, null>,
  'now' | 'note' | 'transact' | 'authorize' | 'toCheck'
>;

type Check = (value: unknown) => void;

/**
 * Creates the GraphQL engine. Everything but introspection needs a credential; without one `answer` throws the same
 * refusal as REST (401). All other problems are in `errors`.
 */
export function createEngine(
  shared: SharedOperations,
): (request: GraphqlRequest, ask: Ask, deps: Deps) => Promise<GraphqlAnswer> {
  /** Notes numbers while an operation is executed, which is one synchronous call; checking a query notes nothing. */
  let tellNumber: (sent: string) => void = () => {};
  const schema = createSchema((sent) => tellNumber(sent));
  const prepare = createPrepare(schema);
  let checks: ReadonlyMap<keyof SharedOperations, Check> | null = null;

  return async (request, ask, deps) => {
    const answered = (result: Pick<GraphqlReply, 'data'>, problems: readonly Problem[]) =>
      toAnswer(result, problems, deps.choices.answers);
    const prepared = prepare(request.query);
    // An empty name chooses none, as in the query of a GET.
    const operationName = request.operationName || null;
    const operation = prepared.document && getOperationAST(prepared.document, operationName);
    if (!isIntrospection(prepared, operation)) ask.authorize('bearer');
    if (operation?.operation === 'subscription') return answered({}, [noSubscriptions(operation, request.query)]);
    const { document, problems } = prepared;
    if (document === null || problems.length > 0) return answered({}, problems);
    if (!operation) return answered({}, [toOperationProblem(document, operationName)]);
    const unknown = unknownVariables(operation, request.variables);
    if (deps.choices.unknownFields === 'refuse' && unknown[0]) return answered({}, [toVariableProblem(unknown[0])]);
    for (const one of unknown) ask.note(sayIgnored(one));
    if (operation.operation === 'mutation') checks ??= await toChecks(shared, ask);

    const context: Context = {
      deps,
      shared,
      now: ask.now,
      variables: request.variables,
      note: (remark) => ask.note(remark),
      authorize: (access) => ask.authorize(access),
      transact: (work) => ask.transact(work),
      check: (name, body) => checks?.get(name)?.(body),
    };
    tellNumber = createNumberTeller(context.note);
    const { data, errors = [] } = executeSync({
      schema,
      document,
      rootValue: operation.operation === 'mutation' ? toMutations(context) : toQueries(context),
      variableValues: request.variables,
      operationName,
    });
    tellNumber = () => {};
    return answered(
      data === undefined ? {} : { data },
      errors.map((error) => toProblem(error, { schema, document, operation, variables: request.variables })),
    );
  };
}

async function toChecks(shared: SharedOperations, ask: Ask): Promise<ReadonlyMap<keyof SharedOperations, Check>> {
  const checks = new Map<keyof SharedOperations, Check>();
  for (const [name, { operation, contract = operation.body?.schema }] of Object.entries(shared) as [
    keyof SharedOperations,
    SharedOperations[keyof SharedOperations],
  ][]) {
    if (contract) checks.set(name, await ask.toCheck(contract));
  }
  return checks;
}

/** Introspection is answered without a credential (docs/platform.md, GraphQL), also by fragments of the query. */
function isIntrospection(
  { document, problems }: Prepared,
  operation: OperationDefinitionNode | null | undefined,
): boolean {
  if (!document || !operation || problems.length > 0 || operation.operation !== 'query') return false;
  const asksOnly = ({ selections }: SelectionSetNode): boolean =>
    selections.every((node) => {
      if (node.kind === 'Field') return node.name.value.startsWith('__');
      if (node.kind === 'InlineFragment') return asksOnly(node.selectionSet);
      const fragment = document.definitions.find(
        (one) => one.kind === 'FragmentDefinition' && one.name.value === node.name.value,
      );
      return fragment?.kind === 'FragmentDefinition' && asksOnly(fragment.selectionSet);
    });
  return asksOnly(operation.selectionSet);
}

function toOperationProblem(document: DocumentNode, sent: string | null): Problem {
  const names = document.definitions.flatMap((node) =>
    node.kind === 'OperationDefinition' && node.name ? [node.name.value] : [],
  );
  const refusal = toRefusal(graphqlRules.operation, inBody('/operationName'), sent, { sent, names });
  return { refusal, code: 'BAD_USER_INPUT', error: null };
}

/** A variable that the operation does not declare, and the declared one that was probably meant. */
interface UnknownVariable {
  readonly name: string;
  readonly value: unknown;
  readonly nearest: string | null;
}

/** The variables that the operation does not declare; graphql-js ignores them. */
function unknownVariables(
  { variableDefinitions = [] }: OperationDefinitionNode,
  sent: GraphqlRequest['variables'],
): readonly UnknownVariable[] {
  const variables = Object.entries(sent ?? {});
  const declared = variableDefinitions.map(({ variable }) => variable.name.value);
  const free = declared.filter((name) => !isGiven(sent?.[name]));
  return variables
    .filter(([name]) => !declared.includes(name))
    .slice(0, mostUnknown)
    .map(([name, value]) => ({ name, value, nearest: nearestOf(name, free) }));
}

function sayIgnored({ name, nearest }: UnknownVariable): string {
  const meant = nearest === null ? '' : ` Did you mean ${nearest}?`;
  return `The variable ${name} is not one of the operation and was ignored.${meant}`;
}

function toVariableProblem({ name, value, nearest }: UnknownVariable): Problem {
  const place = inBody(`/variables/${escapePointer(name)}`);
  const refusal = toRefusal(graphqlRules.unknownVariable, place, value, { name, value, nearest });
  return { refusal, code: 'BAD_USER_INPUT', error: null };
}

function noSubscriptions({ loc }: OperationDefinitionNode, query: string): Problem {
  const spot = loc ? spotOf(loc) : { line: 1, column: 1 };
  const refusal = toRefusal(graphqlRules.subscription, inBody('/query'), query, spot);
  return { refusal, code: 'GRAPHQL_VALIDATION_FAILED', error: null };
}

/** Refusals and invalid input are the client's errors; anything else is our bug and is rethrown. */
function toProblem(error: GraphQLError, asked: Asked): Problem {
  const cause = error.originalError;
  if (cause instanceof Refusal)
    return { refusal: cause, code: graphqlCodes[cause.rule.status] ?? 'BAD_USER_INPUT', error };
  if (cause && !(cause instanceof GraphQLError)) throw cause;
  return { refusal: toVariablesRefusal(error, asked), code: 'BAD_USER_INPUT', error };
}
