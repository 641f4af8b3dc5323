import { assumed, documented, observed, orEmpty, type Infer } from '../../contract/schema.ts';

const sentPhone = {
  type: ['string', 'null'],
  description: 'E.164. Null and "" count as left out.',
  examples: ['+15555550100'],
} as const;
const sentEmail = {
  type: ['string', 'null'],
  description: 'Null and "" count as left out.',
  examples: ['ada@example.com'],
} as const;
const sentText = { type: ['string', 'null'] } as const;

/** The body of POST /privacy/delete-request; the specification says subscriber…, the public schemas say subject…. */
export const deleteRequestBody = {
  type: 'object',
  properties: {
    subjectPhone: orEmpty(observed(sentPhone), { format: 'e164' }),
    subjectEmail: orEmpty(observed(sentEmail), { format: 'email' }),
    subscriberPhone: orEmpty(documented(sentPhone), { format: 'e164' }),
    subscriberEmail: orEmpty(documented(sentEmail), { format: 'email' }),
    clientUserId: observed({
      ...sentText,
      description: 'Stored, but not used to find people; only the phone and the email are.',
      examples: ['customer-1001'],
    }),
    requestMsg: observed({ ...sentText, examples: ['The subscriber requested to be removed'] }),
  },
  examples: [{ subjectEmail: 'ada@example.com' }],
} as const;

/** The reply of POST /privacy/delete-request. */
export const deleteRequestReply = {
  type: 'object',
  required: ['id'],
  properties: { id: documented({ type: 'string', pattern: '^[A-Za-z0-9]+$', examples: ['4k2vq9x0b7me'] }) },
} as const;

/** The path of GET /privacy/delete-request/{id}. */
export const deleteRequestParams = {
  type: 'object',
  required: ['id'],
  properties: { id: documented({ type: 'string', pattern: '^[A-Za-z0-9]+$', examples: ['4k2vq9x0b7me'] }) },
} as const;

const nullNote =
  'The specification shows records with every field filled; unknown values are null here, so that each field is always present.';

/** A deletion request as shown (2.4); phone and email are masked. */
export const deleteRequestRecord = {
  type: 'object',
  required: [
    'id',
    'processed',
    'type',
    'subjectPhone',
    'subjectEmail',
    'requestMsg',
    'requestDateTime',
    'processingStartDateTime',
    'processingEndDateTime',
  ],
  properties: {
    id: documented({ type: 'string', examples: ['4k2vq9x0b7me'] }),
    processed: documented({ type: 'boolean' }),
    type: documented({ type: 'string', enum: ['DELETE'] }),
    subjectPhone: assumed({ type: ['string', 'null'], examples: ['+*****5555'] }, nullNote),
    subjectEmail: assumed({ type: ['string', 'null'], examples: ['a**@website.com'] }, nullNote),
    requestMsg: assumed({ type: ['string', 'null'], examples: ['The subscriber requested to be removed'] }, nullNote),
    requestDateTime: documented({ type: 'string', examples: ['2020-09-02T17:44:23.875+0000'] }),
    processingStartDateTime: assumed(
      { type: ['string', 'null'], examples: ['2020-09-02T17:45:23.875+0000'] },
      nullNote,
    ),
    processingEndDateTime: assumed({ type: ['string', 'null'], examples: ['2020-09-02T17:46:23.875+0000'] }, nullNote),
  },
} as const;

export type DeleteRequestBody = Infer<typeof deleteRequestBody>;
export type DeleteRequestRecord = Infer<typeof deleteRequestRecord>;
