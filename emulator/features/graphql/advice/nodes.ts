import {
  BREAK,
  TokenKind,
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  visit,
  type ASTNode,
  type DocumentNode,
  type GraphQLNamedType,
  type OperationDefinitionNode,
} from 'graphql';
import { meantWord } from '../../../contract/meant.ts';
import type { TextChange } from '../../../contract/text-changes.ts';
import { insert, leaveOut, replace } from '../query-text.ts';

/** The nodes around a node, the innermost first. */
export function around(document: DocumentNode, wanted: ASTNode | undefined): readonly ASTNode[] {
  let found: readonly ASTNode[] = [];
  visit(document, {
    enter(node, _key, parent, _path, ancestors) {
      if (node !== wanted) return undefined;
      found = [...ancestors, parent].flatMap((one) => (one && 'kind' in one ? [one] : [])).toReversed();
      return BREAK;
    },
  });
  return found;
}

/** The operations of a document, or only the one with a name. */
export function operationsIn({ definitions }: DocumentNode, name?: string): readonly OperationDefinitionNode[] {
  return definitions.flatMap((one) =>
    one.kind === 'OperationDefinition' && (name === undefined || one.name?.value === name) ? [one] : [],
  );
}

/** The names of the fields of a type. */
export function fieldsOf(type: GraphQLNamedType | undefined): readonly string[] {
  const own = getNamedType(type);
  return isObjectType(own) || isInterfaceType(own) || isInputObjectType(own) ? Object.keys(own.getFields()) : [];
}

/** The one of similar names that was meant; null if there are several. */
export function meantName(sent: string, similar: readonly string[]): string | null {
  return meantWord(sent, similar) ?? (similar.length === 1 ? (similar[0] ?? null) : null);
}

/** Writes another name at each of the nodes. */
export function rename(nodes: readonly ASTNode[], name: string): readonly (TextChange | null)[] {
  return nodes.map((node) => {
    const loc = 'name' in node && node.name ? node.name.loc : node.loc;
    return loc ? replace(loc, name) : null;
  });
}

/** Leaves out one of the parts between two brackets; with the brackets if it is the only one. */
export function leaveOutOf(node: ASTNode, all: readonly ASTNode[]): TextChange | null {
  const { loc } = node;
  if (!loc) return null;
  if (all.length > 1) return leaveOut(loc, all);
  const [open, close] = [loc.startToken.prev, loc.endToken.next];
  if (open?.kind !== TokenKind.PAREN_L || close?.kind !== TokenKind.PAREN_R) return null;
  const start = open.prev && open.prev.kind !== TokenKind.COMMENT ? open.prev.end : open.start;
  return { start, end: close.end, text: '' };
}

/** Leaves out a part and the space before it. A comment before it stays on its line. */
export function leaveOutAlone({ loc }: ASTNode): TextChange | null {
  const before = loc?.startToken.prev;
  if (!loc || !before) return null;
  return { start: before.kind === TokenKind.COMMENT ? loc.start : before.end, end: loc.end, text: '' };
}

/** Adds a part between brackets after the others, or the brackets with it. */
export function addTo(all: readonly ASTNode[], above: ASTNode | undefined, part: string): TextChange | null {
  const last = all.at(-1)?.loc;
  if (last) return insert(last.end, `, ${part}`);
  return above?.loc ? insert(above.loc.end, `(${part})`) : null;
}
