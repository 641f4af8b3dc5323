import { endpoint, type Endpoint } from '../http/endpoint.ts';
import { collectionsOfPeople, recordsOfPerson } from '../people/of-person.ts';
import type { CollectionName, StoredRecord } from '../records.ts';
import type { Store } from '../store/store.ts';
import { badRequest } from './problems.ts';
import type { FoundView } from './protocol.ts';
import { toKind } from './views.ts';

/** Of one kind; so that thousands of one do not hide the others. */
const shownOfKind = 5;

/** The search of the inspector's palette over a company's records. */
export function createSearchRoutes({ store }: { store: Store }): readonly Endpoint[] {
  return [
    endpoint({
      access: 'anyone',
      dialect: 'control',
      section: 'control API',
      provenance: 'assumed',
      method: 'GET',
      path: '/control/companies/{id}/search',
      summary: 'Records of a company whose id, name or further marks hold every word of the question',
      params: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
      query: {
        type: 'object',
        required: ['q'],
        properties: { q: { type: 'string', maxLength: 200, examples: ['15555550100'] } },
      },
      replies: { 200: { type: 'object' } },
      handle({ params: { id }, query }) {
        const wanted = String(query.q).toLowerCase().split(/\s+/).filter(Boolean);
        if (wanted.length === 0) return badRequest('The question q is empty; name a word to look for.');
        return { status: 200, body: { found: [...searchRecords(store, id, wanted)] } };
      },
    }),
  ];
}

/** The records of a company that hold every word (in lower case), a few of each kind. */
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
  for (const record of [...store.collection(name).all()].reverse()) {
    if ((record as StoredRecord & { readonly companyId?: string }).companyId !== companyId) continue;
    const { title, about, words } = definition.found(record, { ofPerson });
    const text = `${record.id} ${title} ${about} ${words.join(' ')}`.toLowerCase();
    if (!wanted.every((word) => text.includes(word))) continue;
    yield { kind: toKind(name), id: record.id, title, about };
    if (++count === shownOfKind) return;
  }
}
