import {
  getNullableType,
  isListType,
  type FieldNode,
  type GraphQLInputType,
  type GraphQLResolveInfo,
  type ListValueNode,
  type ObjectValueNode,
  type ValueNode,
} from 'graphql';
import { escapePointer, toNames } from '../../contract/pointer.ts';
import { inBody, remove, set, type Edit, type Place, type Refusal } from '../../rules.ts';
import { addField, leaveOut, partType, replace, spotOf, toLiteral } from './query-text.ts';
import { changeText, type TextChange } from '../../contract/text-changes.ts';
import type { GraphqlRequest } from './shapes.ts';

/** A field of a request, and the variables that were sent with it. */
export interface FieldInfo extends Pick<GraphQLResolveInfo, 'fieldName' | 'fieldNodes' | 'operation' | 'parentType'> {
  readonly sent: GraphqlRequest['variables'];
}

/** An edit of a part of an argument, by JSON pointer. Without a value it leaves the part out. */
export interface ArgumentEdit {
  readonly at: string;
  readonly value?: unknown;
}

/** A part of an argument that is a variable, or in one. */
interface Sent {
  readonly place: Place;
}

/** A part of an argument that is in the text of the query: in the field, or in the default of a variable. */
interface Written {
  readonly place: null;
  /** The part, or the innermost value that is there. */
  readonly node: ValueNode;
  readonly type: GraphQLInputType | null;
  /** The names from that value to the part, if the query does not have the part. */
  readonly missing: readonly string[];
  /** The object or the list around it, and the value as it is written there, which may be a variable. */
  readonly above: { readonly node: ObjectValueNode | ListValueNode; readonly value: ValueNode } | null;
}

/**
 * The refusal of a part of a field's input at its place: at the variable that has it, or at its line and column in the
 * query. Edits change the variable, or that part of the query.
 */
export function refusalAt(
  refusal: Refusal,
  info: FieldInfo,
  { pointer, edits }: { readonly pointer: string; readonly edits: readonly ArgumentEdit[] },
): Refusal {
  const [field] = info.fieldNodes;
  const part = field && findPart(info, field, 'input', pointer);
  const fix = { say: refusal.fix.say, edits: toEdits(info, edits) };
  if (part?.place) return refusal.with({ place: part.place, fix });
  const loc = part?.node.loc;
  if (!loc) throw new Error('The input of a field is neither in a variable nor in the query.');
  const facts = { ...refusal.facts, ...spotOf(loc) };
  return refusal.with({ place: inBody('/query'), value: loc.source.body, facts, fix });
}

/** The edits as those of the request; none if one of them cannot be made there. */
function toEdits(info: FieldInfo, edits: readonly ArgumentEdit[]): readonly Edit[] {
  const inVariables = new Map<string, Edit>();
  const inQuery = new Map<string, TextChange>();
  let query = '';
  // Several fields of one name are answered as one. All of them have the same arguments.
  for (const field of info.fieldNodes) {
    for (const edit of edits) {
      const part = findPart(info, field, 'input', edit.at);
      if (part?.place) {
        inVariables.set(part.place.at, 'value' in edit ? set(part.place, edit.value) : remove(part.place));
        continue;
      }
      const change = part && toChange(part, edit);
      if (!change || !part.node.loc) return [];
      query = part.node.loc.source.body;
      inQuery.set(JSON.stringify(change), change);
    }
  }
  if (inQuery.size === 0) return [...inVariables.values()];
  const changed = changeText(query, [...inQuery.values()]);
  return changed === null ? [] : [...inVariables.values(), set(inBody('/query'), changed)];
}

function toChange({ node, type, missing, above }: Written, edit: ArgumentEdit): TextChange | null {
  const [name, ...inner] = missing;
  if (!('value' in edit)) return name === undefined && above ? withoutPart(above) : null;
  if (name === undefined) {
    const literal = type && toLiteral(edit.value, type);
    return literal === null || !node.loc ? null : replace(node.loc, literal);
  }
  const own = partType(type, name);
  const value = inner.reduceRight<unknown>((within, key) => ({ [key]: within }), edit.value);
  const literal = own && toLiteral(value, own);
  return literal === null || node.kind !== 'ObjectValue' ? null : addField(node, `${name}: ${literal}`);
}

function withoutPart({ node, value }: Written['above'] & {}): TextChange | null {
  if (node.kind === 'ListValue') return value.loc ? leaveOut(value.loc, node.values) : null;
  const field = node.fields.find((one) => one.value === value);
  return field?.loc ? leaveOut(field.loc, node.fields) : null;
}

/** Finds a part of an argument; null if the field is written without the argument. */
export function findPart(info: FieldInfo, field: FieldNode, argument: string, pointer: string): Sent | Written | null {
  const value = field.arguments?.find(({ name }) => name.value === argument)?.value;
  if (!value) return null;
  let type = info.parentType.getFields()[info.fieldName]?.args.find(({ name }) => name === argument)?.type ?? null;
  let node = withDefault(info, value);
  let above: Written['above'] = null;
  const keys = toNames(pointer);
  for (const [at, key] of keys.entries()) {
    if (node.kind === 'Variable') return inVariable(info, node.name.value, type, keys.slice(at));
    const isSingle = isList(type) && node.kind !== 'ListValue';
    const own = partType(type, key);
    if (!isSingle) {
      const inner = partOf(node, key);
      if (!inner) return { place: null, node, type, missing: keys.slice(at), above };
      above = { node: node as ObjectValueNode | ListValueNode, value: inner };
      node = withDefault(info, inner);
    }
    type = own;
  }
  if (node.kind === 'Variable') return inVariable(info, node.name.value, type, []);
  return { place: null, node, type, missing: [], above };
}

function partOf(node: ValueNode, key: string): ValueNode | undefined {
  if (node.kind === 'ObjectValue') return node.fields.find(({ name }) => name.value === key)?.value;
  return node.kind === 'ListValue' ? node.values[Number(key)] : undefined;
}

const isList = (type: GraphQLInputType | null): boolean => type !== null && isListType(getNullableType(type));

/** A part of a variable. Where a list is expected, it may be sent as its only item, which has no index there. */
function inVariable({ sent }: FieldInfo, name: string, of: GraphQLInputType | null, keys: readonly string[]): Sent {
  let at = `/variables/${name}`;
  let type = of;
  let value: unknown = sent?.[name];
  for (const key of keys) {
    const isSingle = isList(type) && typeof value === 'object' && value !== null && !Array.isArray(value);
    type = partType(type, key);
    if (isSingle) continue;
    at += `/${escapePointer(key)}`;
    value = (value as { readonly [key: string]: unknown } | null | undefined)?.[key];
  }
  return { place: inBody(at) };
}

/** The default of a variable that was not sent, if it has one; otherwise the value itself. */
function withDefault({ operation, sent }: FieldInfo, node: ValueNode): ValueNode {
  if (node.kind !== 'Variable' || Object.hasOwn(sent ?? {}, node.name.value)) return node;
  const declared = operation.variableDefinitions?.find(({ variable }) => variable.name.value === node.name.value);
  return declared?.defaultValue ?? node;
}
