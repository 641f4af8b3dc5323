import type { DocumentNode, FragmentDefinitionNode, SelectionSetNode } from 'graphql';

/** The most that a document can ask for, with every fragment counted as often as it is spread. */
export interface Cost {
  readonly depth: number;
  readonly fields: number;
  readonly aliases: number;
}

const nothing: Cost = { depth: 0, fields: 0, aliases: 0 };
/** Of a fragment that the document lacks: with thousands of them, validation ends before it can name one. */
const lacking: Cost = { ...nothing, fields: 1 };

/**
 * Measures a document: the most expensive of its operations and fragments. Linear in the text, however often fragments
 * are spread; a cycle of fragments is followed once (validation refuses it). Introspection does not count as depth.
 */
export function costOf(document: DocumentNode): Cost {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const node of document.definitions) if (node.kind === 'FragmentDefinition') fragments.set(node.name.value, node);
  const known = new Map<string, Cost>();

  const ofFragment = (name: string): Cost => {
    const done = known.get(name);
    if (done) return done;
    known.set(name, nothing);
    const fragment = fragments.get(name);
    const cost = fragment ? ofSelections(fragment.selectionSet) : lacking;
    known.set(name, cost);
    return cost;
  };

  const ofSelections = (set: SelectionSetNode): Cost => {
    let { depth, fields, aliases } = nothing;
    for (const node of set.selections) {
      const inner =
        node.kind === 'FragmentSpread'
          ? ofFragment(node.name.value)
          : node.selectionSet
            ? ofSelections(node.selectionSet)
            : nothing;
      const isField = node.kind === 'Field';
      const isIntrospection = isField && (node.name.value === '__schema' || node.name.value === '__type');
      depth = Math.max(depth, isIntrospection ? 1 : inner.depth + (isField ? 1 : 0));
      fields += inner.fields + (isField ? 1 : 0);
      aliases += inner.aliases + (isField && node.alias ? 1 : 0);
    }
    return { depth, fields, aliases };
  };

  // Unused fragments count, too: validation visits their fields anyway.
  return document.definitions.reduce<Cost>((dearest, node) => {
    if (node.kind !== 'OperationDefinition' && node.kind !== 'FragmentDefinition') return dearest;
    const { depth, fields, aliases } = ofSelections(node.selectionSet);
    return {
      depth: node.kind === 'OperationDefinition' ? Math.max(dearest.depth, depth) : dearest.depth,
      fields: Math.max(dearest.fields, fields),
      aliases: Math.max(dearest.aliases, aliases),
    };
  }, nothing);
}
