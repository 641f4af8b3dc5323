import { collectionsOfPeople, prepareRecordsOfPeople, recordsOfPerson } from '../people/of-person.ts';
import type { CollectionName, StoredRecord } from '../records.ts';
import type { Found } from '../records/definition.ts';
import type { Store } from '../store/store.ts';
import { toKind } from '../records/kind.ts';
import { inParts } from '../time/slices.ts';
import type { FoundView } from './contract/companies.ts';
import { companyOf } from './of-company.ts';
import { toPhoneDigits } from './people/people-search.ts';

/** The most records shown of one kind, so that thousands of one kind do not hide the others. */
const shownOfKind = 5;

/** How many records are examined before the event loop gets a turn. */
const perTurn = 2_000;

/** Whether a text in lower case matches a search. */
export type Matcher = (text: string) => boolean;

/** Returns a matcher for all words of a search; null if the search is empty. */
export function toMatcher(search: string): Matcher | null {
  const wanted = search.trim().toLowerCase();
  if (wanted === '') return null;
  const digits = toPhoneDigits(wanted);
  // A few digits are words: `200 12` looks for both. Many digits may be a phone, or the day in a name.
  if (digits.length >= 7) return (text) => text.includes(digits) || text.includes(wanted);
  const words = wanted.split(/\s+/);
  return (text) => words.every((word) => text.includes(word));
}

/** The records of a company that a search finds, a few of each kind. */
export async function searchRecords(store: Store, companyId: string, matches: Matcher): Promise<readonly FoundView[]> {
  const found: FoundView[] = [];
  for (const name of store.names) {
    // Newest first.
    const newest = store.collection(name).records().toReversed();
    const ofKind: FoundView[] = [];
    for await (const { record, shown } of matching({ store, name, companyId, matches }, newest)) {
      ofKind.push({ kind: toKind(name), id: record.id, title: shown.title, about: shown.about });
      if (ofKind.length === shownOfKind) break;
    }
    found.push(...ofKind);
  }
  return found;
}

/** All records of a kind that a search finds, oldest first; none if the kind is not searched. */
export async function searchKind(search: Search): Promise<readonly StoredRecord[]> {
  const found: StoredRecord[] = [];
  for await (const { record } of matching(search, search.store.collection(search.name).records())) found.push(record);
  return found;
}

interface Search {
  readonly store: Store;
  readonly name: CollectionName;
  /** If it is left out, records of all companies match. */
  readonly companyId?: string | undefined;
  readonly matches: Matcher;
}

async function* matching(
  { store, name, companyId, matches }: Search,
  records: readonly StoredRecord[],
): AsyncGenerator<{ readonly record: StoredRecord; readonly shown: Found }, void, void> {
  const definition = store.definitions[name];
  if (!definition?.found) return;
  await prepareRecordsOfPeople(store);
  const ofPeople = collectionsOfPeople(store);
  const ofPerson = (collection: string, userId: string): readonly StoredRecord[] => {
    const kept = ofPeople.find(({ name: one }) => one === collection);
    return kept ? recordsOfPerson(kept, userId) : [];
  };
  for await (const part of inParts(records, perTurn))
    for (const record of part) {
      if (companyId !== undefined && companyOf(record) !== companyId) continue;
      const shown = definition.found(record, { ofPerson });
      const text = `${record.id} ${shown.title} ${shown.about} ${shown.words.join(' ')}`.toLowerCase();
      if (matches(text)) yield { record, shown };
    }
}
