/** The records of a person, found by the definitions of the records: nothing here names a collection. */
import type { Collection, Store } from '../store/store.ts';
import type { CollectionName, StoredRecord } from '../records.ts';
import { personOf, type OfPerson } from '../records/definition.ts';

/** A collection whose records belong to people, and how they belong to them. */
interface CollectionOfPeople {
  readonly name: CollectionName;
  readonly collection: Collection<StoredRecord>;
  readonly person: OfPerson;
}

/** The collections whose records belong to people. */
export function collectionsOfPeople(store: Store): readonly CollectionOfPeople[] {
  return store.names.flatMap((name) => {
    const person = store.definitions[name]?.person;
    return person ? [{ name, collection: store.collection(name), person }] : [];
  });
}

/** A person's records of one collection, oldest first. */
export function recordsOfPerson({ collection, person }: CollectionOfPeople, userId: string): readonly StoredRecord[] {
  return collection.index('byUser', keysOf(person)).get(userId);
}

/** Builds the indexes of `recordsOfPerson` in advance: with hundreds of thousands of records that takes long. */
export async function prepareRecordsOfPeople(store: Store): Promise<void> {
  for (const { collection, person } of collectionsOfPeople(store))
    await collection.prepareIndex('byUser', keysOf(person));
}

const keysOf =
  (person: OfPerson) =>
  (record: StoredRecord): readonly string[] => [personOf(record, person)];

/** How many records of each kind a person has, by collection. */
export function countOfPerson(store: Store, userId: string): ReadonlyMap<CollectionName, number> {
  return new Map(collectionsOfPeople(store).map((kept) => [kept.name, recordsOfPerson(kept, userId).length]));
}

/** Deletes a person with all their records. Inside a transaction. */
export function erasePerson(store: Store, userId: string): void {
  for (const kept of collectionsOfPeople(store))
    for (const { id } of recordsOfPerson(kept, userId)) kept.collection.delete(id);
  store.users.delete(userId);
}

/**
 * Moves all records of the person `from` to the person `to`. If two records get the same id, the record of `to` stays,
 * unless the definition merges them. Inside a transaction.
 */
export function moveToPerson(store: Store, from: string, to: string): void {
  for (const kept of collectionsOfPeople(store)) {
    const { name, collection, person } = kept;
    for (const record of recordsOfPerson(kept, from)) {
      const moved: StoredRecord = { ...record, [person.field]: to };
      const id = person.idOf?.(moved) ?? record.id;
      if (id !== record.id) collection.delete(record.id);
      const known = id === record.id ? undefined : collection.get(id);
      collection.put(known ? (store.definitions[name]?.unite?.(known, moved) ?? known) : { ...moved, id });
    }
  }
}
