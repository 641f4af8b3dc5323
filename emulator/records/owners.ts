/** To whom records belong. */
import { personOf, type Definitions } from './definition.ts';
import { shown } from './misfit.ts';

/** A record whose owner is missing. */
export interface Orphan {
  readonly collection: string;
  readonly id: string;
  /** In words: `the company "c1"`. */
  readonly owner: string;
}

interface Owned {
  readonly id: string;
  readonly companyId?: string | null;
  readonly appId?: string;
}

/** How to find out whether the people are there to whom records belong. */
export interface PeopleCheck {
  readonly definitions: Definitions;
  /** Whether a person who is not in the collections is known all the same. */
  isKnown(userId: string): boolean;
}

/**
 * Finds the first record whose owner is missing; null if there is none. Every record belongs to a company of the same
 * state, a key also to an app, and some records to a person. Yields after each record (time/slices.ts).
 * @param people left out: people may be missing, as in states of earlier versions
 */
export function* findOrphan(
  collections: { readonly [name: string]: readonly { readonly id: string }[] | undefined },
  people?: PeopleCheck,
): Generator<void, Orphan | null, void> {
  const idsOf = (name: string): ReadonlySet<string> => new Set((collections[name] ?? []).map(({ id }) => id));
  const [companies, apps, users] = [idsOf('companies'), idsOf('apps'), idsOf('users')];
  for (const [collection, records] of Object.entries(collections)) {
    const person = people?.definitions[collection]?.person ?? null;
    for (const record of (records ?? []) as readonly Owned[]) {
      const { id, companyId = null, appId = '' } = record;
      if (companyId !== null && !companies.has(companyId))
        return { collection, id, owner: `the company ${shown(companyId)}` };
      if (collection === 'credentials' && !apps.has(appId)) return { collection, id, owner: `the app ${shown(appId)}` };
      const userId = person && personOf(record, person);
      if (userId !== null && !users.has(userId) && !people?.isKnown(userId))
        return { collection, id, owner: `the person ${shown(userId)}` };
      yield;
    }
  }
  return null;
}
