import type { GraphQLResolveInfo, ValueNode } from 'graphql';
import { unescapePointer, valueAt } from '../../contract/pointer.ts';
import { inBody, set, show, type Edit, type Place, type Refusal } from '../../rules.ts';
import type { GraphqlRequest } from './shapes.ts';

/** The differences in spelling between a mutation's input and the REST body: pointers, and values at a pointer. */
export interface Spelling {
  readonly pointers: readonly (readonly [rest: RegExp, graphql: string])[];
  toValue?(pointer: string, value: unknown): unknown;
  /** REST's names in messages and notes, and GraphQL's names for them. */
  readonly words?: readonly (readonly [rest: RegExp, graphql: string])[];
}

/** A field of a request, and the variables that were sent with it. */
export interface FieldInfo extends Pick<GraphQLResolveInfo, 'fieldNodes' | 'operation'> {
  readonly sent: GraphqlRequest['variables'];
}

/**
 * The same refusal in the words of the GraphQL request: its places, so that its fix can be applied there, its names of
 * fields, and the values that were sent. `input` is the field's argument, `properties` its JSON text as an object.
 */
export function relocate(
  refusal: Refusal,
  info: FieldInfo,
  { pointers, toValue, words = [] }: Spelling,
  input: unknown,
  properties: unknown,
): Refusal {
  const toPointer = (place: Place): string | null => {
    if (place.in === 'path') return '/id';
    if (place.in !== 'body') return null;
    return pointers.reduce((pointer, [rest, graphql]) => pointer.replace(rest, graphql), place.at);
  };
  const pointer = toPointer(refusal.place);
  if (pointer === null) return refusal;
  const inProperties = pointer.startsWith('/properties/');
  const place = locate(info, inProperties ? '/properties' : pointer);
  const toEdit = (edit: Edit): readonly Edit[] => {
    const at = edit.op === 'replace-body' ? null : toPointer(edit.place);
    const moved = at === null ? null : locate(info, at);
    if (edit.op === 'replace-body' || at === null || moved === null) return [];
    return edit.op === 'set'
      ? [set(moved, toValue ? toValue(at, edit.value) : edit.value)]
      : [{ op: 'remove', place: moved }];
  };
  const inText = place && refusal.fix.edits.length > 0 ? [set(place, edited(properties, refusal.fix.edits))] : [];
  const edits = inProperties ? inText : refusal.fix.edits.flatMap(toEdit);
  const sent = inProperties ? undefined : valueAt(input, pointer);
  const named = (text: string): string =>
    toWords(
      refusal.place.in === 'body' && refusal.place.at !== ''
        ? text.replaceAll(dotted(refusal.place.at), dotted(pointer))
        : text,
      words,
    );
  const quoted = (text: string): string => {
    const moved = toValue?.(pointer, JSON.parse(text));
    return typeof moved === 'string' ? show(moved) : text;
  };
  // The refused value stays as it was sent.
  const toldPart = (part: string): string => changed(part, named, quoted);
  const told = (sentence: string): string =>
    typeof refusal.value === 'string'
      ? sentence
          .split(show(refusal.value))
          .map(toldPart)
          .join(show(sent ?? refusal.value))
      : toldPart(sentence);
  return refusal.with({
    place: place ?? inBody('/query'),
    value: sent ?? refusal.value,
    message: told(refusal.message),
    fix: { say: told(refusal.fix.say), edits },
  });
}

/** A note about a request in the words of GraphQL. */
export function retell(note: string, { words = [] }: Spelling): string {
  return changed(note, (text) => toWords(text, words));
}

/** Changes the names in a text, except in quotes and in email addresses, because those are values. */
function changed(
  told: string,
  named: (text: string) => string,
  quoted: (text: string) => string = (text) => text,
): string {
  return told.replaceAll(jsonTexts, (text) => (text.startsWith('"') ? quoted(text) : aroundAddresses(text, named)));
}

function toWords(text: string, words: Spelling['words'] & {}): string {
  return words.reduce((said, [rest, graphql]) => said.replace(rest, graphql), text);
}

/** Matches texts in JSON, and the parts outside of quotes. */
const jsonTexts = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-f]{4}))*"|[^"]+/gi;

function aroundAddresses(told: string, named: (text: string) => string): string {
  const parts = told.split(/(?<!\S)([^\s@]*@\S*)/);
  return parts.map((part, at) => (at % 2 === 1 ? part : named(part))).join('');
}

const dotted = (pointer: string): string => pointer.slice(1).replaceAll('/', '.');

/**
 * The place of a part of the field's `input` in the request; null if it is in the query: inline, or a variable's
 * default.
 */
export function locate(info: FieldInfo, pointer: string, argument = 'input'): Place | null {
  const rest = pointer.split('/').slice(1);
  let node = argumentOf(info, argument);
  while (node) {
    if (node.kind === 'Variable') return inBody(['/variables', node.name.value, ...rest].join('/'));
    const key = rest.shift();
    if (key === undefined) return null;
    const part: ValueNode | undefined =
      node.kind === 'ObjectValue'
        ? node.fields.find(({ name }) => name.value === key)?.value
        : node.kind === 'ListValue'
          ? node.values[Number(key)]
          : undefined;
    node = withDefault(info, part);
  }
  return null;
}

/** The node of an argument of the field; for a variable that was not sent, the variable's default, if it has one. */
export function argumentOf(info: FieldInfo, argument: string): ValueNode | undefined {
  const node = info.fieldNodes[0]?.arguments?.find(({ name }) => name.value === argument)?.value;
  return withDefault(info, node);
}

function withDefault({ operation, sent }: FieldInfo, node: ValueNode | undefined): ValueNode | undefined {
  if (node?.kind !== 'Variable' || Object.hasOwn(sent ?? {}, node.name.value)) return node;
  const declared = operation.variableDefinitions?.find(({ variable }) => variable.name.value === node.name.value);
  return declared?.defaultValue ?? node;
}

/** The JSON text of the properties after edits to single properties. */
function edited(properties: unknown, edits: readonly Edit[]): string {
  const changed = new Map(Object.entries(properties as object));
  for (const edit of edits) {
    if (edit.op === 'replace-body') continue;
    const name = unescapePointer(edit.place.at.slice('/properties/'.length));
    if (edit.op === 'set') changed.set(name, edit.value);
    else changed.delete(name);
  }
  return JSON.stringify(Object.fromEntries(changed));
}
