import { toIso } from '../../time/clock.ts';
import { toAmount } from '../../contract/digits.ts';
import { isInt64, isUtcTimestamp, toEpoch } from '../../contract/formats.ts';
import { meantTime } from '../../contract/meant.ts';
import { documented, observed, readsMore } from '../../contract/schema.ts';
import { endpoint, type Endpoint } from '../../http/endpoint.ts';
import type { Caller } from '../../people/caller.ts';
import { toGlobalId } from '../../ids.ts';
import type { Offer, OfferUpload } from '../../records.ts';
import { inBody, inObject, inPath, refuse, refuseMissing, rulesOf, toRefusal, type Refusal } from '../../rules.ts';
import type { Store } from '../../store/store.ts';
import { createCodes } from './codes.ts';
import { findOverlap, toFreeRange, type Range } from './ranges.ts';
import { codeLimit, longestCode, offerRules } from './rules.ts';

/** The operations on offers (section 4, Add discount codes; fields: docs/platform.md, Offers). */
export function createOfferEndpoints({ store }: { store: Store }): readonly Endpoint[] {
  const codes = createCodes({ store });

  const newUploadId = (): string => {
    const id = toGlobalId('CouponUpload', store.nextNumber());
    return codes.isTaken(id) ? newUploadId() : id;
  };

  const addCodes = endpoint({
    operationId: 'addCouponCodes',
    method: 'POST',
    path: '/coupons/coupon-pool/{coupon-pool-id}/create',
    access: 'offers:write',
    dialect: 'offers',
    summary: 'Add discount codes to an offer; they are processed asynchronously',
    section: '4, Add discount codes',
    provenance: 'documented',
    rules: rulesOf(offerRules),
    params: {
      type: 'object',
      required: ['coupon-pool-id'],
      properties: {
        'coupon-pool-id': readsMore(documented({ type: 'string', examples: ['54100'] }), {
          type: 'integer',
          format: 'int64',
          examples: [54_100],
        }),
      },
    },
    // All codes at their longest in ASCII, each with its quotes, comma, line break and indentation.
    bodyLimit: codeLimit * (longestCode + 16),
    body: {
      type: 'object',
      required: ['codes'],
      properties: {
        codes: observed({ type: 'array', items: { type: 'string' }, examples: [['WELCOME-1', 'WELCOME-2']] }),
        distributionStart: readsMore(documented({ type: ['string', 'null'], examples: ['2026-12-01T00:00:00Z'] }), {
          format: 'timestamp',
        }),
        distributionStop: readsMore(documented({ type: ['string', 'null'], examples: ['2026-12-10T00:00:00Z'] }), {
          format: 'timestamp',
        }),
      },
      // The offer in the path's example distributes its codes in a time period.
      examples: [
        {
          codes: ['WELCOME-1', 'WELCOME-2'],
          distributionStart: '2026-12-01T00:00:00Z',
          distributionStop: '2026-12-10T00:00:00Z',
        },
      ],
    },
    replies: { 202: null },
    errors: [400, 404, 500],
    asynchronous: true,
    async handle({ params, body, caller, now, note, transact }, deps) {
      const check = () => {
        const offer = findOffer(store, caller, params['coupon-pool-id']);
        checkCodes(body.codes);
        const { distributionStart: start = null, distributionStop: stop = null } = body;
        return { offer, range: readRange(offer, { start, stop, sent: body }, uploadsOf(store, offer)) };
      };
      if (body.codes.length === 0) {
        check();
        note('codes is empty: nothing was added to the offer, and the dates are not kept for it (assumed).');
        return { status: 202, body: null };
      }
      await codes.add(check().offer.id, body.codes, (codeCount, keep) =>
        transact(() => {
          // Checked again, because other uploads may have come since then.
          const { offer, range } = check();
          const upload = store.offerUploads.put({
            id: newUploadId(),
            companyId: caller.companyId,
            offerId: offer.id,
            distributionStart: range && toIso(range.start),
            distributionStop: range && toIso(range.stop),
            codeCount,
            duplicateCount: body.codes.length - codeCount,
            receivedAt: toIso(now),
          });
          keep(upload.id);
          deps.offers.fire(offer.id, 'codesReceived', {
            by: 'call',
            change: (record) => ({ ...record, codeCount: record.codeCount + codeCount }),
          });
          const { duplicateCount } = upload;
          if (duplicateCount > 0)
            note(`${toAmount(duplicateCount, 'code was', 'codes were')} repeated or uploaded before, and left out.`);
          return upload;
        }),
      );
      return { status: 202, body: null };
    },
  });

  return [addCodes];
}

/** Refuses dates that an upload of codes would be refused for; does nothing else. */
export function checkDates(store: Store, offer: Offer, dates: Dates): void {
  readRange(offer, dates, uploadsOf(store, offer));
}

function uploadsOf(store: Store, { id }: Offer): readonly OfferUpload[] {
  return store.offerUploads.index('byOffer', ({ offerId }) => [offerId]).get(id);
}

