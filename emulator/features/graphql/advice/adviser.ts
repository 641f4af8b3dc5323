import type { ASTNode, DocumentNode, GraphQLError, GraphQLSchema } from 'graphql';
import type { TextChange } from '../../../contract/text-changes.ts';
import type { Kind, Told } from './problem.ts';

/** How to correct a query: in words, and as the corrected text if the query shows what was meant. */
export interface Correction {
  readonly say: string;
  readonly mended: string | null;
}

/** A query that graphql-js refuses, with all its problems. */
export interface Refused {
  readonly schema: GraphQLSchema;
  readonly query: string;
  readonly document: DocumentNode;
  readonly errors: readonly GraphQLError[];
}

/** One problem of a query. */
export interface Mistake extends Refused {
  readonly error: GraphQLError;
  readonly told: Told;
  /** What it is about. There are several nodes if the same mistake was made several times. */
  readonly nodes: readonly ASTNode[];
}

/** Says how to correct a problem, alone or with the changes of the text; null if it has no advice for this one. */
export type Adviser = (mistake: Mistake) => Advice | string | null;

export interface Advice {
  readonly say: string;
  /** Null for a change that cannot be made; then none of them is. */
  readonly changes: readonly (TextChange | null)[];
}

/** Kind of problem → its advisers. The first one whose changes help, or that only says something, counts. */
export type Advisers = { readonly [kind in Kind]?: readonly Adviser[] };
