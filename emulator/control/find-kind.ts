import type { CollectionName } from '../records.ts';
import { toKind } from '../records/kind.ts';
import { inPath, refuse } from '../rules.ts';
import type { Store } from '../store/store.ts';
import { recordRules } from './rules/resource-rules.ts';

/** The collection of a kind that the path names; refused if there is no such kind. */
export function findKind({ names }: Pick<Store, 'names'>, kind: string): CollectionName {
  return (
    names.find((one) => toKind(one) === kind) ??
    refuse(recordRules.kind, inPath('kind'), kind, { kind, kinds: names.map(toKind) })
  );
}
