import { toIso } from '../../time/clock.ts';
import { inBody, remove, rule, set, setMeant, show } from '../../rules.ts';
import { sayNoSuchTime } from '../../contract/formats.ts';
import type { Range } from './ranges.ts';
import { inThousands } from '../../contract/digits.ts';

const start = inBody('/distributionStart');
const stop = inBody('/distributionStop');
/** Sends a range; an end that was sent so stays as it is. */
const setRange = (range: Range, sent?: Range) => [
  ...(range.start === sent?.start ? [] : [set(start, toIso(range.start))]),
  ...(range.stop === sent?.stop ? [] : [set(stop, toIso(range.stop))]),
];
const dropRange = () => ({
  say: 'Leave distributionStart and distributionStop out.',
  edits: [remove(start), remove(stop)],
});
function sayFree(range: Range, free: Range, stored: Range): string {
  if (free.start === stored.start && free.stop === stored.stop) return 'Send the identical range.';
  if (free.stop === range.stop) return 'Start where the stored range ends.';
  return free.start === range.start ? 'Stop where the stored range starts.' : 'Send the part between stored ranges.';
}
const factsOf = (range: Range) => ({ start: toIso(range.start), stop: toIso(range.stop) });
/** Only a sentence, without edits: codes of one offer do no good in another. */
const oneOf = (offers: readonly string[]) =>
  offers.length === 0
    ? 'This account has no offer yet: create one, then send its number.'
    : `Send the number of an offer of this account, such as ${offers.slice(0, 5).join(', ')}.`;
const someRange = { distributionStart: '2026-12-01T00:00:00Z', distributionStop: '2026-12-10T00:00:00Z' };
const words = (range: Range) => `${toIso(range.start)} to ${toIso(range.stop)}`;

/** The most codes in one request (section 8). */
export const codeLimit = 200_000;
/** The most characters of a code. */
export const longestCode = 256;

