/**
 * Secrets in exports: masked unless requested, and replaced by new ones when such an export is imported. Pure except
 * for randomness.
 */
import { publicSecrets } from '../declared-world/demo.ts';
import { randomSecret } from '../ids.ts';
import type { CollectionName, StoredRecord } from '../records.ts';
import type { Definitions } from '../records/definition.ts';
import { mapSecrets } from '../records/secrets.ts';
import type { RecordLists, Store } from '../store/store.ts';
import { inSlices, type Steps } from '../time/slices.ts';

/** The text that an export shows instead of a secret. */
const mask = '(masked)';

/** Masks every secret except those of the demo world, which are public. */
export function withMaskedSecrets(definitions: Definitions, collections: RecordLists): Promise<RecordLists> {
  return inSlices(mapped(definitions, collections, () => (secret) => (publicSecrets.includes(secret) ? secret : mask)));
}

/**
 * Replaces masked secrets: by those of the present record with the same id, else by new ones. `renewed` lists the
 * records that got new ones.
 */
export async function withNewSecrets(
  definitions: Definitions,
  collections: RecordLists,
  present: (name: CollectionName, id: string) => StoredRecord | undefined,
): Promise<{
  readonly collections: RecordLists;
  readonly renewed: readonly { readonly collection: CollectionName; readonly id: string }[];
}> {
  const renewed: { collection: CollectionName; id: string }[] = [];
  const toNew = (name: CollectionName, id: string): ((secret: string) => string) => {
    const known = secretsOf(definitions, name, present(name, id));
    let at = 0;
    let isRenewed = false;
    return (secret) => {
      const kept = known[at++];
      if (secret !== mask) return secret;
      if (kept !== undefined) return kept;
      if (!isRenewed) renewed.push({ collection: name, id });
      isRenewed = true;
      return randomSecret();
    };
  };
  return { collections: await inSlices(mapped(definitions, collections, toNew)), renewed };
}

/** Every secret in the store now. */
export function secretsOfStore(store: Store): Promise<readonly string[]> {
  return inSlices(found());

  function* found(): Steps<string[]> {
    const secrets: string[] = [];
    for (const name of store.names)
      for (const record of store.collection(name).records()) {
        secrets.push(...secretsOf(store.definitions, name, record));
        yield;
      }
    return secrets;
  }
}

function secretsOf(
  definitions: Definitions,
  name: CollectionName,
  record: StoredRecord | undefined,
): readonly string[] {
  const found: string[] = [];
  const definition = definitions[name];
  if (record && definition) mapSecrets(definition, record, (secret) => (found.push(secret), secret));
  return found;
}

function* mapped(
  definitions: Definitions,
  collections: RecordLists,
  mapOf: (name: CollectionName, id: string) => (secret: string) => string,
): Steps<RecordLists> {
  const filled: { [N in CollectionName]?: readonly StoredRecord[] } = {};
  for (const [name, records] of Object.entries(collections) as [CollectionName, readonly StoredRecord[]][]) {
    const definition = definitions[name];
    const list: StoredRecord[] = [];
    for (const record of records) {
      list.push(definition ? mapSecrets(definition, record, mapOf(name, record.id)) : record);
      yield;
    }
    filled[name] = list;
  }
  return filled;
}
