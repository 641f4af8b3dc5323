/** The input of a person: the form of an operation, or a GraphQL document with its variables. Pure. */
import { isListOf, isMapOf, isOrNull, isText, isWith, type Check } from '../../browser-storage.ts';
import type { Filled } from './draft.ts';

/** The choice in the list that is not an operation of the contract. */
export const graphqlId = 'graphql';

export interface GraphqlInput {
  readonly document: string;
  /** JSON, or the text typed so far. */
  readonly variables: string;
  /** The operation of the document to run; '' for the first one. */
  readonly operation: string;
}

export type Input = Filled | GraphqlInput;

const isGraphqlInput = isWith<GraphqlInput>({ document: isText, variables: isText, operation: isText });
const isFilled = isWith<Filled>({
  path: isMapOf(isText),
  query: isMapOf(isText),
  headers: isListOf(
    (one): one is readonly [string, string] => Array.isArray(one) && one.length === 2 && one.every(isText),
  ),
  // Any value. JSON leaves it out if it is undefined.
  body: (_value): _value is unknown => true,
  text: isOrNull(isText),
});

/** Whether a value that the browser kept is an input. */
export const isInput: Check<Input> = (value) => isGraphqlInput(value) || isFilled(value);

export function isGraphql(input: Input | null | undefined): input is GraphqlInput {
  return typeof input === 'object' && input !== null && 'document' in input;
}

/** The input of a form; null for a GraphQL input, and for none. */
export function toFilled(input: Input | null | undefined): Filled | null {
  return !input || isGraphql(input) ? null : input;
}
