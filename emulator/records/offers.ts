import { boolean, count, described, list, nullable, object, oneOf, text, time } from '../contract/shape.ts';
import { record } from './definition.ts';
import { owned, stateful } from './parts.ts';
import { inThousands } from '../contract/digits.ts';

export const offerWindow = oneOf('never-expire', 'time-to-live', 'custom-time-period');

/** An offer (coupon pool), which the platform's UI makes; `id` is its int64 number as text. */
export const offers = record(
  object({
    ...owned,
    name: text,
    window: offerWindow,
    apiUploads: boolean,
    createdAt: time,
    codeCount: count,
    ...stateful(oneOf('ACTIVE', 'SYNCING', 'ERROR')),
  }),
  {
    words: ['offer', 'offers'],
    owner: 'company',
    found: ({ id, name, state, codeCount }) => ({
      title: `Offer ${id} ${name}`,
      about: `${inThousands(codeCount)} code${codeCount === 1 ? '' : 's'}, ${state}`,
      words: [],
    }),
    shownAt: '/offers/{id}',
    open: ['SYNCING'],
    wrong: ['ERROR'],
  },
);

/** One accepted upload of codes to an offer; the codes themselves are in the blobs as `codes/<id>.json`. */
export const offerUploads = record(
  object({
    ...owned,
    offerId: text,
    distributionStart: nullable(time),
    distributionStop: nullable(time),
    codeCount: count,
    duplicateCount: count,
    receivedAt: time,
  }),
  { words: ['upload of codes', 'uploads of codes'], owner: 'company', shownAt: null },
);

/** A problem in a line of a catalog file. */
export const catalogIssue = object({
  errorType: text,
  errorMessage: text,
  lineNum: described('The number of the line, from 1; 0 if the error is not in a line.', count),
  pointer: described('JSON pointer into the line, "" for the whole of it.', text),
  value: described('The invalid value, shortened; null if there is none to show.', nullable(text)),
});

/** The result of checking the file; further issues are stored in a separate file. */
export const uploadReport = object(
  {
    lines: count,
    goodLines: count,
    issueCount: count,
    issues: described('The issues that the API shows: at most ten of each type.', list(catalogIssue)),
  },
  { blankLines: described('The number of blank lines, which are not products; absent if there are none.', count) },
);

/** A catalog upload (2.2). Its file is in the blobs as `uploads/<id>`. */
export const uploads = record(
  object(
    {
      ...owned,
      validateOnly: boolean,
      createdAt: time,
      expiresAt: time,
      bytes: nullable(count),
      etag: nullable(text),
      report: described('The result of checking the file; null before that.', nullable(uploadReport)),
      productsProcessed: nullable(count),
      ...stateful(oneOf('initialized', 'validating', 'validated', 'completed', 'expired', 'save_failed')),
    },
    {
      readAs: described(
        'The state in which a client last read the upload; stored only if a move of the upload waits for that.',
        oneOf('validated'),
      ),
    },
  ),
  {
    words: ['catalog upload', 'catalog uploads'],
    owner: 'company',
    fixed: ['companyId', 'validateOnly', 'createdAt'],
    progress: ({ history }) => history.length,
    found: ({ id, state }) => ({ title: `Upload ${id}`, about: state, words: ['catalog'] }),
    shownAt: '/catalog/{id}',
    open: ['initialized', 'validating', 'validated'],
    wrong: ['expired', 'save_failed'],
  },
);
