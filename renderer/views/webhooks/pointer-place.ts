import { ensureSyntaxTree } from '@codemirror/language';
import type { EditorState } from '@codemirror/state';
import { toNames, toPointer } from '../../../emulator/contract/pointer.ts';

type Node = NonNullable<ReturnType<typeof ensureSyntaxTree>>['topNode'];

export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The place of a JSON pointer's value in the text; the nearest thing around it if the value is missing. */
export function placeOf(state: EditorState, pointer: string): Span {
  let node = rootOf(state);
  if (!node) return { from: 0, to: Math.min(1, state.doc.length) };
  for (const name of toNames(pointer)) {
    const next: Node | null = node.name === 'Array' ? itemOf(node, Number(name)) : memberOf(state, node, name);
    // A missing value is marked at its parent, whose opening brace is enough.
    if (!next) return { from: node.from, to: Math.min(node.from + 1, node.to) };
    node = next;
  }
  return { from: node.from, to: node.to };
}

/** The JSON pointer of the field at a position; '' outside of any field. */
export function pointerAt(state: EditorState, position: number): string {
  const names: string[] = [];
  let node: Node | null = ensureSyntaxTree(state, state.doc.length, 200)?.resolveInner(position, -1) ?? null;
  for (; node; node = node.parent) {
    if (node.name === 'Property') {
      const key = node.getChild('PropertyName');
      if (key) names.unshift(textOf(state, key));
    }
  }
  return toPointer(names);
}

function rootOf(state: EditorState): Node | null {
  return ensureSyntaxTree(state, state.doc.length, 200)?.topNode.firstChild ?? null;
}

function memberOf(state: EditorState, object: Node, name: string): Node | null {
  // Of duplicate names, the last one counts.
  const property = object.getChildren('Property').findLast((one) => {
    const key = one.getChild('PropertyName');
    return key !== null && textOf(state, key) === name;
  });
  return property?.lastChild ?? null;
}

function itemOf(array: Node, index: number): Node | null {
  const items: Node[] = [];
  for (let child = array.firstChild; child; child = child.nextSibling)
    if (!/^[[\],⚠]$/.test(child.name)) items.push(child);
  return items[index] ?? null;
}

function textOf(state: EditorState, node: Span): string {
  const text = state.sliceDoc(node.from, node.to);
  try {
    return String(JSON.parse(text));
  } catch {
    return text;
  }
}
