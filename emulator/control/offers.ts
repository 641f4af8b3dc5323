import { findCompany } from '../features/accounts/find.ts';
import { readCodes } from '../features/offers/codes.ts';
import { changeOffer, getOffer, makeOffer, removeOffer } from '../features/offers/manage.ts';
import { checkDates } from '../features/offers/offers.ts';
import { Refusal, inBody } from '../rules.ts';
import { createSlices } from '../time/slices.ts';
import type { DatesView, offerCalls } from './contract/offers.ts';
import type { HandlerDeps } from './handler-deps.ts';
import type { Handlers } from './route.ts';
import { toRefusalView } from './views.ts';

/** How many codes are looked at before the event loop gets a turn: a few milliseconds. */
const codesPerSlice = 10_000;

/** Handlers that manage offers, as a person does on the platform's own pages, and list their codes. */
export function createOfferHandlers({ store, editDone }: HandlerDeps): Handlers<typeof offerCalls> {
  return {
    'POST /control/offers': ({ body: { name, window, apiUploads = true, companyId }, now }) =>
      editDone(
        'offer.created',
        (offer) => `The offer “${offer.name}” was created.`,
        () =>
          makeOffer(store, findCompany(store, companyId, inBody('/companyId')).id, { name, window, apiUploads }, now),
        ({ id }) => removeOffer(store, id),
      ),
    'POST /control/offers/{id}': ({ params: { id }, body }) =>
      editDone(
        'offer.changed',
        ({ name }) => `The offer “${name}” was changed.`,
        () => changeOffer(store, id, body),
      ),
    'DELETE /control/offers/{id}': ({ params: { id } }) =>
      editDone(
        'offer.deleted',
        ({ name }) => `The offer “${name}” was deleted, with its codes.`,
        () => removeOffer(store, id),
      ),
    async 'GET /control/offers/{id}/codes'({ params: { id }, query: { q = '', offset = 0, limit = 100 } }) {
      const wanted = q.toLowerCase();
      const { id: offerId } = getOffer(store, id);
      const uploads = store.offerUploads.records().filter((upload) => upload.offerId === offerId);
      const [from, to] = [offset, offset + limit];
      let total = 0;
      const codes: { code: string; uploadId: string }[] = [];
      const slice = createSlices(codesPerSlice);
      for (const upload of uploads) {
        for (const code of await readCodes(store, upload.id)) {
          const turn = slice();
          if (turn) await turn;
          if (!code.toLowerCase().includes(wanted)) continue;
          if (total >= from && total < to) codes.push({ code, uploadId: upload.id });
          total += 1;
        }
      }
      return { total, codes };
    },
    'GET /control/offers/{id}/dates'({ params: { id }, query: { start = null, stop = null } }) {
      const offer = getOffer(store, id);
      return datesOf(() => checkDates(store, offer, { start, stop }));
    },
  };
}

function datesOf(check: () => void): DatesView {
  try {
    check();
    return { accepted: true, refusal: null };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { accepted: false, refusal: toRefusalView(error) };
  }
}
