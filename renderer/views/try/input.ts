/** What a person filled in: the form of an operation, or a GraphQL document with its variables. Pure. */
import type { Filled } from './draft.ts';

/** The choice in the list that is no operation of the contract. */
export const graphqlId = 'graphql';

export interface GraphqlInput {
  readonly document: string;
  /** JSON, or what is typed so far. */
  readonly variables: string;
  /** Which operation of the document is run; '' is the first one. */
  readonly operation: string;
}

export type Input = Filled | GraphqlInput;

export function isGraphql(input: Input | null | undefined): input is GraphqlInput {
  return typeof input === 'object' && input !== null && 'document' in input;
}

/** The input of a form; null if it is none. */
export function toFilled(input: Input | null | undefined): Filled | null {
  return !input || isGraphql(input) ? null : input;
}
