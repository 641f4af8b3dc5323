/** Secrets in exports: masked unless asked for, and made anew when such an export comes back. Pure but for randomness. */
import { publicSecrets } from '../demo.ts';
import { randomSecret } from '../ids.ts';
import type { CollectionName, Collections, StoredRecord, Webhook } from '../records.ts';
import type { StateDocument, Store } from '../store/store.ts';

type Documented = StateDocument['collections'];

/** Stands in place of a secret. */
const mask = '(masked)';

/** Collection → a record with every secret of it mapped. */
const secretsIn: {
  readonly [N in CollectionName]?: (record: Collections[N], map: (secret: string) => string) => Collections[N];
} = {
  apps: (app, map) => (app.clientSecret === null ? app : { ...app, clientSecret: map(app.clientSecret) }),
  credentials: (one, map) => ({ ...one, secret: map(one.secret) }),
  authorizationCodes: (one, map) => ({ ...one, code: map(one.code) }),
  webhooks(webhook, map) {
    const { previousKey } = webhook;
    const mapped: Webhook = { ...webhook, signingKey: map(webhook.signingKey) };
    return previousKey === null ? mapped : { ...mapped, previousKey: { ...previousKey, key: map(previousKey.key) } };
  },
  settings: (one, map) =>
    /secret|token|key/i.test(one.id) && typeof one.value === 'string' ? { ...one, value: map(one.value) } : one,
};

/** Masks every secret but those of the demo world, which are public. */
export function withMaskedSecrets(collections: Documented): Documented {
  return mapped(collections, () => (secret) => (publicSecrets.includes(secret) ? secret : mask));
}

/**
 * Puts secrets in the place of masked ones: of the record that stands now under the same id, else new ones.
 * `renewed` are those that are new.
 */
export function withNewSecrets(
  collections: Documented,
  present: (name: CollectionName, id: string) => StoredRecord | undefined,
): {
  readonly collections: Documented;
  readonly renewed: readonly { readonly collection: CollectionName; readonly id: string }[];
} {
  const renewed: { collection: CollectionName; id: string }[] = [];
  const filled = mapped(collections, (name, id) => {
    const known = secretsOf(name, present(name, id));
    let at = 0;
    return (secret) => {
      const kept = known[at++];
      if (secret !== mask) return secret;
      if (kept !== undefined) return kept;
      if (!renewed.some((one) => one.collection === name && one.id === id)) renewed.push({ collection: name, id });
      return randomSecret();
    };
  });
  return { collections: filled, renewed };
}

/** Every secret that the store holds now. */
export function secretsOfStore(store: Store): readonly string[] {
  return (Object.keys(secretsIn) as CollectionName[]).flatMap((name) =>
    [...(store[name].all() as Iterable<StoredRecord>)].flatMap((record) => secretsOf(name, record)),
  );
}

function secretsOf(name: CollectionName, record: StoredRecord | undefined): readonly string[] {
  const found: string[] = [];
  if (record) mapRecord(name, record, (secret) => (found.push(secret), secret));
  return found;
}

function mapped(
  collections: Documented,
  mapOf: (name: CollectionName, id: string) => (secret: string) => string,
): Documented {
  const entries = Object.entries(collections) as [CollectionName, readonly StoredRecord[]][];
  return Object.fromEntries(
    entries.map(([name, records]) => [name, records.map((record) => mapRecord(name, record, mapOf(name, record.id)))]),
  );
}

function mapRecord(name: CollectionName, record: StoredRecord, map: (secret: string) => string): StoredRecord {
  const inner = secretsIn[name] as ((one: StoredRecord, map: (secret: string) => string) => StoredRecord) | undefined;
  return inner ? inner(record, map) : record;
}
