import { collectionsOfPeople, recordsOfPerson } from '../people/of-person.ts';
import type { CollectionName, StoredRecord } from '../records.ts';
import type { Store } from '../store/store.ts';
import { toKind } from '../records/kind.ts';
import type { FoundView } from './contract/companies.ts';
import { companyOf } from './of-company.ts';

/** Of one kind; so that thousands of one do not hide the others. */
const shownOfKind = 5;

/** The records of a company that contain every word (in lower case), a few of each kind. */
export function searchRecords(store: Store, companyId: string, wanted: readonly string[]): readonly FoundView[] {
  return store.names.flatMap((name) => [...searchKind(store, name, companyId, wanted)]);
}

/** Newest first. */
function* searchKind(
  store: Store,
  name: CollectionName,
  companyId: string,
  wanted: readonly string[],
): Generator<FoundView> {
  const definition = store.definitions[name];
  if (!definition?.found) return;
  const ofPerson = (collection: string, userId: string): readonly StoredRecord[] =>
    collectionsOfPeople(store).flatMap((kept) => (kept.name === collection ? recordsOfPerson(kept, userId) : []));
  let count = 0;
  for (const record of store.collection(name).records().toReversed()) {
    if (companyOf(record) !== companyId) continue;
    const { title, about, words } = definition.found(record, { ofPerson });
    const text = `${record.id} ${title} ${about} ${words.join(' ')}`.toLowerCase();
    if (!wanted.every((word) => text.includes(word))) continue;
    yield { kind: toKind(name), id: record.id, title, about };
    if (++count === shownOfKind) return;
  }
}
