import type { GraphQLResolveInfo, ValueNode } from 'graphql';
import { inBody, set, type Edit, type Place, type Refusal } from '../../rules.ts';

/** How a mutation's input is spelled where it differs from the REST body: pointers, and values at a pointer. */
export interface Spelling {
  readonly pointers: readonly (readonly [rest: RegExp, graphql: string])[];
  toValue?(pointer: string, value: unknown): unknown;
}

/** The same refusal with its places in the GraphQL request, so that its fix can be applied there. */
export function relocate(
  refusal: Refusal,
  info: GraphQLResolveInfo,
  { pointers, toValue }: Spelling,
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
  const edits = !inProperties
    ? refusal.fix.edits.flatMap(toEdit)
    : place
      ? [set(place, edited(properties, refusal.fix.edits))]
      : [];
  return refusal.with({
    place: place ?? inBody('/query'),
    message:
      pointer === refusal.place.at || refusal.place.in === 'path'
        ? refusal.message
        : `${refusal.message} Here it is ${pointer.slice(1).replaceAll('/', '.')}.`,
    fix: { say: refusal.fix.say, edits },
  });
}

/** Where a part of the field's `input` stands in the request; null where it is written out in the query. */
export function locate(info: GraphQLResolveInfo, pointer: string, argument = 'input'): Place | null {
  const rest = pointer.split('/').slice(1);
  let node: ValueNode | undefined = info.fieldNodes[0]?.arguments?.find(({ name }) => name.value === argument)?.value;
  while (node) {
    if (node.kind === 'Variable') return inBody(['/variables', node.name.value, ...rest].join('/'));
    const key = rest.shift() ?? '';
    if (node.kind === 'ObjectValue') node = node.fields.find(({ name }) => name.value === key)?.value;
    else node = node.kind === 'ListValue' ? node.values[Number(key)] : undefined;
  }
  return null;
}

/** The JSON text of the properties after edits of single ones. */
function edited(properties: unknown, edits: readonly Edit[]): string {
  const changed = new Map(Object.entries(properties as object));
  for (const edit of edits) {
    if (edit.op === 'replace-body') continue;
    const name = edit.place.at.slice('/properties/'.length).replaceAll('~1', '/').replaceAll('~0', '~');
    if (edit.op === 'set') changed.set(name, edit.value);
    else changed.delete(name);
  }
  return JSON.stringify(Object.fromEntries(changed));
}
