/** To whom records belong. */
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

/**
 * Finds the first record whose owner is missing; null if there is none. Every record belongs to a company of the same
 * state, and a key also to an app. Yields after each record (time/slices.ts).
 */
export function* findOrphan(collections: {
  readonly [name: string]: readonly { readonly id: string }[] | undefined;
}): Generator<void, Orphan | null, void> {
  const idsOf = (name: string): ReadonlySet<string> => new Set((collections[name] ?? []).map(({ id }) => id));
  const [companies, apps] = [idsOf('companies'), idsOf('apps')];
  for (const [collection, records] of Object.entries(collections))
    for (const { id, companyId = null, appId = '' } of (records ?? []) as readonly Owned[]) {
      if (companyId !== null && !companies.has(companyId))
        return { collection, id, owner: `the company ${shown(companyId)}` };
      if (collection === 'credentials' && !apps.has(appId)) return { collection, id, owner: `the app ${shown(appId)}` };
      yield;
    }
  return null;
}
