import { addToList } from '../../contract/add-to-list.ts';
import { toIso } from '../../time/clock.ts';
import type { LedBy } from '../../world/lineage.ts';
import type { CollectionName, User } from '../../records.ts';
import { definitions } from '../../records/definitions.ts';
import type { Change } from '../../store/store.ts';
import type { CauseView } from '../contract/parts.ts';
import { toCause } from '../delivery-views.ts';
import { readEach, whileHeld } from '../requests/read-each.ts';
import { toPerson } from './people-search.ts';

/** A change that a recorded request made to something that belongs to a person. */
export interface CausedChange {
  readonly cause: CauseView;
  /** When the request came, ISO 8601 on the virtual clock. */
  readonly at: string;
  readonly change: Change;
}

/** The recorded requests that changed something that belongs to a person. */
export interface Causes {
  /** Oldest first. */
  changesOf(collection: CollectionName): readonly CausedChange[];
  /** The newest request that changed a record; with `is`, the newest whose change passes that test. */
  of(collection: CollectionName, id: string, is?: (after: Change['after']) => boolean): CauseView | null;
  /** The request that created a record. */
  maker(collection: CollectionName, id: string): CauseView | null;
}

/**
 * Reads the recorded requests once for one person. A request that was dropped from the record is not found.
 * @param collections those that the caller will ask for: requests that touched none of them are not decoded
 */
export async function findCauses(lineage: LedBy, user: User, collections?: readonly CollectionName[]): Promise<Causes> {
  const byCollection = new Map<CollectionName, CausedChange[]>();
  const byRecord = new Map<string, CausedChange[]>();
  const person = toPerson([user]);
  // A delivery names the person by a number, perhaps that of a person who was merged into them. A privacy request names
  // an address, perhaps in another case.
  const candidates = lineage
    .changing(user.id, ...person.numbers.map(String), 'privacyRequests')
    // A short link is followed without a key, so its request has no company.
    .filter(({ companyId }) => companyId === null || companyId === user.companyId)
    .filter(({ touched }) => !collections || touched.some(({ collection }) => collections.includes(collection)));
  await whileHeld(candidates, () =>
    readEach(candidates, (exchange) => {
      for (const change of exchange.changes) {
        const record = change.after ?? change.before;
        if (record === null || !definitions[change.collection].names?.(record as never, person)) continue;
        const caused = { cause: toCause(exchange), at: toIso(exchange.at), change };
        addToList(byCollection, change.collection, caused);
        addToList(byRecord, `${change.collection} ${change.id}`, caused);
      }
      return null;
    }),
  );
  return {
    changesOf: (collection) => byCollection.get(collection) ?? [],
    of: (collection, id, is = () => true) =>
      byRecord.get(`${collection} ${id}`)?.findLast(({ change }) => is(change.after))?.cause ?? null,
    maker: (collection, id) =>
      byRecord.get(`${collection} ${id}`)?.find(({ change }) => change.before === null)?.cause ?? null,
  };
}
