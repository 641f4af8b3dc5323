import { defineTableOf } from '../../machine/table.ts';
import type { Source } from '../../records.ts';
import { privacyRequests } from '../../records/people.ts';

// Section 3 names no state of a privacy request beyond the flag `processed`; 2.4 has a start and an end of processing.
const source: Source = { provenance: 'assumed', section: '3' };

/** The moves of a deletion request. The platform says "within thirty days"; here the pace sets the time. */
export const privacyTable = defineTableOf(privacyRequests, {
  initial: 'received',
  rows: [
    {
      from: 'received',
      event: 'start',
      to: 'processing',
      by: ['clock', 'hand'],
      after: { name: 'privacy.start', realistic: 5_000 },
      why: 'The operator began to process the request.',
      source,
    },
    {
      from: 'processing',
      event: 'finish',
      to: 'processed',
      by: ['clock', 'hand'],
      after: { name: 'privacy.finish', realistic: 10_000 },
      why: 'The matching people were deleted, with all their records.',
      source: { provenance: 'documented', section: '4, Privacy deletion' },
    },
  ],
});
