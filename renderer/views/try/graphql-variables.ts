/** Checks and completes GraphQL variables in the editor, from the schema. */
import type { Completion, CompletionSource } from '@codemirror/autocomplete';
import { linter, type Diagnostic } from '@codemirror/lint';
import { EditorState, type Extension, type Text } from '@codemirror/state';
import {
  coerceInputValue,
  getNamedType,
  getNullableType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  typeFromAST,
  type GraphQLInputType,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql';
import { findNodeAtLocation, getLocation, getNodeValue, parseTree, type JSONPath, type Node } from 'jsonc-parser';
import { unlessTooDeep } from '../../http-text/json-lines.ts';

/** The variables of the operation to run, with their types. */
type Variables = ReadonlyMap<string, { readonly type: GraphQLInputType; readonly required: boolean }>;

/** A mistake in variables, and its place in their text. */
export interface Misfit {
  readonly from: number;
  readonly to: number;
  readonly says: string;
}

export function variablesOf(schema: GraphQLSchema, operation: OperationDefinitionNode | undefined): Variables {
  return new Map(
    (operation?.variableDefinitions ?? []).flatMap(({ variable, type: node, defaultValue }) => {
      const type = typeFromAST(schema, node as Parameters<typeof typeFromAST>[1]) as GraphQLInputType | undefined;
      return type ? [[variable.name.value, { type, required: isNonNullType(type) && !defaultValue }] as const] : [];
    }),
  );
}

/**
 * The mistakes in a text for the variables. Text that is not JSON has none here, because the editor itself marks it.
 */
export function misfitsOf(text: string, variables: Variables): readonly Misfit[] {
  return unlessTooDeep(() => {
    const broken: unknown[] = [];
    const root = text.trim() === '' ? undefined : parseTree(text, broken as never[]);
    if (broken.length > 0) return [];
    if (root && root.type !== 'object')
      return root.type === 'null' ? [] : [{ ...spanOf(root), says: 'Variables are an object: a value for each name.' }];
    const given = (root ? (getNodeValue(root) as object) : {}) as { readonly [name: string]: unknown };
    const at = (path: JSONPath): Omit<Misfit, 'says'> => {
      // A missing value is marked at its parent.
      const around = path.map((_step, index) => path.slice(0, path.length - index));
      const node = around.map((one) => root && findNodeAtLocation(root, one)).find((one) => one !== undefined);
      if (node) return spanOf(node);
      return { from: 0, to: Math.min(1, text.length) };
    };
    const unknown = Object.keys(given)
      .filter((name) => !variables.has(name))
      .map((name) => ({ ...keyOf(root, name), says: `The operation has no variable $${name}.` }));
    const wrong = [...variables].flatMap(([name, { type, required }]) => {
      if (!(name in given))
        return required ? [{ ...at([]), says: `$${name} is missing: the operation needs ${String(type)}.` }] : [];
      const found: Misfit[] = [];
      coerceInputValue(given[name], type, (path, _value, { message }) => {
        const place = path.map(String).join('.');
        found.push({ ...at([name, ...path]), says: place === '' ? message : `${place}: ${message}` });
      });
      return found;
    });
    return [...unknown, ...wrong];
  }, []);
}

const spanOf = ({ offset, length }: Node): Omit<Misfit, 'says'> => ({ from: offset, to: offset + length });

function keyOf(root: Node | undefined, name: string): Omit<Misfit, 'says'> {
  const key = root?.children?.find(({ children }) => children?.[0]?.value === name)?.children?.[0];
  return key ? spanOf(key) : { from: 0, to: 1 };
}

/** The type of a place in the variables; undefined if nothing can be there. */
function typeAt(variables: Variables, [name, ...path]: JSONPath): GraphQLInputType | undefined {
  let type = variables.get(String(name))?.type;
  for (const step of path) {
    const bare = type && getNullableType(type);
    if (isListType(bare)) {
      type = typeof step === 'number' ? (bare.ofType as GraphQLInputType) : undefined;
    } else type = isInputObjectType(bare) ? bare.getFields()[String(step)]?.type : undefined;
  }
  return type;
}

/** Completes names, and the values of enumerations, where each can be. */
function completeFrom(variables: () => Variables): CompletionSource {
  return ({ state, pos, explicit }) => {
    const text = state.doc.toString();
    const { path, isAtPropertyKey } = getLocation(text, pos);
    const typed = /"?\w*$/.exec(text.slice(0, pos))?.[0] ?? '';
    if (typed === '' && !explicit) return null;
    const from = pos - typed.length;
    /** The end of a text typed up to `to`, including the quote that the editor closed. */
    const endOf = (doc: Text, to: number): number =>
      doc.sliceString(from, from + 1) === '"' && doc.sliceString(to, to + 1) === '"' ? to + 1 : to;
    const apply =
      (toWritten: (after: string) => string): Apply =>
      (view, _completion, _from, to) => {
        const { doc } = view.state;
        const end = endOf(doc, to);
        const written = toWritten(doc.sliceString(end));
        view.dispatch({
          changes: { from, to: end, insert: written },
          selection: { anchor: from + written.length },
          userEvent: 'input.complete',
        });
      };
    if (isAtPropertyKey) {
      const owner = path.slice(0, -1);
      const around = owner.length === 0 ? null : typeAt(variables(), owner);
      const named = around && getNullableType(around);
      const members =
        owner.length === 0
          ? [...variables()].map(([name, { type }]) => ({ name, type, description: null }))
          : isInputObjectType(named)
            ? Object.values(named.getFields())
            : [];
      const options = members.map(({ name, type, description }) => ({
        label: `"${name}"`,
        detail: String(type),
        type: 'property',
        ...(description ? { info: description } : {}),
        apply: apply((after) => `"${name}"${/^\s*:/.test(after) ? '' : ': '}`),
      }));
      return options.length > 0 ? { from, options, validFor } : null;
    }
    const type = typeAt(variables(), path);
    const named = type && getNamedType(type);
    const values = isEnumType(named)
      ? named.getValues().map(({ name }) => `"${name}"`)
      : named?.name === 'Boolean'
        ? ['true', 'false']
        : [];
    const options = values.map((label) => ({ label, type: 'enum', apply: apply(() => label) }));
    return options.length > 0 ? { from, options, validFor } : null;
  };
}
type Apply = Extract<Completion['apply'], (...args: never) => void>;

/** While such a text is typed, the options stay, so that the person never chooses one that is about to be replaced. */
const validFor = /^"?\w*$/;

/** Completion and a linter for the editor. @param variables called each time */
export function checkVariables(variables: () => Variables): readonly Extension[] {
  const complete = completeFrom(variables);
  return [
    EditorState.languageData.of(() => [{ autocomplete: complete }]),
    linter(
      ({ state }) =>
        misfitsOf(state.doc.toString(), variables()).map(({ from, to, says }): Diagnostic => ({
          from,
          to: Math.min(to, state.doc.length),
          severity: 'error',
          message: says,
        })),
      { delay: 150 },
    ),
  ];
}
