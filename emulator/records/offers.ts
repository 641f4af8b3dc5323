import { record, stored, withOptional } from './definition.ts';
import { count, fields, flag, list, oneOf, orNull, stateful, text, time } from './fields.ts';

/** An offer (coupon pool), which the platform's UI makes; `id` is its int64 number as text. */
export const offers = record(
  stored({
    companyId: text,
    name: text,
    window: oneOf(['never-expire', 'time-to-live', 'custom-time-period']),
    apiUploads: flag,
    createdAt: time,
    codeCount: count,
    ...stateful(['ACTIVE', 'SYNCING', 'ERROR']),
  }),
  {
    words: ['offer', 'offers'],
    owner: 'company',
    found: ({ id, name, state, codeCount }) => ({
      title: `Offer ${id} ${name}`,
      about: `${codeCount.toLocaleString('en-US')} code${codeCount === 1 ? '' : 's'}, ${state}`,
      words: [],
    }),
    shownAt: 'offers',
  },
);

/** One accepted upload of codes to an offer; the codes themselves are in the blobs as `codes/<id>.json`. */
export const offerUploads = record(
  stored({
    companyId: text,
    offerId: text,
    distributionStart: orNull(text),
    distributionStop: orNull(text),
    codeCount: count,
    duplicateCount: count,
    receivedAt: time,
  }),
  { words: ['upload of codes', 'uploads of codes'], owner: 'company', shownAt: null },
);

/** What is wrong with a line of a catalog file. */
export const catalogIssue = fields({
  errorType: text,
  errorMessage: text,
  lineNum: count,
  /** JSON pointer into the line, '' for the whole of it. */
  pointer: text,
  /** The offending value, shortened; null where there is none to show. */
  value: orNull(text),
});

/** What checking the file found. `issues` holds at most ten a kind, as the API shows; the rest is beside the file. */
export const uploadReport = fields({ lines: count, goodLines: count, issueCount: count, issues: list(catalogIssue) });

/** A catalog upload (2.2). Its file is in the blobs as `uploads/<id>`. */
export const uploads = record(
  withOptional(
    stored({
      companyId: text,
      validateOnly: flag,
      createdAt: time,
      expiresAt: time,
      bytes: orNull(count),
      etag: orNull(text),
      report: orNull(uploadReport),
      productsProcessed: orNull(count),
      ...stateful(['initialized', 'validating', 'validated', 'completed', 'expired', 'save_failed']),
    }),
    // The state in which a client last read it; kept only where a row of its table waits for that.
    { readAs: oneOf(['validated']) },
  ),
  {
    words: ['catalog upload', 'catalog uploads'],
    owner: 'company',
    found: ({ id, state }) => ({ title: `Upload ${id}`, about: state, words: ['catalog'] }),
    shownAt: 'catalog',
  },
);
