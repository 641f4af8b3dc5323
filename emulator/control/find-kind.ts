import { nearestOf } from '../contract/unknown-fields.ts';
import type { CollectionName } from '../records.ts';
import { toKind } from '../records/kind.ts';
import { inPath, refuse } from '../rules.ts';
import type { Store } from '../store/store.ts';
import { recordRules } from './rules/resource-rules.ts';

/** Returns the collection of the kind in a path; refuses a kind that does not exist. */
export function findKind(store: Pick<Store, 'names' | 'definitions'>, kind: string): CollectionName {
  const { names } = store;
  const found = names.find((one) => toKind(one) === kind);
  if (found) return found;
  const kinds = names.map(toKind);
  return refuse(recordRules.kind, inPath('kind'), kind, { kind, kinds, meant: meantKind(store, kind, kinds) });
}

/** Names that the inspector uses for records and sentences do not, in the singular. */
const alsoCalled: ReadonlyMap<string, CollectionName> = new Map([
  ['subscriber', 'users'],
  ['key', 'credentials'],
  ['api key', 'credentials'],
  ['unit', 'signUpUnits'],
]);

/**
 * The kind that was probably meant: by the words of people or the inspector for its records, else by a similar name.
 */
function meantKind(
  { names, definitions }: Pick<Store, 'names' | 'definitions'>,
  kind: string,
  kinds: readonly string[],
) {
  const words = kind.replaceAll('-', ' ').toLowerCase();
  const called =
    alsoCalled.get(words.replace(/s$/, '')) ??
    names.find((name) => (definitions[name]?.words as readonly string[] | undefined)?.includes(words));
  return called === undefined ? nearestOf(kind, kinds) : toKind(called);
}
