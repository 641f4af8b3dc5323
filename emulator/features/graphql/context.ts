import type { GraphQLResolveInfo } from 'graphql';
import type { Deps } from '../../deps.ts';
import type { Access } from '../../http/endpoint.ts';
import type { Caller } from '../../people/caller.ts';
import { Refusal } from '../../rules.ts';
import type { SharedOperation, SharedOperations } from './operations.ts';
import { relocate, retell, type Spelling } from './relocate.ts';
import type { GraphqlRequest } from './shapes.ts';

/** The state that the resolvers of one request share. */
export interface Context {
  readonly deps: Deps;
  readonly shared: SharedOperations;
  readonly now: number;
  /** The variables as they were sent, without the defaults of the query. */
  readonly variables: GraphqlRequest['variables'];
  note(remark: string): void;
  /** The caller; throws a Refusal if the credential lacks the scope. */
  authorize(access: Access): Caller;
  transact<R>(work: () => R): R;
  /** Refuses a body that does not fit its REST operation. */
  check(name: keyof SharedOperations, body: unknown): void;
}

/** A mutation field that does the same as a REST operation: the body to pass on, how REST spells it, and the answer. */
export interface MutationField<Input, Body, Outcome> {
  readonly name: keyof SharedOperations;
  readonly spelling: Spelling;
  /** The JSON properties of the input as an object, if it has any: fixes are applied to them. */
  toBody(input: Input, note: (remark: string) => void): Body;
  answer(outcome: Outcome, input: Input, body: Body): unknown;
}

/**
 * Creates a field's function: scope, contract, then the operation in a transaction of its own, so that a refused field
 * of a request changes nothing. Refusals and notes are in the words of the GraphQL request.
 */
export function toField<Input, Body, Outcome>(
  context: Context,
  shared: SharedOperation<Body, Outcome>,
  field: MutationField<Input, Body, Outcome>,
) {
  return ({ input }: { readonly input: Input }, _context: unknown, info: GraphQLResolveInfo): unknown => {
    const caller = context.authorize(shared.operation.access);
    const note = (remark: string): void => context.note(retell(remark, field.spelling));
    let body: Body | undefined;
    try {
      const wanted = field.toBody(input, note);
      body = wanted;
      context.check(field.name, wanted);
      const outcome = context.transact(() => shared.run(context.deps, caller, wanted, context.now, note));
      return field.answer(outcome, input, wanted);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      throw relocate(
        error,
        { ...info, sent: context.variables },
        field.spelling,
        input,
        (body as { readonly properties?: unknown } | undefined)?.properties ?? {},
      );
    }
  };
}
