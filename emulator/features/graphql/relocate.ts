import { unescapePointer, valueAt } from '../../contract/pointer.ts';
import { show, type Edit, type Place, type Refusal } from '../../rules.ts';
import { refusalAt, type ArgumentEdit, type FieldInfo } from './argument-place.ts';

/** The differences in spelling between a mutation's input and the REST body: pointers, and values at a pointer. */
export interface Spelling {
  readonly pointers: readonly (readonly [rest: RegExp, graphql: string])[];
  toValue?(pointer: string, value: unknown): unknown;
  /** REST's names in messages and notes, and GraphQL's names for them. */
  readonly words?: readonly (readonly [rest: RegExp, graphql: string])[];
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
  const toOwn = (edit: Edit): readonly ArgumentEdit[] => {
    const at = edit.op === 'replace-body' ? null : toPointer(edit.place);
    if (edit.op === 'replace-body' || at === null) return [];
    return edit.op === 'remove' ? [{ at }] : [{ at, value: toValue ? toValue(at, edit.value) : edit.value }];
  };
  const { edits } = refusal.fix;
  const inText = edits.length > 0 ? [{ at: '/properties', value: edited(properties, edits) }] : [];
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
  return refusalAt(
    refusal.with({
      value: sent ?? refusal.value,
      message: told(refusal.message),
      fix: { say: told(refusal.fix.say), edits: [] },
    }),
    info,
    { pointer: inProperties ? '/properties' : pointer, edits: inProperties ? inText : edits.flatMap(toOwn) },
  );
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