/** The rules of section 4, Add discount codes; those without a sentence there: docs/platform.md, Offers. */
export const offerRules = {
  id: rule<{ sent: string; own: readonly string[] }>({
    id: 'offers.id',
    status: 400,
    section: '4',
    provenance: 'documented',
    says: 'The path id is an int64.',
    message: ({ sent }) => `The coupon-pool-id ${show(sent)} is not a whole number of at most 64 bits.`,
    fix: ({ sent, own }, place) =>
      setMeant(place, own.find((id) => id === sent.replaceAll(/\D/g, '')) ?? null, oneOf(own)),
    facts: () => ({ format: 'int64' }),
  }),
  unknown: rule<{ sent: string; own: readonly string[] }>({
    id: 'offers.unknown',
    status: 404,
    section: '4, Add discount codes, 5',
    provenance: 'assumed',
    reason:
      'Section 4 says that it must exist, and section 7 that the 404 is a bad request here; that this one is a 404 is ours.',
    says: "The offer must exist and belong to the caller's account.",
    message: ({ sent }) => `The specified resource was not found: this account has no offer ${sent}.`,
    fix: ({ own }) => ({ say: oneOf(own), edits: [] }),
  }),
  disabled: rule<{ offer: string; open: readonly string[] }>({
    id: 'offers.uploads-disabled',
    status: 403,
    section: '4, Add discount codes',
    provenance: 'assumed',
    reason: 'Section 4 says that it must be enabled; the status 403 is ours.',
    says: 'The capability must be enabled for the account by the operator after the offer exists; where it is not, the answer is 403.',
    message: ({ offer }) =>
      `Access Denied: uploads by the API are not enabled for the offer ${offer}. On the platform its operator enables them.`,
    fix: ({ open }) => ({
      say:
        open.length === 0
          ? 'Enable uploads for this offer.'
          : `Enable uploads for this offer, or use another one. ${oneOf(open)}`,
      edits: [],
    }),
    facts: ({ offer }) => ({ offer }),
  }),
  tooMany: rule<{ count: number; codes: readonly string[] }>({
    id: 'offers.too-many-codes',
    status: 400,
    section: '4, Add discount codes, 1',
    provenance: 'documented',
    says: 'At most 200,000 codes per request.',
    message: ({ count }) =>
      `The request has ${inThousands(count)} codes; at most ${inThousands(codeLimit)} may be sent at once. Send the rest in another request.`,
    fix: ({ codes }, { at }) =>
      codes.length - codeLimit <= 100
        ? {
            say: 'Leave the last codes out.',
            edits: codes
              .slice(codeLimit)
              .map((_code, after) => remove(inBody(`${at}/${codeLimit + after}`)))
              .reverse(),
          }
        : // A fix is stored with the recorded request, so it does not contain 200,000 codes.
          { say: 'Send fewer codes; the first 100 to try the rest.', edits: [set(inBody(at), codes.slice(0, 100))] },
    facts: ({ count }) => ({ count, limit: codeLimit }),
  }),
  codeText: rule<{ at: number; code: string; all: readonly number[]; good: readonly string[] }>({
    id: 'offers.code-text',
    status: 400,
    section: '4, Add discount codes',
    provenance: 'assumed',
    reason: 'Section 4 limits the number of codes; what a code may be is not public.',
    says: `A code is a text of 1 to ${longestCode} characters.`,
    message: ({ at, code }) =>
      `The code at position ${at} ${code === '' ? 'is empty' : `has more than ${longestCode} characters`}. A code has 1 to ${longestCode} characters.`,
    // From the last one, so that the positions of the others stay as they are.
    fix: ({ all, good }) =>
      all.length <= 100
        ? {
            say: all.length === 1 ? 'Leave that code out.' : `Leave the codes at ${all.join(', ')} out.`,
            edits: all.toReversed().map((position) => remove(inBody(`/codes/${position}`))),
          }
        : {
            say: 'Leave such codes out; send the first 100 others to try the rest.',
            edits: [set(inBody('/codes'), good.slice(0, 100))],
          },
    facts: ({ at }) => ({ position: at, least: 1, limit: longestCode }),
  }),
  utc: rule<{ wrong: readonly { readonly name: string; readonly sent: string; readonly utc: string | null }[] }>({
    id: 'offers.utc-timestamp',
    status: 400,
    section: '4, Add discount codes, 2',
    provenance: 'documented',
    says: 'distributionStart and distributionStop are both UTC ISO timestamps.',
    message: ({ wrong }) =>
      wrong
        .map(({ name, sent, utc }) => {
          const noSuch = sayNoSuchTime(sent);
          return noSuch
            ? `${name} ${show(sent)} is not an ISO 8601 time: ${noSuch}.`
            : `${name} must be an ISO 8601 timestamp in UTC such as ${utc ?? '2026-12-01T00:00:00Z'}, not ${show(sent)}.`;
        })
        .join(' '),
    fix: ({ wrong }) => ({
      say: `Write ${wrong.some(({ sent }) => sayNoSuchTime(sent)) ? 'a time that exists,' : 'the time'} in UTC, with a Z.`,
      edits: wrong.some(({ utc }) => utc === null) ? [] : wrong.map(({ name, utc }) => set(inBody(`/${name}`), utc)),
    }),
  }),
  // An invented range would be kept for the offer, and the range that was meant would then overlap it.
  bothDates: rule<{ missing: 'distributionStart' | 'distributionStop' }>({
    id: 'offers.both-dates',
    status: 400,
    section: '4, Add discount codes, 2',
    provenance: 'assumed',
    reason: 'Section 4 names both dates together; what one without the other does is not public.',
    says: 'distributionStart and distributionStop come together.',
    message: ({ missing }) => `${missing} is missing: a range needs both distributionStart and distributionStop.`,
    fix: ({ missing }) => ({
      say:
        missing === 'distributionStart'
          ? 'Send distributionStart too, a time before distributionStop.'
          : 'Send distributionStop too, a time after distributionStart.',
      edits: [],
    }),
  }),
  startBeforeStop: rule<{ range: Range; free: Range | null }>({
    id: 'offers.start-before-stop',
    status: 400,
    section: '4, Add discount codes, 2',
    provenance: 'documented',
    says: 'distributionStart must be before distributionStop.',
    message: ({ range }) =>
      `distributionStart ${toIso(range.start)} is not before distributionStop ${toIso(range.stop)}.`,
    fix: ({ range, free }) =>
      free === null
        ? { say: 'Send a distributionStop that is later.', edits: [] }
        : {
            say:
              range.start === free.stop && range.stop === free.start
                ? 'Swap the two.'
                : `Send ${words(free)}, which fits the earlier uploads.`,
            edits: setRange(free, range),
          },
    facts: ({ range }) => ({ range: factsOf(range) }),
  }),
  overlap: rule<{ range: Range; stored: Range; free: Range }>({
    id: 'offers.range-overlap',
    status: 400,
    section: '4, Add discount codes, 3',
    provenance: 'documented',
    says: 'Date ranges must not overlap with ranges of earlier uploads to the same offer; uploading to an identical existing range is allowed.',
    message: ({ range, stored }) =>
      `The range ${words(range)} overlaps an earlier upload to this offer, ${words(stored)}. Send a range that does not overlap it, or exactly that one.`,
    fix: ({ range, free, stored }) => ({ say: sayFree(range, free, stored), edits: setRange(free, range) }),
    facts: ({ range, stored, free }) => ({ range: factsOf(range), stored: factsOf(stored), free: factsOf(free) }),
  }),
  /** `isOnly`: all earlier uploads have this range. */
  mixedTypes: rule<{ range: Range | null; isOnly: boolean }>({
    id: 'offers.distribution-type',
    status: 400,
    section: '4, Add discount codes, 4',
    provenance: 'documented',
    says: 'All uploads to one offer must use the same distribution type: if earlier uploads carry expiration dates, new ones must too, and the reverse.',
    message: ({ range }) =>
      range
        ? 'Earlier uploads to this offer carry distribution dates, so this one must too. Send distributionStart and distributionStop.'
        : 'Earlier uploads to this offer carry no distribution dates, so this one must not either. Leave them out.',
    fix: ({ range, isOnly }) =>
      range
        ? {
            say: `Send the range of an earlier upload, ${isOnly ? '' : 'such as '}${words(range)}.`,
            edits: isOnly ? setRange(range) : [],
          }
        : dropRange(),
  }),
  datesNeeded: rule({
    id: 'offers.dates-needed',
    status: 400,
    section: '4, Add discount codes, 4',
    provenance: 'observed',
    says: 'An offer with a custom time period needs distribution dates.',
    message: () =>
      'This offer distributes its codes in a custom time period, so an upload needs distributionStart and distributionStop.',
    fix: () => ({
      say: `Send a range, such as ${JSON.stringify(someRange)}.`,
      edits: [],
    }),
  }),
  datesRefused: rule<{ window: string }>({
    id: 'offers.dates-refused',
    status: 400,
    section: '4, Add discount codes, 4',
    provenance: 'observed',
    says: 'An offer whose codes never expire, or expire after a time, has no distribution dates.',
    message: ({ window }) =>
      `This offer's window is "${window}", so an upload must not have distributionStart and distributionStop.`,
    fix: dropRange,
  }),
} as const;