/** The dates of an upload as they were sent. */
interface Dates {
  readonly start: string | null;
  readonly stop: string | null;
  /** The body, which may have the dates under a misspelt name. */
  readonly sent?: object;
}

function findOffer(store: Store, { companyId }: Caller, id: string): Offer {
  const place = inPath('coupon-pool-id');
  const own = store.offers.records().filter((offer) => offer.companyId === companyId);
  const facts = { sent: id, own: own.map((offer) => offer.id) };
  if (!isInt64(id)) refuse(offerRules.id, place, id, facts);
  const offer = own.find((one) => one.id === String(BigInt(id)));
  if (!offer) return refuse(offerRules.unknown, place, id, facts);
  if (!offer.apiUploads)
    refuse(offerRules.disabled, place, id, {
      offer: id,
      open: own.filter(({ apiUploads }) => apiUploads).map((one) => one.id),
    });
  return offer;
}

function checkCodes(codes: readonly string[]): void {
  if (codes.length > codeLimit)
    refuse(offerRules.tooMany, inBody('/codes'), codes.length, { count: codes.length, codes });
  const isTooLong = (code: string): boolean => code.length > longestCode && [...code].length > longestCode;
  const isWrong = (code: string): boolean => code === '' || isTooLong(code);
  const at = codes.findIndex(isWrong);
  const code = codes[at];
  if (code === undefined) return;
  refuse(offerRules.codeText, inBody(`/codes/${at}`), code, {
    at,
    code,
    all: codes.flatMap((one, position) => (isWrong(one) ? position : [])),
    good: codes.filter((one) => !isWrong(one)),
  });
}

/**
 * The range of an upload; null if it has no dates. Refuses dates that the offer does not take, dates in another form,
 * and dates that overlap earlier ones.
 */
function readRange(offer: Offer, dates: Dates, earlier: readonly OfferUpload[]): Range | null {
  const stored = earlier.flatMap(({ distributionStart: start, distributionStop: stop }) =>
    start && stop ? [{ start: Date.parse(start), stop: Date.parse(stop) }] : [],
  );
  checkType(offer, dates, earlier, stored);
  const range = toRange(dates, stored);
  if (range === null) return null;
  const hit = findOverlap(range, stored);
  if (hit)
    refuse(offerRules.overlap, inBody('/distributionStart'), toIso(range.start), {
      range,
      stored: hit,
      free: toFreeRange(range, stored),
    });
  return range;
}

/**
 * Checks whether the offer takes dates at all. Earlier uploads decide, even if the offer's window was changed since:
 * otherwise no upload could be accepted.
 * @param stored the ranges of the earlier uploads, if they have dates
 */
function checkType(offer: Offer, dates: Dates, earlier: readonly OfferUpload[], stored: readonly Range[]): void {
  const { start, stop } = dates;
  const [range = null] = stored;
  const isFirst = earlier.length === 0;
  const sent = start ?? stop;
  const wantsDates = isFirst ? offer.window === 'custom-time-period' : range !== null;
  if (wantsDates === (sent !== null)) return;
  const place = inBody(start === null && stop !== null ? '/distributionStop' : '/distributionStart');
  const refusal = !isFirst
    ? toRefusal(offerRules.mixedTypes, place, sent, {
        range,
        // Ranges that begin together are the same one: others would overlap.
        isOnly: stored.every((one) => one.start === range?.start),
      })
    : wantsDates
      ? toRefusal(offerRules.datesNeeded, place, null, undefined)
      : toRefusal(offerRules.datesRefused, place, sent, { window: offer.window });
  if (wantsDates) refuseWithoutDates(refusal, dates);
  throw refusal;
}

function toRange(dates: Dates, stored: readonly Range[]): Range | null {
  const { start, stop } = dates;
  checkUtc({ distributionStart: start, distributionStop: stop });
  const [from, to] = [start, stop].map((text) => (text === null ? null : toEpoch(text))) as [
    number | null,
    number | null,
  ];
  if (from === null && to === null) return null;
  if (from === null || to === null) {
    const missing = from === null ? 'distributionStart' : 'distributionStop';
    return refuseWithoutDates(toRefusal(offerRules.bothDates, inBody(`/${missing}`), null, { missing }), dates);
  }
  const range = { start: from, stop: to };
  if (from >= to)
    refuse(offerRules.startBeforeStop, inBody('/distributionStart'), start, {
      range,
      free: from === to ? null : toFreeRange({ start: to, stop: from }, stored),
    });
  return range;
}

function refuseWithoutDates(refusal: Refusal, { sent = {} }: Dates): never {
  return refuseMissing(refusal, sent, ['distributionStart', 'distributionStop'], inObject(''));
}

/** A time without an offset is also refused: it may be a local time. */
function checkUtc(dates: { readonly [name: string]: string | null }): void {
  const wrong = Object.entries(dates).flatMap(([name, text]) => {
    if (text === null || isUtcTimestamp(text)) return [];
    return { name, sent: text, utc: meantTime(text) };
  });
  const [first] = wrong;
  if (first) refuse(offerRules.utc, inBody(`/${first.name}`), first.sent, { wrong });
}
