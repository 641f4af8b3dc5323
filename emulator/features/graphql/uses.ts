import {
  TypeInfo,
  isNonNullType,
  visit,
  visitWithTypeInfo,
  type DocumentNode,
  type GraphQLInputType,
  type GraphQLSchema,
  type VariableNode,
} from 'graphql';

/** A place at which a query reads a variable, and the type that the schema has there; null if it has no such place. */
interface Use {
  readonly node: VariableNode;
  readonly type: GraphQLInputType | null;
}

/** All places at which a document reads variables, also those of other operations. */
export function usesOf(schema: GraphQLSchema, document: DocumentNode): readonly Use[] {
  const info = new TypeInfo(schema);
  const uses: Use[] = [];
  visit(
    document,
    visitWithTypeInfo(info, {
      VariableDefinition: () => false,
      Variable: (node) => void uses.push({ node, type: info.getInputType() ?? null }),
    }),
  );
  return uses;
}

/** The type in which a variable has to be declared; null if its places have several. */
export function typeWanted(uses: readonly Use[], name: string): string | null {
  const own = uses.filter(({ node }) => node.name.value === name).map(({ type }) => type);
  const types = [...new Set(own.map(String))];
  const [strictest] = own.filter(isNonNullType);
  const [wanted = null] = strictest ? [String(strictest)] : types;
  return types.every((type) => type === wanted || `${type}!` === wanted) ? wanted : null;
}
