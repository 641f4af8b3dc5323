import { toIso } from '../../time/clock.ts';
import { enter } from '../../machine/table.ts';
import type { Offer } from '../../records.ts';
import { inBody, noSuch, refuse, rule, set } from '../../rules.ts';
import type { Store } from '../../store/store.ts';
import { offerTable } from './states.ts';

/** The most characters of the name of an offer. */
const longestName = 200;

/** The rules for offers, however they are created. */
export const offerManagementRules = {
  name: rule({
    id: 'offers.name',
    status: 400,
    section: '4, Add discount codes, 5',
    provenance: 'assumed',
    reason: 'How the platform’s own UI checks offers is not public.',
    says: `An offer has a name of 1 to ${longestName} characters.`,
    message: () => `The offer needs a name of 1 to ${longestName} characters that is not only spaces.`,
    fix: (_facts, place) => ({ say: 'Give it a name.', edits: [set(place, 'Winter offer')] }),
    facts: () => ({ least: 1, limit: longestName }),
  }),
} as const;

export type OfferFields = Pick<Offer, 'name' | 'window' | 'apiUploads'>;

/**
 * Creates an offer, as the platform's own pages do, with a number that is not taken. Inside a transaction.
 * @param now epoch milliseconds
 */
export function makeOffer(
  store: Store,
  companyId: string,
  { id, name, window, apiUploads }: OfferFields & { readonly id?: string | undefined },
  now: number,
): Offer {
  const at = toIso(now);
  return store.offers.put({
    id: id ?? freeNumber(store),
    companyId,
    name: toName(name),
    window,
    apiUploads,
    createdAt: at,
    codeCount: 0,
    ...enter(offerTable, { by: 'hand', at, why: 'The offer was created.' }),
  });
}

/**
 * Changes the given fields of an offer. A changed window counts only for offers without codes: after an upload, the
 * uploaded codes decide whether more need dates (section 4, Add discount codes, 4). Inside a transaction.
 */
export function changeOffer(store: Store, id: string, change: Partial<OfferFields>): Offer {
  const known = getOffer(store, id);
  return store.offers.put({
    ...known,
    name: change.name === undefined ? known.name : toName(change.name),
    window: change.window ?? known.window,
    apiUploads: change.apiUploads ?? known.apiUploads,
  });
}

/**
 * Deletes an offer with what was uploaded to it. The files of the codes stay, for undo and for going back to an earlier
 * moment (docs/decisions/0002-store.md). Inside a transaction.
 */
export function removeOffer(store: Store, id: string): Offer {
  const offer = getOffer(store, id);
  for (const upload of store.offerUploads.all()) if (upload.offerId === id) store.offerUploads.delete(upload.id);
  store.offers.delete(id);
  return offer;
}

/** The offer with that number, of any company; refused if there is none. */
export function getOffer(store: Store, id: string): Offer {
  return store.offers.get(id) ?? noSuch('offer', id);
}

/** Offers have plain numbers; the demo world already uses some. */
function freeNumber(store: Store): string {
  for (;;) {
    const id = String(60_000 + store.nextNumber());
    if (!store.offers.get(id)) return id;
  }
}

function toName(sent: string): string {
  const name = sent.trim();
  if (name === '' || [...name].length > longestName)
    refuse(offerManagementRules.name, inBody('/name'), sent, undefined);
  return name;
}
