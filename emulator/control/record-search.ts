import { collectionsOfPeople, prepareRecordsOfPeople, recordsOfPerson } from '../people/of-person.ts';
import type { CollectionName, StoredRecord } from '../records.ts';
import type { Store } from '../store/store.ts';
import { toKind } from '../records/kind.ts';
import { inParts } from '../time/slices.ts';
import type { FoundView } from './contract/companies.ts';
import { companyOf } from './people/of-company.ts';

/** Of one kind; so that thousands of one do not hide the others. */
const shownOfKind = 5;

/** How many are looked at before the event loop gets a turn. */
const perTurn = 2_000;

/** The records of a company that contain every word (in lower case), a few of each kind. */
export async function searchRecords(
  store: Store,
  companyId: string,
  wanted: readonly string[],
): Promise<readonly FoundView[]> {
  await prepareRecordsOfPeople(store);
  const found: FoundView[] = [];
  for (const name of store.names) found.push(...(await searchKind(store, name, companyId, wanted)));
  return found;
}

/** Newest first. */
async function searchKind(
  store: Store,
  name: CollectionName,
  companyId: string,
  wanted: readonly string[],
): Promise<readonly FoundView[]> {
  const definition = store.definitions[name];
  if (!definition?.found) return [];
  const ofPerson = (collection: string, userId: string): readonly StoredRecord[] =>
    collectionsOfPeople(store).flatMap((kept) => (kept.name === collection ? recordsOfPerson(kept, userId) : []));
  const found: FoundView[] = [];
  for await (const part of inParts(store.collection(name).records().toReversed(), perTurn))
    for (const record of part) {
      if (companyOf(record) !== companyId) continue;
      const { title, about, words } = definition.found(record, { ofPerson });
      const text = `${record.id} ${title} ${about} ${words.join(' ')}`.toLowerCase();
      if (!wanted.every((word) => text.includes(word))) continue;
      found.push({ kind: toKind(name), id: record.id, title, about });
      if (found.length === shownOfKind) return found;
    }
  return found;
}
