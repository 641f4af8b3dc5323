import { toIso } from '../../time/clock.ts';
import type { Exchange } from '../../http/exchange.ts';
import type { Recorder } from '../../http/recorder.ts';
import type { CollectionName, User } from '../../records.ts';
import { definitions } from '../../records/definitions.ts';
import type { Change } from '../../store/store.ts';
import type { CauseView } from '../contract/parts.ts';
import { toPerson } from './people-search.ts';

/** A recorded request's change of something that belongs to a person. */
export interface CausedChange {
  readonly cause: CauseView;
  /** When the request came, ISO 8601 on the virtual clock. */
  readonly at: string;
  readonly change: Change;
  /** All that the request changed. */
  readonly all: readonly Change[];
}

/** Which recorded requests changed what belongs to a person. */
export interface Causes {
  /** Oldest first. */
  changesOf(collection: CollectionName): readonly CausedChange[];
  /** The newest request that changed a record, or the newest one whose change `is` the one looked for. */
  of(collection: CollectionName, id: string, is?: (after: Change['after']) => boolean): CauseView | null;
}

/** Reads the recorded requests once for one person. A request that was dropped from the record causes nothing here. */
export function findCauses(recorder: Recorder, user: User): Causes {
  const found = new Map<CollectionName, CausedChange[]>();
  const person = toPerson([user]);
  // A delivery names the person by the number, and a privacy request by an address, perhaps in another case.
  for (const exchange of recorder.changing(user.id, String(user.externalId), 'privacyRequests')) {
    // A short link is followed without a key, so of no company.
    if (exchange.companyId !== null && exchange.companyId !== user.companyId) continue;
    for (const change of exchange.changes) {
      const record = change.after ?? change.before;
      if (record === null || !definitions[change.collection].names?.(record as never, person)) continue;
      const caused = { cause: toCause(exchange), at: toIso(exchange.at), change, all: exchange.changes };
      const known = found.get(change.collection);
      if (known) known.push(caused);
      else found.set(change.collection, [caused]);
    }
  }
  const changesOf = (collection: CollectionName): readonly CausedChange[] => found.get(collection) ?? [];
  return {
    changesOf,
    of: (collection, id, is = () => true) =>
      changesOf(collection).findLast(({ change }) => change.id === id && is(change.after))?.cause ?? null,
  };
}

function toCause({ id, operation }: Exchange): CauseView {
  return { requestId: id, operation };
}
